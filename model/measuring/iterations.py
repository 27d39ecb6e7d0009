"""Whether routing matters: the errors by the number of its iterations, for the card."""

from typing import Any

import torch
from torch import Tensor

from model.architecture import Network
from model.data.images import LabelledImages, to_network

BATCH = 100
ITERATIONS = (1, 2, 3, 4, 5)


@torch.inference_mode()
def iteration_figures(
    network: Network, labelled: LabelledImages, trained: int
) -> dict[str, Any]:
    """Return how often a network errs with more and fewer iterations of routing.

    With one iteration of dynamic routing every coupling is even, so the capsule of a
    class is the plain mean of its votes.

    Args:
        network: one that routes, in evaluation mode, on the CPU.
        labelled: the images to measure on.
        trained: the number of iterations that the network was trained with.

    Returns:
        `errors_by_iterations`: the share of images misread, by the number of
        iterations; `saved_by_routing` and `spoiled_by_routing`: how many images are
        read right with the trained number alone, and with one iteration alone.
        Nothing where images show several classes.
    """
    if labelled.labels.ndim > 1:
        return {}
    right = {
        number: _right(network, labelled, number)
        for number in sorted({*ITERATIONS, trained})
    }
    count = len(labelled)
    return {
        "errors_by_iterations": {
            str(number): (count - int(right[number].sum())) / count
            for number in ITERATIONS
        },
        "saved_by_routing": int((right[trained] & ~right[1]).sum()),
        "spoiled_by_routing": int((right[1] & ~right[trained]).sum()),
    }


def _right(network: Network, labelled: LabelledImages, iterations: int) -> Tensor:
    """Return which images are read right: (images,) bool."""
    pairs = zip(labelled.images.split(BATCH), labelled.labels.split(BATCH), strict=True)
    found = [
        network(to_network(images), iterations=iterations).scores.argmax(dim=1)
        == labels
        for images, labels in pairs
    ]
    return torch.cat(found)
