"""What each number of a class's pose means, measured on decoded pictures.

The decoder is asked, not the encoder: a number means what moving it does to the
picture, as on the page.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.measuring.moving import (
    BATCH,
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
    is_fixed = values[0] == values[-1]
    moves = [] if is_fixed else changes(values, shapes_of(decode, swept))
    if not moves:  # or pictures are blank
        return Meaning("thickness", 0.0, 0.0, None, is_single=False, unexplained=0.0)
    reach = float(values[-1] - values[0])
    first, *others = sorted(moves, key=lambda move: -abs(move.units))
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
