"""The content of figures, as tensors: a network's worst digits and its sweeps."""

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.evaluation import Evaluation

STEPS = 11  # values of each component in a sweep
PAPER_REACH = 0.25  # the paper varies a component by this much either way (section 5.1)


def most_wrong(evaluation: Evaluation, count: int) -> Tensor:
    """Return up to `count` indices of misread images, the most confident first.

    Confidence is the score of the predicted class minus that of the right one.
    """
    mistakes = evaluation.mistakes
    scores = evaluation.scores[mistakes]
    read = scores.gather(1, evaluation.predictions[mistakes, None])
    right = scores.gather(1, evaluation.labels[mistakes, None])
    return mistakes[(read - right)[:, 0].argsort(descending=True, stable=True)][:count]


def most_unsure(evaluation: Evaluation, count: int) -> Tensor:
    """Return the indices of the images whose two highest scores are closest."""
    if evaluation.scores.shape[1] < 2:
        return torch.zeros(0, dtype=torch.int64)
    first, second = evaluation.scores.topk(2, dim=1).values.unbind(1)
    return (first - second).argsort(stable=True)[:count]


def typical(evaluation: Evaluation) -> dict[int, int]:
    """Return for each class the index of the image with the median score.

    Considers images of the class that were read right; skips a class without any.
    """
    found = {}
    for label in range(evaluation.scores.shape[1]):
        is_own = (evaluation.labels == label) & (evaluation.predictions == label)
        own = is_own.nonzero()[:, 0]
        if len(own):
            scores = evaluation.scores[own, label]
            nearest = (scores - scores.median()).abs().argmin()
            found[label] = int(own[nearest])
    return found


@torch.no_grad()
def reconstructions(network: Network, images: Tensor, keep: Tensor) -> Tensor:
    """Reconstruct each image from its capsule of one class.

    Args:
        network: on the CPU.
        images: (count, channels, rows, columns) uint8.
        keep: (count,) int64, the class to decode for each image.

    Returns:
        (count, channels, rows, columns) in [0, 1].
    """
    drawn = network(to_network(images), keep=keep).reconstruction
    if drawn is None:
        raise ValueError("reconstructions need a network with a decoder")
    return drawn


def measured_bounds(ranges: Tensor, capsule: Tensor) -> Tensor:
    """Return each component's range, widened to contain this capsule's value.

    Args:
        ranges: (digit_dim, 2), low and high on images of the class.
        capsule: (digit_dim,).

    Returns:
        (digit_dim, 2).
    """
    low, high = ranges.unbind(1)
    return torch.stack([low.minimum(capsule), high.maximum(capsule)], dim=1)


def papers_bounds(capsule: Tensor) -> Tensor:
    """Return the paper's range: 0.25 to either side of the capsule's components."""
    return torch.stack([capsule - PAPER_REACH, capsule + PAPER_REACH], dim=1)


@torch.no_grad()
def sheet(network: Network, label: int, capsule: Tensor, bounds: Tensor) -> Tensor:
    """Decode a capsule with each component varied from its low to its high bound.

    Args:
        network: on the CPU.
        label: the capsule's class.
        capsule: (digit_dim,).
        bounds: (digit_dim, 2).

    Returns:
        (digit_dim, STEPS, channels, rows, columns) in [0, 1].
    """
    dim = len(capsule)
    shares = torch.linspace(0, 1, STEPS)
    values = torch.lerp(bounds[:, :1], bounds[:, 1:], shares)  # (digit_dim, STEPS)
    poses = capsule.expand(dim, STEPS, dim).clone()
    numbers = torch.arange(dim)
    poses[numbers, :, numbers] = values
    return network.decode(label, poses.flatten(0, 1)).unflatten(0, (dim, STEPS))


@torch.no_grad()
def capsule_of(
    network: Network, labelled: LabelledImages, index: int, label: int
) -> Tensor:
    """Return one image's capsule of a class: (digit_dim,)."""
    trace = network(to_network(labelled.images[index : index + 1]))
    if trace.poses is None:
        raise ValueError("sheets need a network whose classes have poses")
    return trace.poses[0, label]
