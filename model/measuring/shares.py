"""Shares of images, and the interval that each may lie in by chance."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

Z = 1.959964  # of a normal distribution: 95 % lie within so many deviations
DIGITS = 6  # of a share on the card
RESAMPLES = 2000  # of the bootstrap


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


def averaged(values: Tensor) -> dict[str, Any]:
    """Return a mean over images and its 95 % interval, for the card.

    Args:
        values: (images,), at least two that are numbers; NaN does not count.
    """
    known = values[~values.isnan()].double()
    mean = float(known.mean())
    half = Z * float(known.std()) / math.sqrt(len(known))
    return {
        "images": len(known),
        "mean": round(mean, DIGITS),
        "interval": [round(mean - half, DIGITS), round(mean + half, DIGITS)],
    }


def counted(is_wrong: Tensor) -> dict[str, Any]:
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


def resampled(figure: Callable[[Tensor], Tensor], images: int) -> dict[str, Any]:
    """Return a figure and its 95 % bootstrap interval over images, for the card.

    Images are drawn anew, with replacement (Efron 1979); the draws of equally many
    images are the same at every call.

    Args:
        figure: takes how often each image counts, (draws, images), and returns the
            figure of each draw, (draws,).
        images: at least one.
    """
    draws = np.random.default_rng(0).multinomial(
        images, np.full(images, 1 / images), size=RESAMPLES
    )
    found = figure(torch.from_numpy(draws).double())
    ends = np.quantile(found.numpy(), (0.025, 0.975))
    return {
        "images": images,
        "mean": round(float(figure(torch.ones(1, images).double())), DIGITS),
        "interval": [round(float(end), DIGITS) for end in ends],
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
