"""The thickness of strokes, measured and adjusted to MNIST's range."""

import numpy as np
from PIL import Image

from capsnet_explorer.pictures.reading.placing import BOX_SIDE
from capsnet_explorer.pictures.reading.windows import (
    Plane,
    disk_max,
    disk_min,
    window_max,
)

FINE = 8  # pixels of the fine box for each pixel of MNIST's
FINE_SIDE = BOX_SIDE * FINE
THINNEST = 1.6  # px of the 20 px box; nineteen of twenty MNIST digits have more
USUAL = 2.1  # px of the 20 px box, MNIST's median; the target for thinner strokes
FAINT_PART = 0.2  # of the strongest ink: least ink inside a stroke
SOLID_QUANTILE = 0.25  # of the grown ink; the rest of it becomes full ink
THICKEST = 4.5  # px of the 20 px box; the target for thicker strokes


def thickness(ink: Plane) -> float:
    """Estimate the mean width of strokes in px.

    The perimeter of a long stroke is twice its length, so width = 2 · area / perimeter.
    The perimeter is the total variation, which also works for antialiased edges; the
    ratio does not depend on the ink's strength.

    Args:
        ink: (rows, columns) in [0, 1]. Must not be blank.
    """
    framed = np.pad(ink, 1)
    down = framed[1:, :-1] - framed[:-1, :-1]
    across = framed[:-1, 1:] - framed[:-1, :-1]
    return float(2 * ink.sum() / np.sqrt(down * down + across * across).sum())


def fit_strokes(
    ink: Plane, width: float | None = None, side: int = BOX_SIDE
) -> tuple[Plane, float, float]:
    """Adjust strokes to MNIST's range of widths, or to a given width.

    Args:
        ink: (rows, columns) in [0, 1], cropped to the digit.
        width: the stroke width to reach, in px of the final image; None takes the
            nearest usual one.
        side: the ink's long side in the final image, in px.

    Returns:
        The ink, and the stroke width before and after, in px of the final image. If the
        width changes, the ink's long side becomes about `FINE_SIDE` px.
    """
    before = thickness(ink) * side / max(ink.shape)
    target = usual_width(before) if width is None else width
    if target == before:
        return ink, before, before
    fine = fine_box(ink)
    per_px = FINE_SIDE / side
    excess = thickness(fine) / per_px - target
    radius = round(abs(excess) * per_px / 2)
    if excess > 0:
        return thinned(fine, radius), before, target
    grown = disk_max(fine, radius)
    # In hairlines, ink covers no pixel fully; scale grown strokes to full ink.
    solid = np.quantile(grown[grown > FAINT_PART * grown.max()], SOLID_QUANTILE)
    return np.minimum(grown / solid, 1), before, target


def usual_width(width: float) -> float:
    """Return the target for strokes of this width: unchanged if in MNIST's range."""
    if width < THINNEST:
        return USUAL
    return min(width, THICKEST)


def thinned(fine: Plane, radius: int) -> Plane:
    """Erode strokes by `radius` px on all sides, but never completely."""
    thin = disk_min(fine, radius)
    while thin.max() < FAINT_PART * fine.max():
        radius -= 1
        thin = disk_min(fine, radius)
    return thin


def fine_box(ink: Plane) -> Plane:
    """Scale the ink's long side to `FINE_SIDE`, with a margin for strokes to grow.

    Strokes thinner than a pixel of the result are first thickened to one pixel, because
    averaging would fade them.
    """
    scale = FINE_SIDE / max(ink.shape)
    if scale < 1:
        ink = window_max(ink, round(max(0.0, 1 / scale - thickness(ink)) / 2))
    rows, columns = (max(1, round(size * scale)) for size in ink.shape)
    kind = Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR
    fine = Image.fromarray(ink).resize((columns, rows), kind)
    return np.pad(np.asarray(fine), round(USUAL * FINE))
