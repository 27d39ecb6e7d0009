"""Measuring an experiment: accuracy and scores at each value of its knob."""

from collections.abc import Iterator, Mapping
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
        alarms: share of images that raise the network's alarm; None without one.
        unseen: share of images that are misread and raise none.
    """

    value: float
    accuracy: float
    true_score: float
    winner_score: float
    passing: float | None = None
    roc_area: float | None = None
    alarms: float | None = None
    unseen: float | None = None


COLUMNS = ("accuracy", "true_score", "winner_score")
AGAINST_CLEAN = ("passing", "roc_area")
ALARMED = ("alarms", "unseen")

Answers = tuple[Tensor, Tensor | None]
"""Scores (count, classes), and whether each image raises the alarm (count,), if any."""


def choose_images(labelled: LabelledImages, count: int) -> LabelledImages:
    """Return `count` images, the same for every network: an even choice by a seed.

    All of them, in their order, if there are no more.
    """
    if count >= len(labelled):
        return labelled
    return labelled.of(chosen_indices(len(labelled), count))


def chosen_indices(total: int, count: int) -> Tensor:
    """Return the indices of `count` images out of `total`, in order: (count,) int64."""
    indices = np.random.default_rng(SEED).choice(total, count, replace=False)
    return torch.from_numpy(np.sort(indices))


def measure_experiment(
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
            images, of the same settings and of these values.
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
    if experiment.hears_alarm and subject.alarm is not None:
        settings["alarm_above"] = subject.alarm
    known = _known(entry, settings)
    clean = None
    for value in experiment.values:
        if value in known:
            continue
        answers = _answers(experiment, subject, labelled, value)
        if experiment.clean is not None and clean is None:
            of_clean, _ = (
                answers
                if value == experiment.clean
                else _answers(experiment, subject, labelled, experiment.clean)
            )
            clean = of_clean.amax(dim=1)
        known[value] = _point(value, answers, labelled.labels.cpu(), clean)
        points = [known[amount] for amount in experiment.values if amount in known]
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
    columns = _columns(settings)
    rows = zip(*(entry[column] for column in ("values", *columns)), strict=True)
    return {
        value: Point(value, **dict(zip(columns, figures, strict=True)))
        for value, *figures in rows
    }


def _columns(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        *COLUMNS,
        *(AGAINST_CLEAN if "passing_share" in settings else ()),
        *(ALARMED if "alarm_above" in settings else ()),
    )


def _entry(
    settings: dict[str, Any], points: list[Point], clean: Tensor | None
) -> dict[str, Any]:
    entry = {
        **settings,
        "date": date.today().isoformat(),
        "values": [point.value for point in points],
    }
    for column in _columns(settings):
        entry[column] = [round(getattr(point, column), 6) for point in points]
    if clean is not None:
        entry["passing_score"] = passing_score(clean)
    return entry


def _answers(
    experiment: Experiment, subject: Subject, labelled: LabelledImages, value: float
) -> Answers:
    """Return what the network makes of all images at one value of the knob."""
    what, answers = f"{experiment.knob} {value:g}", []
    with tqdm(total=len(labelled), desc=what, leave=False, disable=None) as bar:
        for batch in batches(labelled, subject.device):
            answers.append(subject.answers(experiment.change(subject, batch, value)))
            bar.update(len(batch.labels))
    alarms = [alarmed for _, alarmed in answers if alarmed is not None]
    is_heard = experiment.hears_alarm and bool(alarms)
    return (
        torch.cat([scores for scores, _ in answers]),
        torch.cat(alarms) if is_heard else None,
    )


def _point(
    value: float, answers: Answers, labels: Tensor, clean: Tensor | None
) -> Point:
    scores, is_alarmed = answers
    winners = scores.amax(dim=1)
    is_right = scores.argmax(dim=1) == labels
    point = Point(
        value,
        float(is_right.double().mean()),
        float(scores.gather(1, labels[:, None]).double().mean()),
        float(winners.double().mean()),
    )
    if is_alarmed is not None:
        point = replace(
            point,
            alarms=float(is_alarmed.double().mean()),
            unseen=float((~is_right & ~is_alarmed).double().mean()),
        )
    if clean is not None:
        point = replace(
            point,
            passing=float((winners >= passing_score(clean)).double().mean()),
            roc_area=roc_area(winners, clean),
        )
    return point
