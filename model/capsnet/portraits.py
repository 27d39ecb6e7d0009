"""Portraits of the types of primary capsules: what each looks for in the input."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from model.capsnet.config import CapsNetConfig
from model.capsnet.network import CapsNet
from model.data.images import LabelledImages, to_network
from model.maps import picture_shape

IMAGES = 200  # of each class, the first ones
BATCH = 25  # images of a pass; their votes are held in memory
LONGEST = 1000  # capsules of a type, over all images and places
ENDS = 200  # of them, at either end of the direction in which they differ most
BEST = 6  # capsules of a type, at most one of an image


@dataclass(frozen=True, slots=True)
class Readings:
    """How a network reads the images that portraits are made from.

    Attributes:
        capsules: (images, types, places, dim), primary capsules.
        patches: (images, places, pixels), what a capsule sees at each place, channel by
            channel.
        decoded: same shape, of the picture decoded from the label's capsule.
        support: (images, types), what each type contributes to the length of the
            label's capsule before squash; these sum to that length.
        indices: (images,), in the data set.
        labels: (images,).
    """

    capsules: Tensor
    patches: Tensor
    decoded: Tensor
    support: Tensor
    indices: Tensor
    labels: Tensor


def portraits(network: CapsNet, labelled: LabelledImages) -> dict[str, Tensor]:
    """Return what each type of primary capsules looks for.

    Args:
        network: on the CPU.
        labelled: the test images; the first 200 of each class are read.

    Returns:
        `types.mean` (types, side, side): the mean of the patches under a type's 1000
        longest capsules, weighted by how far each capsule points in their mean
        direction. `types.ends` (types, 2, side, side): the means of the 200 patches
        whose capsules lie farthest at either end of the direction in which these 1000
        differ most. `types.patch` (side, side): the mean of all patches.
        `types.lengths` (types, 2): the mean length of all capsules, and of these 1000.
        `types.best` (types, 6, 3): index in the test set, row and column of the longest
        capsule of the images in which it is longest. `types.decoded`
        (types, 6, side, side): the same patches of the pictures decoded from these
        images' capsules. Patches of several channels have an axis for them before
        `side`. `types.support` (types, classes): mean contribution to the
        length of a class's capsule on images of the class; negative against it.
    """
    read = readings(network, labelled)
    shape = _patch_shape(network.config)
    found = [
        _portrait(read, type, network.config)
        for type in range(network.config.primary_types)
    ]
    return {
        f"types.{name}": torch.stack([each[name] for each in found])
        for name in found[0]
    } | {
        "types.patch": read.patches.mean(dim=(0, 1)).unflatten(0, shape).half(),
        "types.support": support_of_classes(read, network.config.classes),
    }


def patch_side(config: CapsNetConfig) -> int:
    """Return the side of what a primary capsule sees, in px: 17 in the paper."""
    return 2 * config.kernel_size - 1


def _patch_shape(config: CapsNetConfig) -> tuple[int, ...]:
    side = patch_side(config)
    return picture_shape((config.image_channels, side, side))


@torch.no_grad()
def readings(network: CapsNet, labelled: LabelledImages) -> Readings:
    """Run the first images of each class through a network."""
    indices = torch.cat(
        [
            (labelled.labels == label).nonzero()[:IMAGES, 0]
            for label in range(network.config.classes)
        ]
    )
    parts = list(_read(network, labelled, indices))
    labels = labelled.labels[indices]
    tensors = [torch.cat(each) for each in zip(*parts, strict=True)]
    return Readings(*tensors, indices=indices, labels=labels)


def _read(
    network: CapsNet, labelled: LabelledImages, indices: Tensor
) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    for places in indices.split(BATCH):
        labels = labelled.labels[places]
        images = to_network(labelled.images[places])
        trace = network(images, keep=labels)
        last = trace.steps[-1]
        own = labels[:, None, None].expand(-1, last.couplings.shape[1], 1)
        length = trace.lengths.gather(1, labels[:, None]).clamp(min=1e-9)
        shares = (last.couplings * last.agreement).gather(2, own)[..., 0] / length
        yield (
            trace.primary_capsules.flatten(2, 3),
            windows(images, network.config),
            windows(trace.reconstruction, network.config),
            shares.unflatten(1, (network.config.primary_types, -1)).sum(dim=2),
        )


def windows(images: Tensor, config: CapsNetConfig) -> Tensor:
    """Return what capsules see: (batch, places, pixels), places row by row."""
    side, stride = patch_side(config), config.primary_stride
    cut = images.unfold(2, side, stride).unfold(3, side, stride)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


def _portrait(read: Readings, type: int, config: CapsNetConfig) -> dict[str, Tensor]:
    capsules = read.capsules[:, type]  # (images, places, dim)
    lengths = torch.linalg.vector_norm(capsules, dim=2)
    order = lengths.flatten().argsort(descending=True, stable=True)[:LONGEST]
    own, patches = capsules.flatten(0, 1)[order], read.patches.flatten(0, 1)[order]
    main = torch.nn.functional.normalize(own.mean(dim=0), dim=0)
    weights = (own @ main).clamp(min=0)
    mean = (weights @ patches) / weights.sum().clamp(min=1e-9)
    along = _differing(own)
    count = min(ENDS, len(order) // 2)
    ends = [patches[along.argsort(stable=True)[part]] for part in _two_ends(count)]
    best = _best(lengths)
    shape = _patch_shape(config)
    _, _, columns = config.primary_grid
    return {
        "mean": mean.unflatten(0, shape).half(),
        "ends": torch.stack([each.mean(dim=0) for each in ends])
        .unflatten(1, shape)
        .half(),
        "lengths": torch.stack([lengths.mean(), lengths.flatten()[order].mean()]),
        "best": torch.stack(
            [read.indices[best[0]], best[1] // columns, best[1] % columns], dim=1
        ).float(),
        "decoded": read.decoded[best].unflatten(1, shape).half(),
    }


def _two_ends(count: int) -> tuple[slice, slice]:
    return slice(None, count), slice(-count, None)


def _differing(capsules: Tensor) -> Tensor:
    """Return where each capsule's direction lies along their greatest difference.

    The sign makes the largest component of that difference positive.
    """
    directions = torch.nn.functional.normalize(capsules, dim=1)
    apart = (directions - directions.mean(dim=0)).double()
    axis = torch.linalg.eigh(apart.T @ apart).eigenvectors[:, -1]
    return apart @ (axis * axis[axis.abs().argmax()].sign())


def _best(lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Return image and place of the longest capsules, one of an image."""
    longest, places = lengths.max(dim=1)
    images = longest.argsort(descending=True, stable=True)[:BEST]
    return images, places[images]


def support_of_classes(read: Readings, classes: int) -> Tensor:
    """Return the mean contribution of each type on each class: (types, classes).

    A class without images has zeros.
    """
    is_own = torch.nn.functional.one_hot(read.labels, classes).float()
    return (read.support.T @ is_own) / is_own.sum(dim=0).clamp(min=1)
