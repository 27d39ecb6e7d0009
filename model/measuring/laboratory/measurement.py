"""Measuring an experiment: accuracy and scores at each value of its knob."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import (
    EXPERIMENTS,
    SEED,
    Experiment,
    Subject,
)
from capsnet_explorer.model.measuring.shares import roc_area

PASSING = 0.95  # of the clean digits reach the score that others are held against


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one value of a knob.

    Attributes:
        value: of the knob.
        accuracy: share of images whose true class has the highest score.
        true_score: mean score of the true class.
        winner_score: mean of the highest score.
        passing: share of images whose highest score reaches what `PASSING` of the
            clean images reach; None for an experiment without a clean value.
        roc_area: area under the ROC curve of clean against changed images by their
            highest score; None for an experiment without a clean value.
    """

    value: float
    accuracy: float
    true_score: float
    winner_score: float
    passing: float | None = None
    roc_area: float | None = None


COLUMNS = ("accuracy", "true_score", "winner_score")
AGAINST_CLEAN = ("passing", "roc_area")


def chosen(labelled: LabelledImages, count: int) -> LabelledImages:
    """Return `count` images, the same for every network: an even choice by a seed.

    All of them, in their order, if there are no more.
    """
    if count >= len(labelled):
        return labelled
    generator = np.random.default_rng(SEED)
    indices = np.sort(generator.choice(len(labelled), count, replace=False))
    which = torch.from_numpy(indices)
    return LabelledImages(labelled.images[which], labelled.labels[which])


def measured(
    name: str,
    subject: Subject,
    labelled: LabelledImages,
    entry: dict[str, Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """Measure one experiment, yielding its entry for the card after each value.

    Args:
        name: one of `EXPERIMENTS`.
        subject: the network.
        labelled: at least one image.
        entry: of an earlier measurement. Its values are kept, if it is of as many
            images and of the same settings.
    """
    experiment = EXPERIMENTS[name]
    settings = {
        "knob": experiment.knob,
        "images": len(labelled),
        "seed": SEED,
        **experiment.details,
    }
    if experiment.clean is not None:
        settings["passing_share"] = PASSING
    known = _known(entry, settings)
    clean = None
    for value in experiment.values:
        if value in known:
            continue
        scores = _scores(experiment, subject, labelled, value)
        if experiment.clean is not None and clean is None:
            of_clean = (
                scores
                if value == experiment.clean
                else _scores(experiment, subject, labelled, experiment.clean)
            )
            clean = of_clean.amax(dim=1)
        known[value] = _point(value, scores, labelled.labels.cpu(), clean)
        points = [known[each] for each in experiment.values if each in known]
        yield _entry(settings, points, clean)


def passing_score(winners: Tensor) -> float:
    """Return the largest score that `PASSING` of the images reach, or a few more.

    Args:
        winners: (count,) highest scores of clean images, at least one.
    """
    below = int((1 - PASSING) * len(winners) + 1e-9)
    return float(winners.sort().values[below])


def _known(
    entry: dict[str, Any] | None, settings: dict[str, Any]
) -> dict[float, Point]:
    if entry is None or any(entry.get(key) != value for key, value in settings.items()):
        return {}
    columns = ["values", *_columns("passing_share" in settings)]
    rows = zip(*(entry[column] for column in columns), strict=True)
    return {row[0]: Point(*row) for row in rows}


def _columns(has_clean: bool) -> tuple[str, ...]:
    return (*COLUMNS, *AGAINST_CLEAN) if has_clean else COLUMNS


def _entry(
    settings: dict[str, Any], points: list[Point], clean: Tensor | None
) -> dict[str, Any]:
    entry = {
        **settings,
        "date": date.today().isoformat(),
        "values": [point.value for point in points],
    }
    for column in _columns(clean is not None):
        entry[column] = [round(getattr(point, column), 6) for point in points]
    if clean is not None:
        entry["passing_score"] = passing_score(clean)
    return entry


def _scores(
    experiment: Experiment, subject: Subject, labelled: LabelledImages, value: float
) -> Tensor:
    """Return the scores of all images at one value of the knob: (count, classes)."""
    what, scores = f"{experiment.knob} {value:g}", []
    with tqdm(total=len(labelled), desc=what, leave=False, disable=None) as bar:
        for batch in batches(labelled, subject.device):
            scores.append(subject.scores(experiment.change(subject, batch, value)))
            bar.update(len(batch.labels))
    return torch.cat(scores)


def _point(value: float, scores: Tensor, labels: Tensor, clean: Tensor | None) -> Point:
    winners = scores.amax(dim=1)
    point = Point(
        value,
        float((scores.argmax(dim=1) == labels).double().mean()),
        float(scores.gather(1, labels[:, None]).double().mean()),
        float(winners.double().mean()),
    )
    if clean is None:
        return point
    return replace(
        point,
        passing=float((winners >= passing_score(clean)).double().mean()),
        roc_area=roc_area(winners, clean),
    )
