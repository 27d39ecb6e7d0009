"""Whether routing matters: the errors with and without it, for the card."""

from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.presence import multi_hot, outrank
from capsnet_explorer.model.weights import Trained

BATCH = 100
ITERATIONS = (1, 2, 3, 4, 5)


@torch.inference_mode()
def iteration_figures(trained: Trained, labelled: LabelledImages) -> dict[str, Any]:
    """Return how often a network errs with more and less routing.

    With one iteration of dynamic routing every coupling is even, so the capsule of a
    class is the plain mean of its votes. Routing without iterations is compared with
    couplings that ignore agreement.

    Returns:
        `errors_by_iterations`, the share of images misread by the number of iterations,
        or `error_without_agreement`, the share misread with even couplings;
        `saved_by_routing` and `spoiled_by_routing`: how many images are read right with
        routing as trained alone, and without it alone. An image of several classes is
        read right if these have the highest scores.
    """
    details = trained.architecture.details(trained.network.config)
    usual = details["routing_iterations"] or 1

    def error(right: Tensor) -> float:
        return (len(right) - int(right.sum())) / len(right)

    if details["max_routing_iterations"] == 1:
        routed = _right(trained, labelled)
        plain = _right(trained, labelled, routing="uniform")
        errors: dict[str, Any] = {"error_without_agreement": error(plain)}
    else:
        right = {
            number: _right(trained, labelled, iterations=number)
            for number in sorted({*ITERATIONS, usual})
        }
        routed, plain = right[usual], right[1]
        errors = {
            "errors_by_iterations": {
                str(number): error(right[number]) for number in ITERATIONS
            }
        }
    return {
        **errors,
        "saved_by_routing": int((routed & ~plain).sum()),
        "spoiled_by_routing": int((plain & ~routed).sum()),
    }


def _right(trained: Trained, labelled: LabelledImages, **choices: Any) -> Tensor:
    """Return which images are read right: (images,) bool."""
    options = trained.architecture.options(trained.network.config, choices)
    serving = trained.architecture.serving(trained.network)
    pairs = zip(labelled.images.split(BATCH), labelled.labels.split(BATCH), strict=True)
    flags = []
    for images, labels in pairs:
        trace = serving.run(to_network(images), [options] * len(images))
        present = multi_hot(labels, trace.scores.shape[1])
        flags.append(outrank(trace.scores, present))
    return torch.cat(flags)
