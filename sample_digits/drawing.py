"""Rasterisation: strokes of a round pen to an MNIST-like image, with NumPy only."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

IMAGE_SIDE = 28  # pixels
BOX_SIDE = 20  # pixels; the longer side of a digit's ink
# MNIST puts the centre of mass on pixel (14, 14), half a pixel beyond the middle of
# the image: its test images average 14.00 in both directions, counted from 0.
CENTRE = 14
POINTS_PER_SPAN = 8
SUBPIXELS = 4  # per pixel and direction
LEVELS = 255  # grey steps of an 8-bit image


def draw_digit(strokes: Sequence[Array], pen: float) -> NDArray[np.float32]:
    """Draw strokes in MNIST's format: light ink in a 20x20 box, centred by mass.

    Args:
        strokes: curves, each (points, 2) as x, y with y down, in any unit.
        pen: width of the pen in pixels of the image, less than 20.

    Returns:
        (28, 28), each value a multiple of 1/255 in [0, 1]; 1 is ink.
    """
    lines = fit_box([smooth(stroke) for stroke in strokes], pen)
    drawn = np.rint(LEVELS * coverage(lines, pen))
    return (centre_by_mass(drawn) / LEVELS).astype(np.float32)


def smooth(stroke: Array) -> Array:
    """Interpolate the points of a stroke with a centripetal Catmull-Rom spline.

    Two equal points in a row mark a corner: the curve ends there and a new one starts.
    The result contains every given point.

    Args:
        stroke: (points, 2), at least one point.

    Returns:
        (more points, 2), dense enough to be joined by straight lines.
    """
    is_corner = np.all(stroke[1:] == stroke[:-1], axis=1)
    pieces = np.split(stroke, np.flatnonzero(is_corner) + 1)
    return np.concatenate([_smooth_piece(piece) for piece in pieces])


def _smooth_piece(points: Array) -> Array:
    """Smooth a stroke without corners: (points, 2) to (more points, 2)."""
    if len(points) < 3:
        return points
    # The spline needs a neighbour beyond each end: mirror the second point there.
    before, after = 2 * points[0] - points[1], 2 * points[-1] - points[-2]
    padded = np.vstack([before, points, after])
    chords = np.linalg.norm(np.diff(padded, axis=0), axis=1)
    # Knots spaced by the square root of the chord prevent loops and cusps.
    knots = np.concatenate([[0.0], np.cumsum(np.sqrt(chords))])
    spans = [
        _catmull_rom(padded[start : start + 4], knots[start : start + 4])
        for start in range(len(points) - 1)
    ]
    return np.concatenate([*spans, points[-1:]])


def _catmull_rom(points: Array, knots: Array) -> Array:
    """Sample the curve from the second to the third of four points, without its end.

    Uses the pyramid of Barry & Goldman (1988): blend neighbours, then the blends.
    """
    times = np.linspace(knots[1], knots[2], POINTS_PER_SPAN, endpoint=False)[:, None]
    blends = [np.broadcast_to(point, (POINTS_PER_SPAN, 2)) for point in points]
    # The knots between which each level of the pyramid blends, (left, right) per blend.
    levels = [[(0, 1), (1, 2), (2, 3)], [(0, 2), (1, 3)], [(1, 2)]]
    for level in levels:
        blends = [
            blends[index]
            + (times - knots[left])
            / (knots[right] - knots[left])
            * (blends[index + 1] - blends[index])
            for index, (left, right) in enumerate(level)
        ]
    return blends[0]


def fit_box(lines: Sequence[Array], pen: float) -> list[Array]:
    """Scale and move lines so that their ink fills the 20x20 box in the middle.

    The aspect ratio is kept. The longer side of the ink, pen included, is 20 pixels.

    Args:
        lines: each (points, 2) as x, y.
        pen: width in pixels.

    Returns:
        The lines in pixels; (0, 0) is the image's upper left corner.
    """
    points = np.concatenate(lines)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (BOX_SIDE - pen) / (high - low).max()
    return [(line - (low + high) / 2) * scale + IMAGE_SIDE / 2 for line in lines]


def coverage(lines: Sequence[Array], pen: float) -> Array:
    """Return the share of every pixel that a round pen covers along the lines.

    A pixel is the mean of its subpixels. A subpixel on the edge of the ink counts by
    its distance to that edge. Edges along the pixel grid are exact.

    Args:
        lines: each (points, 2) as x, y in pixels.
        pen: width in pixels.

    Returns:
        (28, 28), each value in [0, 1].
    """
    side = IMAGE_SIDE * SUBPIXELS
    radius = pen / 2 * SUBPIXELS
    reach = radius + 0.5  # subpixels beyond this distance get no ink
    squared_distance = np.full((side, side), reach**2)
    middles = np.arange(0.5, side)
    for line in lines:
        points = line * SUBPIXELS
        lows = np.minimum(points[:-1], points[1:]) - reach
        highs = np.maximum(points[:-1], points[1:]) + reach
        # Only the subpixels in a window around a segment can be near it.
        windows = np.stack([np.floor(lows), np.ceil(highs)]).clip(0, side).astype(int)
        for piece, (start, end) in enumerate(pairwise(points)):
            (left, top), (right, bottom) = windows[:, piece].tolist()
            near = squared_distance[top:bottom, left:right]
            x, y = middles[left:right], middles[top:bottom]
            np.minimum(near, _squared_distance(x, y, start, end), out=near)
    fine = (reach - np.sqrt(squared_distance)).clip(0, 1)
    blocks = fine.reshape(IMAGE_SIDE, SUBPIXELS, IMAGE_SIDE, SUBPIXELS)
    return blocks.mean(axis=(1, 3))


def _squared_distance(x: Array, y: Array, start: Array, end: Array) -> Array:
    """Return the squared distances of a grid to a line segment: (y, x)."""
    (start_x, start_y), (end_x, end_y) = start.tolist(), end.tolist()
    step_x, step_y = end_x - start_x, end_y - start_y
    from_x, from_y = x - start_x, (y - start_y)[:, None]
    # A corner repeats its point; the segment is then a dot, whatever `along` is.
    squared_length = max(step_x**2 + step_y**2, 1e-12)
    along = from_x * (step_x / squared_length) + from_y * (step_y / squared_length)
    np.clip(along, 0, 1, out=along)
    return (from_x - along * step_x) ** 2 + (from_y - along * step_y) ** 2


def centre_by_mass(image: Array) -> Array:
    """Shift an image by whole pixels so that its centre of mass is pixel (14, 14).

    As in MNIST, whole-pixel shifts keep the strokes sharp; the centre of mass is then
    at most half a pixel off.

    Args:
        image: (28, 28) with some ink.

    Raises:
        ValueError: the shift would push ink over the image's edge.
    """
    ink = np.argwhere(image > 0)
    mass_centre = np.average(ink, axis=0, weights=image[image > 0])
    shift = np.rint(CENTRE - mass_centre).astype(int)
    moved = ink + shift
    if moved.min() < 0 or moved.max() >= IMAGE_SIDE:
        raise ValueError(
            "ink must stay in the image when centred by mass, "
            f"got a shift of {tuple(shift.tolist())} pixels (rows, columns)"
        )
    return np.roll(image, tuple(shift), axis=(0, 1))
