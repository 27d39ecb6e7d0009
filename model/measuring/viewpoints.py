"""Errors on toys by the side from which they are seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.evaluation import evaluate

DIGITS = 5  # decimals on the card
DRAWS = 10_000  # of the bootstrap


def viewpoint_figures(
    network: Network, test: LabelledImages, views: NDArray[np.int64]
) -> dict[str, Any]:
    """Count a network's mistakes by side, and by toy.

    Args:
        network: names categories of toys.
        test: the test images.
        views: (images, 4), as `model.data.toys.read_views` returns them.

    Returns:
        For the card: `viewpoints`, with `azimuths` and `elevations` in degrees;
        `errors`, a row for each elevation; `views` of each toy, and `wrong`, how many
        of them are misread, toy by toy; `interval`, where new toys' error may lie.
    """
    read = evaluate(network, test, torch.device("cpu"))
    is_wrong = (read.predictions != read.labels).numpy()
    toys, azimuths, elevations, _ = views.T
    columns, rows = np.unique(azimuths), np.unique(elevations)
    errors = [
        [
            round(float(is_wrong[(azimuths == column) & (elevations == row)].mean()), 5)
            for column in columns
        ]
        for row in rows
    ]
    count = len(toys) // len(np.unique(toys))
    wrong = np.bincount(toys, weights=is_wrong).astype(int).tolist()
    figures = {
        "azimuths": columns.tolist(),
        "elevations": rows.tolist(),
        "errors": errors,
        "views": count,
        "wrong": wrong,
        "interval": interval_over_toys(wrong, count),
    }
    return {"viewpoints": figures}


def interval_over_toys(wrong: Sequence[int], views: int) -> list[float]:
    """Return the 95 % bootstrap interval of an error, with toys as the units of chance.

    Views of one toy are misread together, so an interval over images would be too
    narrow. Toys are drawn anew, with replacement (Efron 1979); the draws of equally
    many toys are the same at every call.

    Args:
        wrong: how many views of each toy are misread.
        views: of each toy.
    """
    shares = np.asarray(wrong) / views
    draws = np.random.default_rng(0).integers(0, len(shares), (DRAWS, len(shares)))
    ends = np.percentile(shares[draws].mean(axis=1), (2.5, 97.5))
    return [round(float(end), DIGITS) for end in ends]
