"""Labelled images, and their conversion to the network's input range."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from capsnet_explorer.datasets.describing import EQUAL, all_equal, warnings_of
from capsnet_explorer.model.data.per_image import PerImage
from capsnet_explorer.model.settings import Shape


@dataclass(frozen=True, slots=True)
class LabelledImages(PerImage):
    """Labelled images.

    Attributes:
        images: (count, channels, rows, columns) uint8.
        labels: (count,) int64, one class an image; or (count, classes) int64, 1 for
            each class that an image shows and 0 for the others.
    """

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def shape(self) -> Shape:
        """Channels, rows and columns of an image."""
        channels, rows, columns = self.images.shape[1:]
        return channels, rows, columns

    @property
    def classes(self) -> int:
        """Number of classes, as far as the labels tell."""
        has_several = self.labels.ndim > 1
        return self.labels.shape[1] if has_several else int(self.labels.max()) + 1

    @property
    def most_present(self) -> int:
        """The largest number of classes in one image, at least 1."""
        if self.labels.ndim == 1:
            return 1
        return max(1, int(self.labels.sum(dim=1).max()))

    def split(self, held_out: int) -> tuple["LabelledImages", "LabelledImages"]:
        """Return all but the last `held_out` images, and the last `held_out`."""
        cut = len(self) - held_out
        return (
            LabelledImages(self.images[:cut], self.labels[:cut]),
            LabelledImages(self.images[cut:], self.labels[cut:]),
        )

    def drawn(self, count: int, seed: int) -> Self:
        """Return some of the images, as nearly as many of each class as there are.

        The first of them are the same whatever the count, so a larger part contains
        every smaller one.

        Args:
            count: how many; all if there are no more.
            seed: of the draw.
        """
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self), generator=generator)
        if self.labels.ndim == 1:
            labels = self.labels.cpu()[order]
            # The first of each class come first, then the second of each, and so on.
            turn = torch.empty(len(order), dtype=torch.int64)
            for label in labels.unique():
                indices = (labels == label).nonzero()[:, 0]
                turn[indices] = torch.arange(len(indices))
            order = order[turn.argsort(stable=True)]
        return self.of(order[:count].to(self.images.device))

    def first(self, count: int) -> Tensor:
        """Return the first images that a network is trained on: uint8."""
        return self.images[:count]


def to_network(images: Tensor) -> Tensor:
    """Scale uint8 images to the network's float32 range, 0..1."""
    return images.float() / 255


def warnings_about(images: LabelledImages, class_names: Sequence[str]) -> list[str]:
    """Return what is strange about training images, a sentence each.

    Args:
        images: to train on.
        class_names: one for each class.
    """
    warnings = [EQUAL] if all_equal(images.images.numpy()) else []
    if images.labels.ndim > 1:
        return warnings
    counts = images.labels.bincount(minlength=len(class_names)).tolist()
    return warnings + warnings_of(dict(zip(class_names, counts, strict=False)))
