"""What each number of a class's pose means, measured on decoded pictures.

The decoder is asked, not the encoder: a number means what moving it does to the
picture, as on the page.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.measuring.moving import (
    BATCH,
    UNITS,
    Change,
    Decode,
    changes,
    shapes_of,
    unexplained,
)
from capsnet_explorer.model.measuring.shapes import Values

Poses = NDArray[np.floating]

STEPS = 5  # from the low to the high end of a number's range

# A number has a single meaning if its strongest property follows it this closely,
# changes by this many units from end to end, and this many times as much as any other.
# Chosen from 24 such rules on two disjoint sets of thirty training images a class, with
# a CapsNet after 76 epochs: 66 and 63 of its 160 numbers pass, 46 on both sets, none of
# these with two different names. Without a lead, 21 of 132 have two names.
MIN_CORRELATION = 0.7
MIN_UNITS = 1.0
MIN_LEAD = 1.25

# The properties that can be moved on purpose. Head, foot and tail are parts of others.
MOVABLE = ("thickness", "slant", "width", "height", "x", "y", "loops", "bow")
AMOUNTS = np.array([-1.5, -0.75, 0.0, 0.75, 1.5])  # units moved to measure a direction
# Weight of a short way against leaving other properties alone. Of 0.01, 0.05, 0.1 and
# 0.5, the one with which most directions held on twenty other training images a class
# (71 of 73; 0.05 held as many, with more spill).
REGULAR = 0.01
NUDGE = 0.5  # standard deviations by which a number moves to measure slopes
MAX_SPILL = 0.5  # most units that another property may change by, for each unit wanted


@dataclass(frozen=True, slots=True)
class Meaning:
    """What moving one number of a pose from end to end of its range does.

    Attributes:
        strongest: the property that changes by the most units.
        correlation: of the number and that property, in [-1, 1].
        change: of that property from the low to the high end, in px, px² or degrees.
        next: the property that changes second most; None if there is no other.
        is_single: whether the rule above names the number after `strongest`.
        unexplained: share of the picture's change that no change of place, slant,
            width, height or thickness explains, in [0, 1].
    """

    strongest: str
    correlation: float
    change: float
    next: str | None
    is_single: bool
    unexplained: float


def meanings(decode: Decode, poses: Poses, ranges: Poses) -> list[Meaning]:
    """Measure what each number of a class's pose means.

    Args:
        decode: decodes poses of the class.
        poses: (count, numbers), of images of the class; each is swept.
        ranges: (numbers, 2), low and high end of each number.

    Returns:
        One for each number.
    """
    return [
        _meaning(decode, poses, number, np.linspace(low, high, STEPS))
        for number, (low, high) in enumerate(ranges)
    ]


def _meaning(decode: Decode, poses: Poses, number: int, values: Values) -> Meaning:
    swept = np.repeat(poses[:, None], len(values), axis=1)
    swept[:, :, number] = values
    if values[0] == values[-1]:
        return Meaning("thickness", 0.0, 0.0, None, is_single=False, unexplained=0.0)
    shapes = shapes_of(decode, swept)
    if not (found := changes(values, shapes)):  # blank pictures
        return Meaning("thickness", 0.0, 0.0, None, is_single=False, unexplained=0.0)
    reach = float(values[-1] - values[0])
    first, *others = sorted(found, key=lambda each: -abs(each.units))
    second = abs(others[0].units) if others else 0.0
    return Meaning(
        strongest=first.name,
        correlation=first.correlation,
        change=first.slope * reach,
        next=others[0].name if others else None,
        is_single=_is_single(first, reach, second),
        unexplained=_rest(decode, swept),
    )


def _is_single(first: Change, reach: float, second: float) -> bool:
    return bool(
        abs(first.correlation) >= MIN_CORRELATION
        and abs(first.units * reach) >= MIN_UNITS
        and abs(first.units) >= MIN_LEAD * second
    )


def _rest(decode: Decode, swept: Poses) -> float:
    count = max(1, BATCH // swept.shape[1])
    few = swept[:count]  # pictures are large, and their mean is steady
    pictures = decode(few.reshape(-1, few.shape[-1]))
    pictures = pictures.reshape(*few.shape[:2], *pictures.shape[1:])
    sides = pictures.shape[2:]
    return unexplained(
        pictures[:, :-1].reshape(-1, *sides), pictures[:, 1:].reshape(-1, *sides)
    )


@dataclass(frozen=True, slots=True)
class Directions:
    """How to move a property of a class's picture through its pose.

    Attributes:
        properties: those that can be moved; a class without loops lacks `loops`.
        ways: (properties, numbers), what to add to a pose to change the property by
            about one of `UNITS` and the others as little as possible.
        slopes: (properties, numbers), units by which each property changes for each
            unit of a number; `slopes @ edit` predicts what an edit does.
    """

    properties: tuple[str, ...]
    ways: Values
    slopes: Values


def directions(decode: Decode, poses: Poses) -> Directions:
    """Find the direction in the pose that moves each property and leaves the others.

    Of all ways with the same effect on the properties, it takes the one that is most
    usual among the class's poses: the shortest after whitening. The effect is linear,
    the median of the decoder's derivatives at the poses.

    Args:
        decode: decodes poses of the class.
        poses: (count, numbers), of training images of the class, more than one.
    """
    slopes = _slopes(decode, poses)
    properties = tuple(name for name in MOVABLE if name in slopes)
    rows = np.array([slopes[name] for name in properties]).reshape(-1, poses.shape[1])
    spread = np.cov(poses.T)
    products = rows @ spread @ rows.T + REGULAR * np.eye(len(rows))
    ways = np.linalg.solve(products, rows @ spread)
    effects = (ways * rows).sum(axis=1, keepdims=True)
    return Directions(properties, ways / effects, rows)


def _slopes(decode: Decode, poses: Poses) -> dict[str, Values]:
    """Return each property's median slope in units: (numbers,) per property."""
    steps = NUDGE * np.maximum(poses.std(axis=0), 1e-3)
    moved = poses[:, None] + np.diag(steps)
    back = poses[:, None] - np.diag(steps)
    after, before = shapes_of(decode, moved), shapes_of(decode, back)
    found = {}
    for name, unit in UNITS.items():
        slopes = (after[name] - before[name]) / (2 * steps * unit)
        has = np.isfinite(slopes).all(axis=1)
        if name == "loops":  # a closed digit, not a gap in a stroke
            has &= np.isfinite(after["tail"]).all(axis=1)
        if has.mean() > 0.5 and np.median(slopes[has], axis=0).any():
            found[name] = np.median(slopes[has], axis=0)
    return found


