"""What speaks against a network's own answer, in words."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from capsnet_explorer.model.answer import Said, write_score
from capsnet_explorer.model.architecture import Scores

LEAST_INK = 1.0  # squared ink; keeps an empty picture's ratios finite

Measure = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Of pixels, reconstructions, both (count, channels, rows, columns), and scores
(count, classes): (count,), larger is less like a digit."""


def error(pixels: Tensor, reconstructions: Tensor, _scores: Tensor) -> Tensor:
    """Return the mean squared difference of pixel and reconstruction."""
    return (pixels - reconstructions).square().mean(dim=(1, 2, 3))


def relative(pixels: Tensor, reconstructions: Tensor, _scores: Tensor) -> Tensor:
    """Return the sum of squared differences, as a share of the squared ink."""
    squared = (pixels - reconstructions).square().sum(dim=(1, 2, 3))
    return squared / pixels.square().sum(dim=(1, 2, 3)).clamp(min=LEAST_INK)


def angle(pixels: Tensor, reconstructions: Tensor, _scores: Tensor) -> Tensor:
    """Return one minus the cosine between picture and reconstruction."""
    product = (pixels * reconstructions).sum(dim=(1, 2, 3))
    norms = (
        pixels.square().sum(dim=(1, 2, 3)) * reconstructions.square().sum(dim=(1, 2, 3))
    ).sqrt()
    return 1 - product / norms.clamp(min=LEAST_INK)


def score(_pixels: Tensor, _reconstructions: Tensor, scores: Tensor) -> Tensor:
    """Return one minus the highest score."""
    return 1 - scores.amax(dim=1)


def gap(_pixels: Tensor, _reconstructions: Tensor, scores: Tensor) -> Tensor:
    """Return one minus the highest score's lead over the second."""
    first, second = scores.topk(2, dim=1).values.unbind(1)
    return 1 - (first - second)


OF_RECONSTRUCTION: dict[str, Measure] = {
    "error": error,
    "relative": relative,
    "angle": angle,
}
OF_SCORES: dict[str, Measure] = {"score": score, "gap": gap}


def doubts_about(
    image: Tensor,
    scores: Tensor,
    reconstruction: Tensor | None,
    *,
    score_name: Scores,
    said: Said,
    outliers: Mapping[str, Any] | None,
) -> list[str]:
    """Return why a network's answer about one image may be wrong.

    Args:
        image: (1, channels, rows, columns) in [0, 1].
        scores: (1, classes).
        reconstruction: of the image's shape; None without a decoder.
        score_name: what the score of a class is.
        said: what the network says.
        outliers: the card's figures of unusual answers; None if there are none, or if
            the network did not run as it was measured.
    """
    doubts = []
    if said.state in ("undecided", "none"):
        is_undecided = said.state == "undecided"
        what = "is undecided" if is_undecided else "sees none of its classes"
        highest = write_score(float(scores.max()), 2)
        doubts.append(f"The highest {score_name} is {highest}: the network {what}.")
    if outliers is not None:
        decoded = image if reconstruction is None else reconstruction
        doubts += _unlike(image, scores, decoded, outliers, score_name)
    return doubts


def _unlike(
    image: Tensor,
    scores: Tensor,
    decoded: Tensor,
    known: Mapping[str, Any],
    score_name: Scores,
) -> list[str]:
    """Return a doubt if the answer is more unusual than for nearly all test images.

    The page has the same doubt: `static/js/bench/verdict.js`, and the same measures:
    `static/js/lib/statistics.js`.
    """
    name = known["measure"]
    measure = (OF_RECONSTRUCTION | OF_SCORES)[name]
    measurement = float(measure(image, decoded, scores))
    if measurement <= known["threshold"]:
        return []
    what = {
        "gap": "The lead over the runner-up is smaller",
        "score": f"The highest {score_name} is lower",
    }.get(name, "The reconstruction is less like the image")
    count = sum(value >= measurement for value in known["beyond"])
    return [
        f"Is this a digit at all? {what} than for all but {count} of "
        f"{known['test_images']} test images."
    ]
