"""Errors on toys by the side from which they are seen, and on sides never shown.

Hinton, Sabour & Frosst 2018, section 5.1: networks that learn from some viewpoints are
compared on the others, at equal errors on those that they know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.weights import load_weights

EVERY = 6  # of a run's snapshots, one in so many makes its curve
CURVE_SHARE = 3  # of the test images, one in so many measures it
DIGITS = 5  # decimals on the card
DRAWS = 10_000  # of the bootstrap


@dataclass(frozen=True, slots=True)
class Moments:
    """A network along its training.

    Attributes:
        weights: the weight file that the run ended with.
        snapshots: weight files by step.
    """

    weights: Path
    snapshots: Mapping[int, Path]


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
    is_wrong = _misread(network, test)
    toys, azimuths, elevations, _ = views.T
    columns, rows = np.unique(azimuths), np.unique(elevations)
    errors = [
        [
            round(float(is_wrong[(azimuths == column) & (elevations == row)].mean()), 5)
            for column in columns
        ]
        for row in rows
    ]
    each, wrong = len(toys) // len(np.unique(toys)), _by_toy(is_wrong, toys)
    found = {
        "azimuths": columns.tolist(),
        "elevations": rows.tolist(),
        "errors": errors,
        "views": each,
        "wrong": wrong,
        "interval": interval_over_toys(wrong, each),
    }
    return {"viewpoints": found}


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


def novel_figures(
    runs: Sequence[Moments],
    test: LabelledImages,
    views: NDArray[np.int64],
    shown: NDArray[np.int64],
    known: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Measure runs that were trained on some sides, on these and on all others.

    Args:
        runs: trained alike, each with a seed of its own.
        test: the test images, from all sides.
        views: (images, 4), what they show.
        shown: (images, 4), what the runs were trained on.
        known: what was found of other runs; of two with one seed, the new one counts.

    Returns:
        `azimuths` and `elevations` that training showed; the `familiar` and `novel`
        views of each toy; the mean `errors` on both; and `runs`, each with its `seed`,
        its `epochs`, its misread views toy by toy, and a `curve`: step, familiar and
        novel error of moments along the run, on a third of the images.
    """
    toys, azimuths, elevations, _ = views.T
    sides, heights = np.unique(shown[:, 1]), np.unique(shown[:, 2])
    is_familiar = np.isin(azimuths, sides) & np.isin(elevations, heights)
    count = len(np.unique(toys))
    counts = {
        "familiar": int(is_familiar.sum()) // count,
        "novel": int((~is_familiar).sum()) // count,
    }
    by_seed = {run["seed"]: run for run in known}
    for run in runs:
        of_run = _of_run(run, test, toys, is_familiar)
        by_seed[of_run["seed"]] = of_run
    found = [by_seed[seed] for seed in sorted(by_seed)]
    return {
        "azimuths": sides.tolist(),
        "elevations": heights.tolist(),
        **counts,
        "errors": {
            name: round(
                sum(sum(run[name]) for run in found) / (views * count * len(found)),
                DIGITS,
            )
            for name, views in counts.items()
        },
        "runs": found,
    }


def _of_run(
    run: Moments,
    test: LabelledImages,
    toys: NDArray[np.int64],
    is_familiar: NDArray[np.bool_],
) -> dict[str, Any]:
    order = torch.randperm(len(test), generator=torch.Generator().manual_seed(0))
    part = order[: len(test) // CURVE_SHARE].sort().values
    third = LabelledImages(test.images[part], test.labels[part])
    known = is_familiar[part.numpy()]
    curve = []
    for step in sorted(sorted(run.snapshots)[::-EVERY]):
        is_wrong = _misread(load_weights(run.snapshots[step]).network, third)
        errors = [float(is_wrong[known].mean()), float(is_wrong[~known].mean())]
        curve.append([step, *(round(error, DIGITS) for error in errors)])
    trained = load_weights(run.weights)
    is_wrong = _misread(trained.network, test)
    return {
        "seed": trained.card["training"]["seed"],
        "epochs": trained.card["epochs"],
        "familiar": _by_toy(is_wrong[is_familiar], toys[is_familiar]),
        "novel": _by_toy(is_wrong[~is_familiar], toys[~is_familiar]),
        "curve": curve,
    }


def _misread(network: Network, images: LabelledImages) -> NDArray[np.bool_]:
    found = evaluate(network, images, torch.device("cpu"))
    return (found.predictions != found.labels).numpy()


def _by_toy(is_wrong: NDArray[np.bool_], toys: NDArray[np.int64]) -> list[int]:
    """Return how many views of each toy are misread."""
    return np.bincount(toys, weights=is_wrong).astype(int).tolist()
