"""Measures of how unlike its training digits a network finds a picture.

The page computes the same: `static/js/lib/statistics.js`.
"""

from collections.abc import Callable

import torch
from torch import Tensor

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


def roc_area(digits: Tensor, others: Tensor) -> float:
    """Return the chance that a random other picture measures more than a random digit.

    This is the area under the ROC curve (Hanley & McNeil 1982); ties count half.

    Args:
        digits: (count,), at least one.
        others: (count,), at least one.
    """
    ordered = digits.sort().values
    below = (
        _count_below(ordered, others, right=False)
        + _count_below(ordered, others, right=True)
    ) / 2
    return float(below.mean()) / len(digits)


def _count_below(ordered: Tensor, values: Tensor, *, right: bool) -> Tensor:
    return torch.searchsorted(ordered, values.contiguous(), right=right).double()
