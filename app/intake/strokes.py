"""How thick strokes are, and making them about as thick as MNIST's."""

import numpy as np
from PIL import Image

from app.intake.placing import BOX_SIDE
from app.intake.windows import Plane, disk_max, disk_min, window_max

FINE = 8  # pixels of the fine box for one of MNIST's
FINE_SIDE = BOX_SIDE * FINE
THINNEST = 1.6  # px of the 20 px box; nineteen of twenty MNIST digits have more
USUAL = 2.1  # px of the 20 px box, MNIST's median; thinner strokes are brought there
FAINT_PART = 0.2  # of the strongest ink: less is the edge of a stroke
SOLID_QUANTILE = 0.25  # of the grown ink: strokes, all but their weakest part
THICKEST = 4.5  # px of the 20 px box; thicker strokes are brought there


def thickness(ink: Plane) -> float:
    """Estimate the mean width of strokes in px.

    A long stroke has twice its length as perimeter, so width = 2 · area / perimeter.
    The perimeter is the total variation, which holds for antialiased edges too and
    does not change with the ink's strength.

    Args:
        ink: (rows, columns) in [0, 1]. Must not be blank.
    """
    framed = np.pad(ink, 1)
    down = framed[1:, :-1] - framed[:-1, :-1]
    across = framed[:-1, 1:] - framed[:-1, :-1]
    return float(2 * ink.sum() / np.sqrt(down * down + across * across).sum())


def fit_strokes(ink: Plane, told: float | None = None) -> tuple[Plane, float, float]:
    """Bring strokes that MNIST does not have into the range of widths it has.

    Args:
        ink: (rows, columns) in [0, 1], cropped to the digit.
        told: the stroke width to bring them to, in px of the 20 px box.

    Returns:
        The ink; grown or shrunk, it has another resolution and is `FINE_SIDE` px on
        its long side. And the stroke width before and after, in px of the 20 px box.
    """
    before = thickness(ink) * BOX_SIDE / max(ink.shape)
    target = usual_width(before) if told is None else told
    if target == before:
        return ink, before, before
    fine = fine_box(ink)
    excess = thickness(fine) / FINE - target
    radius = round(abs(excess) * FINE / 2)
    if excess > 0:
        return thinned(fine, radius), before, target
    grown = disk_max(fine, radius)
    # Hairlines have no pixel that ink covers in full: let the grown strokes be full.
    solid = np.quantile(grown[grown > FAINT_PART * grown.max()], SOLID_QUANTILE)
    return np.minimum(grown / solid, 1), before, target


def usual_width(width: float) -> float:
    """Return the width that strokes of this one should have: their own, if usual."""
    if width < THINNEST:
        return USUAL
    return min(width, THICKEST)


def thinned(fine: Plane, radius: int) -> Plane:
    """Take `radius` px off all sides of strokes, but never all ink there is."""
    thin = disk_min(fine, radius)
    while thin.max() < FAINT_PART * fine.max():
        radius -= 1
        thin = disk_min(fine, radius)
    return thin


def fine_box(ink: Plane) -> Plane:
    """Scale the ink's long side to `FINE_SIDE`, with room for strokes to grow.

    Strokes thinner than a pixel of the result are first spread to one, because
    averaging would fade them.
    """
    scale = FINE_SIDE / max(ink.shape)
    if scale < 1:
        ink = window_max(ink, round(max(0.0, 1 / scale - thickness(ink)) / 2))
    rows, columns = (max(1, round(size * scale)) for size in ink.shape)
    kind = Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR
    fine = Image.fromarray(ink).resize((columns, rows), kind)
    return np.pad(np.asarray(fine), round(USUAL * FINE))
