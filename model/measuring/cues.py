"""What a set of toys holds, and how far size and ink alone tell its categories apart.

A network that names a category is to have seen its shape. So whatever tells categories
apart without it is measured: the area of a view's silhouette, and its mean ink.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.toys import CATEGORIES, drawn_toy, toy_of
from capsnet_explorer.toys.collection import (
    AZIMUTHS,
    ELEVATIONS,
    MOST,
    SIZE,
    Model,
    views_of,
)
from capsnet_explorer.toys.rendering import samples_of, silhouette

Values = NDArray[np.float64]
Labels = NDArray[np.int64]
Classifier = Callable[[Values, Labels, Values], Labels]

SIDES, HEIGHTS = AZIMUTHS[::2], ELEVATIONS[::4]  # whose views are measured, if shown
SAMPLES = SIZE * samples_of(SIZE)  # along a picture's side
NEIGHBOURS = 25


@dataclass(frozen=True, slots=True)
class Cues:
    """Size and ink of some views of a part of a set.

    Attributes:
        labels: (views,), the categories.
        area: (views,), the silhouette's share of the picture.
        ink: (views,), the picture's mean ink, in 0..1.
    """

    labels: Labels
    area: Values
    ink: Values


def cues_of(models: list[Model], images: LabelledImages, views: Labels) -> Cues:
    """Measure the views of `SIDES` and `HEIGHTS`.

    Args:
        models: the part's toys, in the order of their numbers.
        images: its pictures.
        views: (images, 4), as `model.data.toys.read_views` returns them.
    """
    shown = np.flatnonzero(np.isin(views[:, 1], SIDES) & np.isin(views[:, 2], HEIGHTS))
    area = []
    for number in np.unique(views[shown, 0]):
        own = views[shown[views[shown, 0] == number]]
        model = models[number]
        toy = toy_of(model.category, drawn_toy(model.category, model.seed))
        sides, heights = (np.unique(own[:, k]).tolist() for k in (1, 2))
        area += [
            silhouette(toy.mesh, view, SAMPLES, scale=toy.scale) / SAMPLES**2
            for _, view in views_of(model, sides, heights)
        ]
    ink = images.images[shown].double().mean(dim=(1, 2, 3)).numpy() / MOST
    return Cues(images.labels[shown].numpy(), np.array(area), ink)


def named(fitting: Cues, judging: Cues) -> dict[str, dict[str, float]]:
    """Return the share of views whose category cues alone name, by cue and classifier.

    Args:
        fitting: of toys that the classifiers are fitted to.
        judging: of other toys; a guess names one in as many as there are categories.
    """
    cues: Mapping[str, Callable[[Cues], Values]] = {
        "area": lambda part: part.area[:, None],
        "ink": lambda part: part.ink[:, None],
        "area and ink": lambda part: np.stack([part.area, part.ink], axis=1),
    }
    found: dict[str, dict[str, float]] = {}
    for name, read in cues.items():
        known, unseen = read(fitting), read(judging)
        middle, spread = known.mean(axis=0), known.std(axis=0)
        known, unseen = (known - middle) / spread, (unseen - middle) / spread
        found[name] = {
            title: float(np.mean(read(known, fitting.labels, unseen) == judging.labels))
            for title, read in CLASSIFIERS.items()
        }
    return found


def linear(known: Values, labels: Labels, unseen: Values) -> Labels:
    """Name categories by least squares on one number for each."""
    classes = np.unique(labels)
    ones = [np.column_stack([np.ones(len(part)), part]) for part in (known, unseen)]
    targets = (labels[:, None] == classes).astype(float)
    weights = np.linalg.lstsq(ones[0], targets, rcond=None)[0]
    return classes[(ones[1] @ weights).argmax(axis=1)]


def gaussian(known: Values, labels: Labels, unseen: Values) -> Labels:
    """Name categories by the density of a normal distribution of each."""
    classes = np.unique(labels)
    scores = []
    for label in classes:
        own = known[labels == label]
        covariance = np.atleast_2d(np.cov(own, rowvar=False))
        apart = unseen - own.mean(axis=0)
        squares = (apart @ np.linalg.inv(covariance) * apart).sum(axis=1)
        scores.append(-squares - np.linalg.slogdet(covariance)[1])
    return classes[np.argmax(scores, axis=0)]


def nearest(known: Values, labels: Labels, unseen: Values) -> Labels:
    """Name categories by the majority of the `NEIGHBOURS` nearest views."""
    classes = np.unique(labels)
    count = min(NEIGHBOURS, len(known))
    named = []
    for view in unseen:
        distances = np.square(known - view).sum(axis=1)
        near = labels[np.argpartition(distances, count - 1)[:count]]
        named.append(classes[(near[:, None] == classes).sum(axis=0).argmax()])
    return np.array(named)


CLASSIFIERS: Mapping[str, Classifier] = {
    "linear": linear,
    "Gaussian": gaussian,
    "nearest neighbours": nearest,
}


def cues_report(
    fitting: Cues, judging: Cues, shares: Mapping[str, Mapping[str, float]]
) -> str:
    """Return a set's figures as a table for a terminal."""
    lines = [
        f"{'':8} {'area, training':>16} {'test':>7} {'ink, training':>16} {'test':>7}"
    ]
    for label, name in enumerate(CATEGORIES):
        cells = [
            100 * values[part.labels == label].mean()
            for values, part in (
                *((fitting.area, fitting), (judging.area, judging)),
                *((fitting.ink, fitting), (judging.ink, judging)),
            )
        ]
        first, second, third, fourth = (f"{cell:.1f} %" for cell in cells)
        lines.append(f"{name:8} {first:>16} {second:>7} {third:>16} {fourth:>7}")
    lines.append(
        f"categories of {len(judging.labels)} views of new toys named by a cue alone, "
        f"where a guess names {1 / len(CATEGORIES):.0%}:"
    )
    for cue, by_classifier in shares.items():
        told = ", ".join(f"{name} {share:.0%}" for name, share in by_classifier.items())
        lines.append(f"  {cue}: {told}")
    return "\n".join(lines)
