"""What speaks against a network's own answer, in words."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from capsnet_explorer.model.architecture import Scores
from capsnet_explorer.model.measuring.outliers.measures import (
    OF_RECONSTRUCTION,
    OF_SCORES,
)
from capsnet_explorer.model.presence import Presence

UNSURE = 0.5  # a class that scores less is no clear answer


def doubts_about(
    image: Tensor,
    scores: Tensor,
    reconstruction: Tensor | None,
    *,
    score_name: Scores,
    rule: Presence,
    outliers: Mapping[str, Any] | None,
) -> list[str]:
    """Return why a network's answer about one image may be wrong.

    Args:
        image: (1, channels, rows, columns) in [0, 1].
        scores: (1, classes).
        reconstruction: of the image's shape; None without a decoder.
        score_name: what the score of a class is.
        rule: which classes the network names.
        outliers: the card's figures of unusual answers; None if there are none, or if
            the network did not run as it was measured.
    """
    doubts = _undecided(scores, score_name, rule)
    if outliers is not None:
        decoded = image if reconstruction is None else reconstruction
        doubts += _unlike(image, scores, decoded, outliers, score_name)
    return doubts


def _undecided(scores: Tensor, score_name: Scores, rule: Presence) -> list[str]:
    highest = float(scores.max())
    if highest >= (UNSURE if rule.threshold is None else rule.threshold):
        return []
    what = "is undecided" if score_name == "probability" else "sees none of its classes"
    return [f"The highest {score_name} is {highest:.2f}: the network {what}."]


def _unlike(
    image: Tensor,
    scores: Tensor,
    decoded: Tensor,
    known: Mapping[str, Any],
    score_name: Scores,
) -> list[str]:
    """Return a doubt if the answer is more unusual than for nearly all test images.

    The page has the same doubt: `static/js/bench/verdict.js`.
    """
    name = known["measure"]
    measure = (OF_RECONSTRUCTION | OF_SCORES)[name]
    found = float(measure(image, decoded, scores))
    if found <= known["threshold"]:
        return []
    what = {
        "gap": "The lead over the runner-up is smaller",
        "score": f"The highest {score_name} is lower",
    }.get(name, "The reconstruction is less like the image")
    count = sum(value >= found for value in known["beyond"])
    return [
        f"Is this a digit at all? {what} than for all but {count} of "
        f"{known['test_images']} test images."
    ]
