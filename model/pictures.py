"""What pictures of a trained network show, as tensors: its worst digits, its sweeps."""

import torch
from torch import Tensor

from model.capsnet import CapsNet
from model.data import DigitImages, to_network
from model.evaluation import Evaluation

STEPS = 11  # values that each number of a capsule takes in a sheet
PAPER_REACH = 0.25  # by which the paper moves a number either way (section 5.1)


def most_wrong(evaluation: Evaluation, count: int) -> Tensor:
    """Return up to `count` indices of images read wrong, the surest mistake first.

    Surest: the length of the class read is most above that of the right one.
    """
    mistakes = evaluation.mistakes
    lengths = evaluation.lengths[mistakes]
    read = lengths.gather(1, evaluation.predictions[mistakes, None])
    right = lengths.gather(1, evaluation.labels[mistakes, None])
    return mistakes[(read - right)[:, 0].argsort(descending=True, stable=True)][:count]


def most_unsure(evaluation: Evaluation, count: int) -> Tensor:
    """Return the indices of images whose two longest capsules are nearest in length."""
    if evaluation.lengths.shape[1] < 2:
        return torch.zeros(0, dtype=torch.int64)
    first, second = evaluation.lengths.topk(2, dim=1).values.unbind(1)
    return (first - second).argsort(stable=True)[:count]


def typical(evaluation: Evaluation) -> dict[int, int]:
    """Return for each class the image whose capsule has the median length.

    Of images of the class that were read right; a class without any is left out.
    """
    found = {}
    for digit in range(evaluation.lengths.shape[1]):
        is_own = (evaluation.labels == digit) & (evaluation.predictions == digit)
        own = is_own.nonzero()[:, 0]
        if len(own):
            lengths = evaluation.lengths[own, digit]
            nearest = (lengths - lengths.median()).abs().argmin()
            found[digit] = int(own[nearest])
    return found


@torch.no_grad()
def reconstructions(network: CapsNet, images: Tensor, keep: Tensor) -> Tensor:
    """Draw each image from its capsule of a class.

    Args:
        network: on the CPU.
        images: (count, rows, columns) uint8.
        keep: (count,) int64, the classes.

    Returns:
        (count, rows, columns) in [0, 1].
    """
    return network(to_network(images), keep=keep).reconstruction


def measured_bounds(ranges: Tensor, capsule: Tensor) -> Tensor:
    """Return the range of each number, widened to hold this capsule's own.

    Args:
        ranges: (digit_dim, 2), low and high on images of the class.
        capsule: (digit_dim,).

    Returns:
        (digit_dim, 2).
    """
    low, high = ranges.unbind(1)
    return torch.stack([low.minimum(capsule), high.maximum(capsule)], dim=1)


def papers_bounds(capsule: Tensor) -> Tensor:
    """Return what the paper sweeps: 0.25 to either side of the capsule's numbers."""
    return torch.stack([capsule - PAPER_REACH, capsule + PAPER_REACH], dim=1)


@torch.no_grad()
def sheet(network: CapsNet, digit: int, capsule: Tensor, bounds: Tensor) -> Tensor:
    """Draw a capsule with each of its numbers moved from its low to its high bound.

    Args:
        network: on the CPU.
        digit: the capsule's class.
        capsule: (digit_dim,).
        bounds: (digit_dim, 2).

    Returns:
        (digit_dim, STEPS, rows, columns) in [0, 1].
    """
    dim = len(capsule)
    shares = torch.linspace(0, 1, STEPS)
    values = torch.lerp(bounds[:, :1], bounds[:, 1:], shares)  # (digit_dim, STEPS)
    poses = capsule.expand(dim, STEPS, dim).clone()
    numbers = torch.arange(dim)
    poses[numbers, :, numbers] = values
    capsules = torch.zeros(dim * STEPS, network.config.classes, dim)
    capsules[:, digit] = poses.flatten(0, 1)
    keep = torch.full((dim * STEPS,), digit)
    return network.decoder(capsules, keep).unflatten(0, (dim, STEPS))


@torch.no_grad()
def capsule_of(network: CapsNet, digits: DigitImages, index: int, digit: int) -> Tensor:
    """Return one image's capsule of a class: (digit_dim,)."""
    trace = network(to_network(digits.images[index : index + 1]))
    return trace.capsules[0, digit]
