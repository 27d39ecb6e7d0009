"""Portraits of the types of capsules that vote: what each looks for in the input."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, cast

import torch
from torch import Tensor
from torch.nn import functional

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.layers.maps import picture_shape

IMAGES = 200  # of each class, the first ones
BATCH = 25  # images of a pass; their votes are held in memory
LONGEST = 1000  # capsules of a type, over all images and places,
SHARE = 10  # but at most one in ten of them
ENDS = 200  # of the longest, at either end of the direction in which they differ most
BEST = 6  # capsules of a type, at most one of an image
STRONGEST = 12  # capsules of a type, one of an image: the mean of more is a blur
# Of the length of its longest capsules: a type whose mean is more is long nearly
# everywhere. Types of the delivered networks lie below 0.33 or above 0.48.
ANYTHING = 0.4


class Parts(Protocol):
    """The parts of a network that have portraits, such as `model.legibility.Voters`."""

    def capsules(self, trace: Any) -> Tensor:
        """Return the parts: (batch, types, rows, columns, dim)."""
        ...

    def contributions(self, trace: Any, classes: Tensor, voting: Any) -> Tensor:
        """Return what they add to one class of each image: (batch, types x places)."""
        ...


@dataclass(frozen=True, slots=True)
class Windows:
    """The windows of the input through which a grid of capsules looks.

    Attributes:
        rows: of a window, in px.
        columns: of a window, in px.
        step: from one window to the next, in px.
    """

    rows: int
    columns: int
    step: int

    def of(self, images: Tensor) -> Tensor:
        """Return what capsules see: (batch, places, pixels), places row by row."""
        cut = images.unfold(2, self.rows, self.step).unfold(3, self.columns, self.step)
        return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)

    def spread(self, amounts: Tensor, size: tuple[int, int]) -> Tensor:
        """Return amounts spread over pixels, each evenly over its window.

        Args:
            amounts: (batch, places), row by row.
            size: rows and columns of an image.

        Returns:
            (batch, 1, rows, columns).
        """
        pixels = self.rows * self.columns
        over = amounts[:, None].expand(-1, pixels, -1) / pixels
        return functional.fold(
            over, size, kernel_size=(self.rows, self.columns), stride=self.step
        )


@dataclass(frozen=True, slots=True)
class Readings:
    """How a network reads the images that portraits are made from.

    Attributes:
        capsules: (images, types, places, dim), primary capsules.
        patches: (images, places, pixels), what a capsule sees at each place, channel by
            channel.
        decoded: same shape, of the picture decoded from the label's capsule; None
            without a decoder.
        support: (images, types), what each type contributes to the length of the
            label's capsule before squash; these sum to that length.
        indices: (images,), in the data set.
        labels: (images,).
    """

    capsules: Tensor
    patches: Tensor
    decoded: Tensor | None
    support: Tensor
    indices: Tensor
    labels: Tensor


def portraits(
    network: Network, labelled: LabelledImages, voters: Parts, windows: Windows
) -> dict[str, Tensor]:
    """Return what each type of capsules looks for.

    Args:
        network: on the CPU.
        labelled: the test images; the first 200 of each class are read.
        voters: the capsules.
        windows: through which they look.

    Returns:
        `types.mean` (types, rows, columns): the mean of the patches under a type's 1000
        longest capsules, or a tenth of them if that is fewer, each weighted by how far
        it points in their mean direction. `types.ends` (types, 2, rows, columns): the
        means of the 200 patches, at most half of those, whose capsules lie farthest at
        either end of the direction in which these differ most. `types.patch`
        (rows, columns): the mean of all patches. `types.lengths` (types, 2): the mean
        length of all capsules, and of the longest. `types.best` (types, 6, 3): index in
        the test set, row and column of the longest capsule of the images in which it is
        longest. `types.decoded` (types, 6, rows, columns): the same patches of the
        pictures decoded from these images' capsules. Patches of several channels have
        an axis for them before `rows`. `types.support` (types, classes): mean
        contribution to the length of a class's capsule on images of the class; negative
        against it. Without a decoder these are `lengths`, `support`, and
        `types.strongest` (types, 1, rows, columns): the mean of the patches under a
        type's longest capsules of twelve images, one of each.
    """
    read = readings(network, labelled, voters, windows)
    channels, _, columns = network.config.image_shape
    shape = picture_shape((channels, windows.rows, windows.columns))
    across = (columns - windows.columns) // windows.step + 1
    by_type = [
        _portrait(read, type, shape, across) for type in range(read.capsules.shape[1])
    ]
    tensors = {
        f"types.{name}": torch.stack([portrait[name] for portrait in by_type])
        for name in by_type[0]
    }
    tensors["types.support"] = support_of_classes(read, network.config.classes)
    if read.decoded is not None:
        every = read.patches.mean(dim=(0, 1))
        tensors["types.patch"] = every.unflatten(0, shape).half()
    return tensors


def of_anything(measured: dict[str, Tensor]) -> dict[str, Any]:
    """Tell which types answer to anything, so that no picture shows what they seek.

    Args:
        measured: what `portraits` returns.

    Returns:
        What the card keeps: `ratio`, `ANYTHING`; `types`, which answer to anything;
        `share`, what they add to a class's capsule on images of that class, of all that
        types add to it, in [0, 1], on average over the classes.
    """
    mean, longest = measured["types.lengths"].unbind(dim=1)
    answers = mean > ANYTHING * longest
    added = measured["types.support"].clamp(min=0)
    shares = added[answers].sum(dim=0) / added.sum(dim=0).clamp(min=1e-9)
    return {
        "ratio": ANYTHING,
        "types": answers.nonzero()[:, 0].tolist(),
        "share": round(float(shares.mean()), 4),
    }


@torch.no_grad()
def readings(
    network: Network, labelled: LabelledImages, voters: Parts, windows: Windows
) -> Readings:
    """Run the first images of each class through a network."""
    indices = torch.cat(
        [
            (labelled.labels == label).nonzero()[:IMAGES, 0]
            for label in range(network.config.classes)
        ]
    )
    parts = zip(*_read(network, labelled, indices, voters, windows), strict=True)
    capsules, patches, decoded, support = parts
    return Readings(
        *(torch.cat(capsules), torch.cat(patches)),
        None if decoded[0] is None else torch.cat(cast(tuple[Tensor, ...], decoded)),
        *(torch.cat(support), indices, labelled.labels[indices]),
    )


def _read(
    network: Network,
    labelled: LabelledImages,
    indices: Tensor,
    voters: Parts,
    windows: Windows,
) -> Iterator[tuple[Tensor, Tensor, Tensor | None, Tensor]]:
    for places in indices.split(BATCH):
        labels = labelled.labels[places]
        images = to_network(labelled.images[places])
        trace = network(images, keep=labels)
        capsules = voters.capsules(trace)
        support = voters.contributions(trace, labels, trace)
        drawn = trace.reconstruction
        yield (
            capsules.flatten(2, 3),
            windows.of(images),
            None if drawn is None else windows.of(drawn),
            support.unflatten(1, (capsules.shape[1], -1)).sum(dim=2),
        )


def _portrait(
    read: Readings, type: int, shape: tuple[int, ...], across: int
) -> dict[str, Tensor]:
    capsules = read.capsules[:, type]  # (images, places, dim)
    lengths = torch.linalg.vector_norm(capsules, dim=2)
    order = lengths.flatten().argsort(descending=True, stable=True)
    order = order[: min(LONGEST, max(1, len(order) // SHARE))]
    means = torch.stack([lengths.mean(), lengths.flatten()[order].mean()])
    if read.decoded is None:
        patches = read.patches[_best(lengths, STRONGEST)].mean(dim=0)
        patches = patches * (lengths.max() > 0)  # a dead map looks for nothing
        return {"strongest": patches.unflatten(0, shape)[None].half(), "lengths": means}
    poses, patches = capsules.flatten(0, 1)[order], read.patches.flatten(0, 1)[order]
    main = functional.normalize(poses.mean(dim=0), dim=0)
    weights = (poses @ main).clamp(min=0)
    mean = (weights @ patches) / weights.sum().clamp(min=1e-9)
    along = _main_difference(poses)
    count = min(ENDS, len(order) // 2)
    ranked = patches[along.argsort(stable=True)]
    ends = torch.stack([ranked[:count].mean(dim=0), ranked[-count:].mean(dim=0)])
    best = _best(lengths, BEST)
    return {
        "mean": mean.unflatten(0, shape).half(),
        "ends": ends.unflatten(1, shape).half(),
        "lengths": means,
        "best": torch.stack(
            [read.indices[best[0]], best[1] // across, best[1] % across], dim=1
        ).float(),
        "decoded": read.decoded[best].unflatten(1, shape).half(),
    }


def _main_difference(capsules: Tensor) -> Tensor:
    """Return where each capsule's direction lies along their greatest difference.

    The sign makes the largest component of that difference positive.
    """
    directions = functional.normalize(capsules, dim=1)
    apart = (directions - directions.mean(dim=0)).double()
    axis = torch.linalg.eigh(apart.T @ apart).eigenvectors[:, -1]
    return apart @ (axis * axis[axis.abs().argmax()].sign())


def _best(lengths: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return image and place of the longest capsules, one of an image."""
    longest, places = lengths.max(dim=1)
    images = longest.argsort(descending=True, stable=True)[:count]
    return images, places[images]


def support_of_classes(read: Readings, classes: int) -> Tensor:
    """Return the mean contribution of each type on each class: (types, classes).

    A class without images has zeros.
    """
    is_own = functional.one_hot(read.labels, classes).float()
    return (read.support.T @ is_own) / is_own.sum(dim=0).clamp(min=1)
