"""The batches of a training epoch: shuffled, augmented, divided among processes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.data.augmentation import Changes, drawn_distortions, drawn_shifts
from model.data.flagged import flagged_ones
from model.data.images import LabelledImages, to_network
from model.data.pen import on_canvas
from model.data.tones import Tones, drawn_moves, drawn_tones
from model.recipe import TrainingConfig


@dataclass(frozen=True, slots=True)
class Batch:
    """One process's part of one training step.

    Attributes:
        images: (batch, channels, rows, columns) float32 in 0..1, augmented.
        labels: of each image, as `LabelledImages` has them.
        share: share of the step's images. It is 0 where a step has fewer images than
            processes: one image then stands in, with no weight.
        clean: same shape as `images`: the same without changes of tone, for the network
            to reconstruct; None if no tones changed.
    """

    images: Tensor
    labels: Tensor
    share: float = 1.0
    clean: Tensor | None = None

    @property
    def counted(self) -> int:
        """Number of images that carry weight."""
        return len(self.labels) if self.share else 0


def epoch_batches(
    labelled: LabelledImages, recipe: TrainingConfig, *, epoch: int
) -> list["PlannedBatch"]:
    """Plan one epoch: order and augmentation depend on the seed and `epoch` alone.

    A resumed run therefore sees exactly what an uninterrupted one would have seen. All
    processes plan the same batches, on any device.
    """
    generator = torch.Generator().manual_seed(1_000_003 * recipe.seed + epoch)
    order = torch.randperm(len(labelled), generator=generator)
    draw = drawn_shifts if recipe.only_shifts else drawn_distortions
    device = labelled.images.device
    changes = draw(len(labelled), recipe, generator).to(device)
    if recipe.flags:
        labelled = _with_flagged_ones(labelled, recipe.flags, generator)
    tones = None
    if recipe.changes_tones:
        tones = drawn_tones(len(labelled), recipe, generator).to(device)
    first_seed = 1_000_003 * (1_000_003 * recipe.seed + epoch)
    return [
        PlannedBatch(labelled, indices, changes, tones, first_seed + number)
        for number, indices in enumerate(order.to(device).split(recipe.batch_size))
    ]


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
        tones: of all training images; None changes none.
        seed: of the batch's noise.
    """

    labelled: LabelledImages
    indices: Tensor
    changes: Changes
    tones: Tones | None
    seed: int

    def read(self, rank: int = 0, processes: int = 1) -> Batch:
        """Fetch one process's images, scale them to 0..1 and augment them."""
        own = self.indices.tensor_split(processes)[rank]
        share = len(own) / len(self.indices)
        indices = own if len(own) else self.indices[:1]
        images = to_network(self.labelled.images[indices])
        images = self.changes.of(indices).apply(images)
        labels = self.labelled.labels[indices]
        if self.tones is None:
            return Batch(images, labels, share)
        # Drawn for the whole batch, so that it does not depend on the processes.
        size = (len(self.indices), *images.shape[1:])
        all_moves = drawn_moves(size, self.seed).to(images.device)
        moves = all_moves.tensor_split(processes)[rank] if len(own) else all_moves[:1]
        toned = self.tones.of(indices).apply(images, moves)
        return Batch(toned, labels, share, clean=images)
