"""Two digits on one canvas, in the form of training images that show two.

There each digit is one of MNIST's, which stands up to 4 pixels away from the middle,
and both add up to an image that is clipped at 1 (Sabour, Frosst & Hinton 2017, section
6).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capsnet_explorer.pictures.reading.placing import (
    BOX_SIDE,
    SIDE,
    crop,
    mean_index,
    place,
    scale_to_box,
    within,
)
from capsnet_explorer.pictures.reading.strokes import fit_strokes
from capsnet_explorer.pictures.reading.windows import Plane

REACH = 4  # px that a digit may stand away from the middle, in each direction
CANVAS = SIDE + 2 * REACH  # px, of the image
HEIGHT = (
    22  # px of ink in one piece: one digit of MNIST has 20, two in training about 23
)
WIDEST = BOX_SIDE + 2 * REACH  # px: what two digits can cover together


@dataclass(frozen=True, slots=True)
class Composed:
    """Ink on the canvas.

    Attributes:
        image: (36, 36) in [0, 1].
        strokes: the ink after strokes were fitted, (rows, columns) in [0, 1].
        before: mean width of strokes before, in px of the image.
        width: the same after.
        is_moved: whether digits came closer to each other than they were.
    """

    image: Plane
    strokes: Plane
    before: float
    width: float
    is_moved: bool


def as_it_lies(ink: Plane, width: float | None) -> Composed:
    """Bring ink that cannot be separated onto the canvas, as one piece.

    It may be one digit or two on top of each other, so its height is scaled to what
    lies between both.

    Args:
        ink: (rows, columns) in [0, 1], cropped.
        width: of strokes, in px of the image; None takes the nearest usual one.
    """
    rows, columns = ink.shape
    side = max(HEIGHT, min(WIDEST, round(HEIGHT * columns / rows)))
    strokes, before, after = fit_strokes(ink, width, side)
    image = place(scale_to_box(crop(strokes), side), CANVAS)
    return Composed(image, strokes, before, after, is_moved=False)


def each_by_itself(digits: Sequence[Plane], width: float | None) -> Composed:
    """Bring two digits onto the canvas, each scaled as MNIST's are.

    How they lie to each other is kept as far as both stay within reach of the middle.

    Args:
        digits: two, (rows, columns) in [0, 1] each, alone in the same picture.
        width: of strokes, in px of the image; None takes the nearest usual one.
    """
    inks = [crop(digit) for digit in digits]
    fitted = [fit_strokes(ink, width) for ink in inks]
    scale = BOX_SIDE / float(np.mean([max(ink.shape) for ink in inks]))
    middles = [
        [mean_index(digit.sum(axis=axis)) for axis in (1, 0)]  # row, column
        for digit in digits
    ]
    apart = [scale * (second - first) for first, second in zip(*middles, strict=True)]
    firsts = [round(-gap / 2) for gap in apart]
    seconds = [first + round(gap) for first, gap in zip(firsts, apart, strict=True)]
    image = np.zeros((CANVAS, CANVAS), dtype=np.float32)
    for (strokes, _, _), shifts in zip(fitted, (firsts, seconds), strict=True):
        top, left = (within(REACH + shift, 2 * REACH) for shift in shifts)
        square = place(scale_to_box(crop(strokes)))
        image[top : top + SIDE, left : left + SIDE] += square
    return Composed(
        np.minimum(image, 1),
        _side_by_side([strokes for strokes, _, _ in fitted]),
        float(np.mean([before for _, before, _ in fitted])),
        float(np.mean([after for _, _, after in fitted])),
        is_moved=max(map(abs, apart)) > 2 * REACH,
    )


def _side_by_side(inks: Sequence[Plane]) -> Plane:
    """Return pictures beside each other, as high as the highest."""
    rows = max(len(ink) for ink in inks)
    return np.hstack([np.pad(ink, ((0, rows - len(ink)), (0, 0))) for ink in inks])
