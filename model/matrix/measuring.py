"""Measurements of EM routing for a network's card."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.matrix.network import MatrixNetwork, Trace

BATCH = 100
ROUTED = 1000  # images, for what routing does


@torch.inference_mode()
def routing_figures(network: MatrixNetwork, labelled: LabelledImages) -> dict[str, Any]:
    """Return the card's figures on what routing does.

    Args:
        network: in evaluation mode, on the CPU.
        labelled: the images to measure on.

    Returns:
        `images`, how many of the first were taken; means over them after each
        iteration, as `of_batch` names them.
    """
    count = min(ROUTED, len(labelled))
    sums: dict[str, Tensor] = {}
    for images, labels in _batches(labelled, count):
        for name, values in of_batch(network(images), labels).items():
            total = values.sum(dim=1)
            sums[name] = sums[name] + total if name in sums else total
    figures = {
        name: [round(value, 4) for value in (total / count).tolist()]
        for name, total in sums.items()
    }
    return {"images": count, **figures}


def of_batch(trace: Trace, labels: Tensor) -> dict[str, Tensor]:
    """Return what routing to the classes did to each image: (iterations, batch).

    Args:
        trace: of a forward pass.
        labels: (batch,) int64.

    Returns:
        `entropy`: mean entropy of the assignments, as a share of the largest possible;
        `true_class_activation`; `true_class_votes`, the share of all votes assigned to
        the true class; `true_class_distance` and `other_distance`, mean distances of
        the votes for the true class, and for the others, to their means, each vote
        weighted by the activation of its capsule; `right`, whether the true class is
        the most active.
    """
    routed = trace.class_capsules
    votes = routed.votes[:, 0]
    presence = trace.caps2.capsules.activations.flatten(1)[:, None]
    rows = torch.arange(len(labels))
    found: dict[str, list[Tensor]] = {}
    for step in routed.steps:
        shares = step.assignments[:, 0]
        classes = shares.shape[1]
        entropy = -torch.xlogy(shares, shares).sum(dim=1)
        away = (votes - step.means[:, 0, :, None]).norm(dim=3)
        away = (away * presence).sum(dim=2) / presence.sum(dim=2)
        own = away[rows, labels]
        activations = step.activations[:, 0]
        given = shares.sum(dim=2) / shares.shape[2]
        figures = {
            "entropy": entropy.mean(dim=1) / torch.tensor(classes).log(),
            "true_class_activation": activations[rows, labels],
            "true_class_votes": given[rows, labels],
            "true_class_distance": own,
            "other_distance": (away.sum(dim=1) - own) / (classes - 1),
            "right": (activations.argmax(dim=1) == labels).float(),
        }
        for name, values in figures.items():
            found.setdefault(name, []).append(values)
    return {name: torch.stack(values) for name, values in found.items()}


def _batches(labelled: LabelledImages, count: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the first images as the network reads them, with their labels."""
    pairs = zip(
        labelled.images[:count].split(BATCH),
        labelled.labels[:count].split(BATCH),
        strict=True,
    )
    for images, labels in pairs:
        yield to_network(images), labels