@dataclass(frozen=True, slots=True)
class Truth:
    """What moving along a direction really does.

    Attributes:
        property: what the direction is meant to move.
        correlation: of the amount and the property, in [-1, 1].
        change: of the property for each unit of the amount, in px, px² or degrees.
        spilled: the other property that changes most; None if there is none.
        spill: its change in its units, for each unit that the property changes by.
        holds: whether the direction is good enough to be offered.
    """

    property: str
    correlation: float
    change: float
    spilled: str | None
    spill: float
    holds: bool


def truths(decode: Decode, poses: Poses, found: Directions) -> list[Truth]:
    """Measure what moving along each direction does.

    Args:
        decode: decodes poses of the class.
        poses: (count, numbers), of images that did not help to find the directions.
        found: the class's directions.
    """
    return [
        _truth(name, _along(decode, poses, way), found.properties)
        for name, way in zip(found.properties, found.ways, strict=True)
    ]


def _along(decode: Decode, poses: Poses, way: Values) -> list[Change]:
    moved = poses[:, None] + AMOUNTS[:, None] * way
    return changes(AMOUNTS, shapes_of(decode, moved))


def _truth(name: str, found: list[Change], compared: tuple[str, ...]) -> Truth:
    by_name = {each.name: each for each in found}
    own = by_name.get(name, Change(name, 0.0, 0.0))
    others = [each for each in found if each.name in compared and each != own]
    worst = max(others, key=lambda each: abs(each.units), default=None)
    reached = max(abs(own.units), 1e-6)
    spill = abs(worst.units) / reached if worst else 0.0
    return Truth(
        property=name,
        correlation=own.correlation,
        change=own.slope,
        spilled=worst.name if worst else None,
        spill=spill,
        holds=bool(own.correlation >= MIN_CORRELATION and spill <= MAX_SPILL),
    )
