"""How well the side of a toy can be read from the numbers that describe its picture.

As for other changes (`pose_reading`), a linear reader is fitted for each category. An
azimuth is read by its sine and cosine, together. Toys are the units of chance. Besides,
each number by itself is told from the side: which numbers follow what?
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.batches import batches
from capsnet_explorer.model.measuring.laboratory.experiments import SEED, Subject
from capsnet_explorer.model.measuring.laboratory.pose_reading import COMPONENTS, DIGITS
from capsnet_explorer.model.measuring.laboratory.ridge import (
    HELD_OUT,
    LEVEL,
    RESAMPLES,
    Values,
    fitted_and_read,
)
from capsnet_explorer.toys import LIGHTS

KNOBS = {
    "azimuth": "degrees by which the toy is turned",
    "elevation": "degrees of the camera above the ground",
    "light": "degrees of the lamp to the right of the camera",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """Pictures of toys, in no order.

    Attributes:
        labels: (count,).
        toys: (count,), the number of each picture's toy.
        amounts: by knob, (count, 1 or 2): what a reader is to give.
        vectors: by what is read, (count, numbers).
    """

    labels: NDArray[np.int64]
    toys: NDArray[np.int64]
    amounts: dict[str, Values]
    vectors: dict[str, Values]


def side_reading(
    subject: Subject,
    training: tuple[LabelledImages, NDArray[np.int64]],
    test: tuple[LabelledImages, NDArray[np.int64]],
    images: int,
) -> dict[str, Any]:
    """Measure what can be read of the side, for the card.

    Args:
        subject: the network.
        training: pictures that readers are fitted on, and what they show (count, 4), as
            `model.data.toys.read_views` returns it.
        test: pictures of other toys, likewise, that readers are judged on.
        images: how many of these to take at most; three times as many to fit on.

    Returns:
        An entry as `measured_reading` yields it, with intervals over toys. Each knob
        also has `follow`: for each category, R² of each number of the code, where there
        are at most `COMPONENTS`; and as `largest`, the largest R² of a number of the
        code, of a pixel, and of a number where the code is told from shuffled sides.
    """
    fitting, judging = (
        _seen(subject, *training, 3 * images),
        _seen(subject, *test, images),
    )
    generator = np.random.default_rng(SEED)
    mixed = generator.permutation(len(fitting.labels))
    knobs = {}
    for name, words in KNOBS.items():
        readings = {}
        for what, most in (("code", None), ("pixels", None), ("pixels", COMPONENTS)):
            key = what if most is None else f"{what}_components"
            readings[key] = _reading(fitting, judging, name, what, most)
        if fitting.vectors["code"].shape[1] > COMPONENTS:
            readings["code_components"] = _reading(
                fitting, judging, name, "code", COMPONENTS
            )
        readings["shuffled"] = _reading(fitting, judging, name, "code", None, mixed)
        low, high = _ends(training[1], name)
        knobs[name] = {
            **{"knob": words, "low": low, "high": high, "readings": readings},
            "follow": _follow(fitting, judging, name, mixed),
        }
    return {
        "code": subject.architecture.code_title,
        "images": len(judging.labels),
        "training_images": len(fitting.labels),
        "seed": SEED,
        "held_out": HELD_OUT,
        "resamples": RESAMPLES,
        "components": COMPONENTS,
        "units": "toys",
        "date": date.today().isoformat(),
        "knobs": knobs,
    }


def _ends(views: NDArray[np.int64], name: str) -> tuple[int, int]:
    values = _degrees(views)[name]
    return int(values.min()), int(values.max())


def _degrees(views: NDArray[np.int64]) -> dict[str, Values]:
    lamps = np.array([light.azimuth for light in LIGHTS], dtype=float)
    return {
        "azimuth": views[:, 1].astype(float),
        "elevation": views[:, 2].astype(float),
        "light": lamps[views[:, 3]],
    }


def _seen(
    subject: Subject, labelled: LabelledImages, views: NDArray[np.int64], count: int
) -> Seen:
    """Let the network describe some of the pictures."""
    places = np.random.default_rng(SEED).permutation(len(labelled))[:count]
    some = LabelledImages(labelled.images[places], labelled.labels[places])
    codes, pixels = [], []
    for batch in batches(some, subject.device):
        codes.append(subject.codes(batch.pixels, batch.labels).double().numpy())
        pixels.append(batch.pixels.reshape(len(batch.labels), -1))
    degrees = _degrees(views[places])
    turn = np.radians(degrees.pop("azimuth"))
    return Seen(
        some.labels.numpy(),
        views[places, 0],
        {
            "azimuth": np.stack([np.sin(turn), np.cos(turn)], axis=1),
            **{name: values[:, None] for name, values in degrees.items()},
        },
        {"code": np.concatenate(codes), "pixels": np.concatenate(pixels)},
    )


def _reading(
    fitting: Seen,
    judging: Seen,
    name: str,
    what: str,
    most: int | None,
    mixed: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """Fit a reader for each category and amount, and judge all together."""
    amounts, wanted = fitting.amounts[name], judging.amounts[name]
    if mixed is not None:
        amounts = amounts[mixed]
    vectors, unseen = fitting.vectors[what], judging.vectors[what]
    read = np.empty_like(wanted)
    for label in np.unique(judging.labels):
        own, other = fitting.labels == label, judging.labels == label
        for column in range(wanted.shape[1]):
            read[other, column] = fitted_and_read(
                vectors[own], amounts[own, column], unseen[other], most
            )
    squares = np.square(wanted - read).sum(axis=1)
    whole = np.square(wanted - wanted.mean(axis=0)).sum(axis=1)
    low, high = _interval(squares, whole, judging.toys)
    return {
        "numbers": min(vectors.shape[1], most or vectors.shape[1]),
        "r2": round(float(1 - squares.sum() / whole.sum()), DIGITS),
        "r2_low": round(low, DIGITS),
        "r2_high": round(high, DIGITS),
        "error": round(float(np.sqrt(squares.mean())), DIGITS),
    }


def _follow(
    fitting: Seen, judging: Seen, name: str, mixed: NDArray[np.int64]
) -> dict[str, Any]:
    """Tell every number from the side, in new toys: the entry of a knob."""
    amounts = fitting.amounts[name]
    found = {
        "code": _told(fitting, judging, "code", amounts, judging.amounts[name]),
        "pixels": _told(fitting, judging, "pixels", amounts, judging.amounts[name]),
        "shuffled": _told(
            fitting, judging, "code", amounts[mixed], judging.amounts[name]
        ),
    }
    entry: dict[str, Any] = {
        "largest": {
            what: [
                None if np.isnan(row).all() else round(float(np.nanmax(row)), DIGITS)
                for row in each
            ]
            for what, each in found.items()
        }
    }
    if found["code"].shape[1] <= COMPONENTS:
        entry["classes"] = [
            [None if np.isnan(one) else round(float(one), DIGITS) for one in row]
            for row in found["code"]
        ]
    return entry


def _told(
    fitting: Seen, judging: Seen, what: str, amounts: Values, unseen: Values
) -> Values:
    """Fit each number of each category by least squares, from a constant and amounts.

    Args:
        fitting: what is fitted on.
        judging: what is judged.
        what: whose numbers.
        amounts: of the first, (count, 1 or 2).
        unseen: of the second.

    Returns:
        (categories, numbers) of R²: the share of a number's variance, among pictures of
        its category, that the amounts tell. No number where it does not vary.
    """
    rows = []
    for label in np.unique(judging.labels):
        own, other = fitting.labels == label, judging.labels == label
        weights, *_ = np.linalg.lstsq(
            _with_one(amounts[own]), fitting.vectors[what][own], rcond=None
        )
        numbers = judging.vectors[what][other]
        left = np.square(numbers - _with_one(unseen[other]) @ weights).sum(axis=0)
        whole = np.square(numbers - numbers.mean(axis=0)).sum(axis=0)
        varies = np.ptp(numbers, axis=0) > 0
        rows.append(np.where(varies, 1 - left / np.where(varies, whole, 1), np.nan))
    return np.stack(rows)


def _with_one(amounts: Values) -> Values:
    return np.column_stack([np.ones(len(amounts)), amounts])


def _interval(
    squares: Values, whole: Values, toys: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the 95 % interval of R², by drawing the toys anew (Efron 1979)."""
    _, places = np.unique(toys, return_inverse=True)
    by_toy = np.bincount(places, squares), np.bincount(places, whole)
    count = len(by_toy[0])
    drawn = np.random.default_rng(SEED).integers(count, size=(RESAMPLES, count))
    left, all_of_it = (each[drawn].sum(axis=1) for each in by_toy)
    ends = np.quantile(1 - left / all_of_it, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(ends[0]), float(ends[1])
