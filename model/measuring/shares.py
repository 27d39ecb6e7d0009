"""Shares of images, and the interval that each may lie in by chance."""

import math
from typing import Any

import torch
from torch import Tensor

Z = 1.959964  # of a normal distribution: 95 % lie within so many deviations
DIGITS = 6  # of a share on the card


def wilson_interval(share: float, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's score (Wilson 1927).

    Args:
        share: of hits, in [0, 1].
        trials: at least 1.
    """
    shrink = 1 + Z**2 / trials
    middle = (share + Z**2 / (2 * trials)) / shrink
    spread = math.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    reach = Z * spread / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)


def count_wrong(is_wrong: Tensor) -> dict[str, Any]:
    """Return how many images are wrong, and their share, for the card.

    Args:
        is_wrong: (images,) bool, at least one.
    """
    images, wrong = len(is_wrong), int(is_wrong.sum())
    interval = wilson_interval(wrong / images, images)
    return {
        "images": images,
        "wrong": wrong,
        "error": wrong / images,
        "interval": [round(end, DIGITS) for end in interval],
    }


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
