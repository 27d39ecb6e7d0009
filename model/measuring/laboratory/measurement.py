"""Measuring an experiment: accuracy and mean scores at each value of its knob."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import torch

from model.data.images import DigitImages, to_network
from model.measuring.laboratory.experiments import (
    EXPERIMENTS,
    SEED,
    Batch,
    Experiment,
    Subject,
)

BATCH = 50  # images at a time

Advance = Callable[[float, int, int], None]
"""Told the value that is measured, how many images are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one value of a knob.

    Attributes:
        value: of the knob.
        accuracy: share of images whose true class has the highest score.
        true_score: mean score of the true class.
        winner_score: mean of the highest score.
    """

    value: float
    accuracy: float
    true_score: float
    winner_score: float


def chosen(digits: DigitImages, count: int) -> DigitImages:
    """Return `count` images, the same for every network: an even choice by a seed.

    All of them, in their order, if there are no more.
    """
    if count >= len(digits):
        return digits
    generator = np.random.default_rng(SEED)
    indices = np.sort(generator.choice(len(digits), count, replace=False))
    which = torch.from_numpy(indices)
    return DigitImages(digits.images[which], digits.labels[which])


def measured(
    name: str,
    subject: Subject,
    digits: DigitImages,
    entry: dict[str, Any] | None = None,
    advance: Advance = lambda _value, _done, _count: None,
) -> Iterator[dict[str, Any]]:
    """Measure one experiment, yielding its entry for the card after each value.

    Args:
        name: one of `EXPERIMENTS`.
        subject: the network.
        digits: at least one image.
        entry: of an earlier measurement. Its values are kept, if it is of as many
            images and of the same settings.
        advance: called after each batch.
    """
    experiment = EXPERIMENTS[name]
    settings = {
        "knob": experiment.knob,
        "images": len(digits),
        "seed": SEED,
        **experiment.details,
    }
    known = _known(entry, settings)
    for value in experiment.values:
        if value in known:
            continue
        known[value] = _point(experiment, subject, digits, value, advance)
        points = [known[each] for each in experiment.values if each in known]
        yield _entry(settings, points)


def _known(
    entry: dict[str, Any] | None, settings: dict[str, Any]
) -> dict[float, Point]:
    if entry is None or any(entry.get(key) != value for key, value in settings.items()):
        return {}
    columns = ("values", "accuracy", "true_score", "winner_score")
    rows = zip(*(entry[column] for column in columns), strict=True)
    return {row[0]: Point(*row) for row in rows}


def _entry(settings: dict[str, Any], points: list[Point]) -> dict[str, Any]:
    return {
        **settings,
        "date": date.today().isoformat(),
        "values": [point.value for point in points],
        "accuracy": [round(point.accuracy, 6) for point in points],
        "true_score": [round(point.true_score, 6) for point in points],
        "winner_score": [round(point.winner_score, 6) for point in points],
    }


def _point(
    experiment: Experiment,
    subject: Subject,
    digits: DigitImages,
    value: float,
    advance: Advance,
) -> Point:
    scores = []
    for first in range(0, len(digits), BATCH):
        some = slice(first, first + BATCH)
        pixels = to_network(digits.images[some]).cpu().numpy().astype(np.float64)
        batch = Batch(pixels, digits.labels[some].cpu(), first)
        scores.append(subject.scores(experiment.change(subject, batch, value)))
        advance(value, min(first + BATCH, len(digits)), len(digits))
    found, labels = torch.cat(scores), digits.labels.cpu()
    return Point(
        value,
        float((found.argmax(dim=1) == labels).double().mean()),
        float(found.gather(1, labels[:, None]).double().mean()),
        float(found.amax(dim=1).double().mean()),
    )
