"""The batches of a training epoch: shuffled and augmented."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from capsnet_explorer.model.data.augmentation import (
    Distortions,
    Shifts,
    drawn_distortions,
    drawn_shifts,
)
from capsnet_explorer.model.data.flagged import flagged_ones
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.overlapping import (
    DigitPool,
    Layout,
    drawn_layout,
    lay_out,
    merge,
)
from capsnet_explorer.model.data.pen import on_canvas
from capsnet_explorer.model.data.tones import Tones, drawn_moves, drawn_tones
from capsnet_explorer.model.recipe import TrainingConfig


@dataclass(frozen=True, slots=True)
class Batch:
    """The images of one training step.

    Attributes:
        images: (batch, channels, rows, columns) float32 in 0..1, augmented.
        labels: of each image, as `LabelledImages` has them.
        clean: what the network is to reconstruct; None means the images. They are the
            same without changes of tone; or, with `keep`, several pictures an image,
            (batch, pictures, channels, rows, columns).
        keep: (batch, pictures, classes), 1 for the class that each of these pictures
            shows. A picture without any does not count.
    """

    images: Tensor
    labels: Tensor
    clean: Tensor | None = None
    keep: Tensor | None = None


class Planned(Protocol):
    """A batch whose images are fetched when read."""

    def read(self) -> Batch:
        """Fetch the images."""
        ...


def epoch_batches(
    labelled: LabelledImages, recipe: TrainingConfig, *, epoch: int
) -> Sequence[Planned]:
    """Plan one epoch: order and augmentation depend on the seed and `epoch` alone.

    A resumed run therefore sees exactly what an uninterrupted one would have seen,
    on any device.
    """
    generator = torch.Generator().manual_seed(1_000_003 * recipe.seed + epoch)
    if isinstance(labelled, DigitPool):
        # At once, and not with each batch: a GPU would wait for every copy.
        layout = drawn_layout(labelled.labels, generator).to(labelled.images.device)
        classes, size = labelled.classes, recipe.batch_size
        return [
            PlannedOverlaps(labelled, layout.of(slice(start, start + size)), classes)
            for start in range(0, len(layout), size)
        ]
    order = _order(labelled, recipe.balance, generator)
    draw = drawn_shifts if recipe.only_shifts else drawn_distortions
    device = labelled.images.device
    changes = draw(len(labelled), recipe, generator).to(device)
    if recipe.flags:
        labelled = _with_flagged_ones(labelled, recipe.flags, generator)
    mirrored = None
    if recipe.mirror:
        share = torch.rand(len(labelled), generator=generator)
        mirrored = (share < recipe.mirror).to(device)
    tones = None
    if recipe.changes_tones:
        tones = drawn_tones(len(labelled), recipe, generator).to(device)
    first_seed = 1_000_003 * (1_000_003 * recipe.seed + epoch)
    return [
        PlannedBatch(labelled, indices, changes, mirrored, tones, first_seed + number)
        for number, indices in enumerate(order.to(device).split(recipe.batch_size))
    ]


def _order(
    labelled: LabelledImages, balance: float, generator: torch.Generator
) -> Tensor:
    """Return the images of an epoch, in their order.

    Without balance, each is in it once. With it, images are drawn: those of a class
    that is n times as frequent as another have a chance that is n^balance times lower.
    """
    if not balance:
        return torch.randperm(len(labelled), generator=generator)
    if labelled.labels.ndim > 1:
        raise ValueError("--balance needs images of one class each")
    labels = labelled.labels.cpu()
    weights = labels.bincount().double().clamp(min=1).pow(-balance)[labels]
    # Evenly spread over the sum of the chances, so that no class is missed by chance.
    ends = weights.cumsum(0) / weights.sum()
    start = torch.rand((), generator=generator, dtype=torch.float64)
    places = (torch.arange(len(labels), dtype=torch.float64) + start) / len(labels)
    drawn = torch.searchsorted(ends, places).clamp(max=len(labels) - 1)
    return drawn[torch.randperm(len(labels), generator=generator)]


def _with_flagged_ones(
    labelled: LabelledImages, share: float, generator: torch.Generator
) -> LabelledImages:
    """Return the images with a share of them replaced by drawings of a flagged 1."""
    count = round(share * len(labelled))
    places = torch.randperm(len(labelled), generator=generator)[:count]
    drawn = flagged_ones(count, min(labelled.shape[1:]), generator)
    images, labels = labelled.images.clone(), labelled.labels.clone()
    images[places] = on_canvas(drawn, labelled.shape).to(images.device)
    labels[places] = 1
    return LabelledImages(images, labels)


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch whose images are fetched and augmented when read.

    Attributes:
        labelled: all training images.
        indices: (batch,) int64, the images of this batch.
        changes: those of all training images.
        mirrored: (count,) bool, which of all training images are mirrored; None mirrors
            none.
        tones: of all training images; None changes none.
        seed: of the batch's noise.
    """

    labelled: LabelledImages
    indices: Tensor
    changes: Shifts | Distortions
    mirrored: Tensor | None
    tones: Tones | None
    seed: int

    def read(self) -> Batch:
        """Fetch the images, scale them to 0..1 and augment them."""
        indices = self.indices
        images = to_network(self.labelled.images[indices])
        if self.mirrored is not None:
            is_mirrored = self.mirrored[indices][:, None, None, None]
            images = torch.where(is_mirrored, images.flip(3), images)
        images = self.changes.of(indices).apply(images)
        labels = self.labelled.labels[indices]
        if self.tones is None:
            return Batch(images, labels)
        moves = drawn_moves(images.shape, self.seed).to(images.device)
        toned = self.tones.of(indices).apply(images, moves)
        return Batch(toned, labels, clean=images)


@dataclass(frozen=True, slots=True)
class PlannedOverlaps:
    """A batch of digits on top of each other, put together when read.

    Attributes:
        digits: all that are trained on.
        layout: of this batch's images.
        classes: of the digits.
    """

    digits: LabelledImages
    layout: Layout
    classes: int

    def read(self) -> Batch:
        """Put the images together; each digit is to be reconstructed."""
        apart, classes = lay_out(self.digits, self.layout, self.classes)
        return Batch(
            to_network(merge(apart)),
            classes.sum(dim=1),
            clean=to_network(apart),
            keep=classes,
        )
