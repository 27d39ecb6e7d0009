"""MNIST's digits as ink of any size, enlarged or redrawn with another pen."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from benchmarks.intake.scene import Plane

VISIBLE = 0.1  # fainter ink is not part of the digit
EDGE = 1.5  # px over which the ink's edge is antialiased
SKELETON_SIDE = 160  # px of the digit's long side while finding its centre line
SMOOTHING = 5.0  # px at that size: radius over which the centre line is smoothed
DETAIL = 2  # supersampling factor of the pen

Flags = NDArray[np.bool_]


def outline(digit: Plane, height: float) -> Plane:
    """Enlarge a digit with clean edges.

    Args:
        digit: (28, 28), ink in [0, 1].
        height: px of the longer side of the ink.

    Returns:
        Coverage (rows, columns) in [0, 1], cropped to the ink.
    """
    ink = cropped(digit)
    scale = height / max(ink.shape)
    return np.clip((enlarged(ink, scale) - 0.5) * max(1.0, scale / EDGE) + 0.5, 0, 1)


def written(digit: Plane, height: float, pen: float) -> Plane:
    """Redraw a digit along its centre line.

    Args:
        digit: (28, 28), ink in [0, 1].
        height: px of the longer side of the digit's ink.
        pen: width in px.

    Returns:
        Coverage (rows, columns) in [0, 1], cropped to within some px of the ink.
    """
    ink = cropped(digit)
    fine = SKELETON_SIDE / max(ink.shape)
    points = middle_line(np.pad(enlarged(ink, fine) > 0.5, 1)) - 1
    points = smoothed(points) * (height / SKELETON_SIDE) + pen / 2 + 1
    rows, columns = (
        round(size * height / max(ink.shape) + pen + 2) for size in ink.shape
    )
    canvas = Image.new("L", (columns * DETAIL, rows * DETAIL))
    draw = ImageDraw.Draw(canvas)
    radius = (pen * DETAIL - 1) / 2  # Pillow includes the last pixel
    for down, across in points * DETAIL:
        draw.ellipse(
            (across - radius, down - radius, across + radius, down + radius), fill=255
        )
    return np.asarray(canvas.reduce(DETAIL), np.float32) / 255


def with_gap(ink: Plane, random: np.random.Generator) -> Plane:
    """Erase a piece of the stroke about as long as the stroke is wide."""
    mask = ink > 0.5
    points = middle_line(np.pad(mask, 1)) - 1
    down, across = points[random.integers(len(points))]
    width = mask.sum() / len(points)
    rows, columns = ink.shape
    away = np.hypot(np.arange(rows)[:, None] - down, np.arange(columns) - across)
    return (ink * np.clip(away - 0.75 * width, 0, 1)).astype(np.float32)


def cropped(digit: Plane) -> Plane:
    """Crop to the bounding box of the visible ink."""
    rows, columns = (
        np.flatnonzero((digit > VISIBLE).any(axis=axis)) for axis in (1, 0)
    )
    return digit[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def enlarged(ink: Plane, scale: float) -> Plane:
    """Scale ink smoothly."""
    rows, columns = (max(1, round(size * scale)) for size in ink.shape)
    fine = Image.fromarray(ink).resize((columns, rows), Image.Resampling.BICUBIC)
    return np.clip(np.asarray(fine), 0, 1)


def middle_line(mask: Flags) -> NDArray[np.float64]:
    """Thin a mask to lines of one pixel (Zhang & Suen 1984).

    Args:
        mask: (rows, columns), empty at its edge.

    Returns:
        (points, 2), row and column of each pixel.
    """
    mask = mask.copy()
    changed = True
    while changed:
        changed = False
        for first in (True, False):
            removable = _removable(mask, first=first)
            mask &= ~removable
            changed |= bool(removable.any())
    return np.argwhere(mask).astype(np.float64)


def _removable(mask: Flags, *, first: bool) -> Flags:
    """Return the contour pixels whose removal neither breaks nor shortens lines."""
    # The neighbours in clockwise order, starting above.
    shifts = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
    around = np.stack(
        [np.roll(mask, (-down, -right), (0, 1)) for down, right in shifts]
    )
    count = around.sum(axis=0)
    starts = (~around & np.roll(around, -1, axis=0)).sum(axis=0)
    above, right, below, left = around[0], around[2], around[4], around[6]
    if first:
        open_side = ~(above & right & below) & ~(right & below & left)
    else:
        open_side = ~(above & right & left) & ~(above & below & left)
    return mask & (count >= 2) & (count <= 6) & (starts == 1) & open_side


def smoothed(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move each point to the mean of nearby points, which smooths the pixel steps."""
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    near = (squared <= SMOOTHING**2).astype(np.float64)
    return near @ points / near.sum(axis=1, keepdims=True)
