"""Labelled images for training and tests: split, put in order, changed, batched."""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.augmentation import Changes, drawn_distortions, drawn_shifts
from model.config import TrainingConfig
from model.flagged import flagged_ones


@dataclass(frozen=True, slots=True)
class DigitImages:
    """Labelled images.

    Attributes:
        images: (count, rows, columns) uint8, ink 255.
        labels: (count,) int64.
    """

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def split(self, held_out: int) -> tuple["DigitImages", "DigitImages"]:
        """Return all but the last `held_out` images, and those."""
        cut = len(self) - held_out
        return (
            DigitImages(self.images[:cut], self.labels[:cut]),
            DigitImages(self.images[cut:], self.labels[cut:]),
        )

    def to(self, device: torch.device) -> "DigitImages":
        """Return the same on another device."""
        return DigitImages(self.images.to(device), self.labels.to(device))


def to_network(images: Tensor) -> Tensor:
    """Scale uint8 images to the network's float32 range, 0..1."""
    return images.float() / 255


@dataclass(frozen=True, slots=True)
class Batch:
    """What one process sees of one training step.

    Attributes:
        images: (batch, rows, columns) float32 in 0..1, augmented.
        labels: (batch,) int64.
        share: of the whole step's images. 0 where there were fewer images than
            processes: then one image stands in, and counts for nothing.
    """

    images: Tensor
    labels: Tensor
    share: float = 1.0

    @property
    def counted(self) -> int:
        """Images that count."""
        return len(self.labels) if self.share else 0


def epoch_batches(
    digits: DigitImages, recipe: TrainingConfig, *, epoch: int
) -> list["PlannedBatch"]:
    """Plan one epoch: order and augmentation follow from the seed and `epoch` alone.

    A resumed run therefore sees exactly what an uninterrupted one would have seen, and
    each of several processes knows what all of them see, on whatever device.
    """
    generator = torch.Generator().manual_seed(1_000_003 * recipe.seed + epoch)
    order = torch.randperm(len(digits), generator=generator)
    draw = drawn_shifts if recipe.only_shifts else drawn_distortions
    device = digits.images.device
    changes = draw(len(digits), recipe, generator).to(device)
    if recipe.flags:
        digits = _with_flagged_ones(digits, recipe.flags, generator)
    return [
        PlannedBatch(digits, indices, changes)
        for indices in order.to(device).split(recipe.batch_size)
    ]


def _with_flagged_ones(
    digits: DigitImages, share: float, generator: torch.Generator
) -> DigitImages:
    """Return the same images, a share of them replaced by drawn ones with flags."""
    count = round(share * len(digits))
    places = torch.randperm(len(digits), generator=generator)[:count]
    drawn = flagged_ones(count, digits.images.shape[-1], generator)
    images, labels = digits.images.clone(), digits.labels.clone()
    images[places] = drawn.to(images.device)
    labels[places] = 1
    return DigitImages(images, labels)


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch that is read when it is asked for.

    Attributes:
        digits: all training images.
        indices: (batch,) int64, which of them.
        changes: of all of them.
    """

    digits: DigitImages
    indices: Tensor
    changes: Changes

    def read(self, rank: int = 0, processes: int = 1) -> Batch:
        """Fetch the images of one process, scale and change them."""
        own = self.indices.tensor_split(processes)[rank]
        share = len(own) / len(self.indices)
        indices = own if len(own) else self.indices[:1]
        images = to_network(self.digits.images[indices])
        return Batch(
            self.changes.of(indices).apply(images), self.digits.labels[indices], share
        )
