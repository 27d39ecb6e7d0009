"""Estimation of the paper's level, and the contrast of ink with it."""

import numpy as np

from capsnet_explorer.pictures.reading.breadth import opening, shrunk, stroke_radius
from capsnet_explorer.pictures.reading.levels import histogram, otsu_threshold, quantile
from capsnet_explorer.pictures.reading.windows import Plane, window_max, window_mean

EVEN = 0.2  # of the contrast: greatest spread of even paper
FRINGE = 0.01  # of the long side: extent of blurred edges around ink
EDGE = 2  # px; blur at edges of shadows and sheets, which must not leave lines
SAMPLE_SIDE = 96  # px; enough to detect what is broader than a stroke
BROAD = 0.5  # of the contrast: least contrast of ink or a shadow
BROAD_SHARE = 0.12  # of the picture: largest blot of ink
TOP_SHARE = 0.003  # of the picture: least area of its strongest ink
ONE_SHADE = 0.85  # of the strongest ink's contrast: least contrast if all is ink
EDGE_SHARE = 0.2  # of the picture's edge: most that strokes cover
NOISY = 0.02  # of the paper's light: median deviation from which a picture is blurred
DARKEST = 0.4  # of the brightest paper: limits how much dark paper amplifies noise


def remove_paper(
    light_ink: Plane, *, inverted: bool, radius: int | None = None
) -> tuple[Plane, bool]:
    """Measure the contrast of each pixel with its paper.

    Even paper has one level. Otherwise a grey opening estimates the paper under each
    pixel: it removes everything narrower than the widest stroke and keeps shadows, even
    with sharp edges. In a noisy picture, contrast is measured after blurring.

    Args:
        light_ink: (rows, columns) in [0, 1], ink lighter than its paper.
        inverted: whether the scene was dark ink on light paper. Light then falls on ink
            and paper alike, so contrast is a share of the light that the paper
            reflects.
        radius: half the width of the widest stroke on uneven paper, in px; None if
            unknown, which allows for the widest possible strokes.

    Returns:
        (rows, columns) in [0, 1], and whether the paper was even.
    """
    level = even_level(light_ink) if radius is None else None
    if level is not None:
        even_ink: Plane = np.maximum(light_ink - np.float32(level), 0)
        return even_ink * np.float32(1 / (1 - level)), True
    smooth = window_mean(light_ink, 1)
    paper = opening(smooth, radius or stroke_radius(light_ink.shape))
    paper = window_max(paper, EDGE)
    reflected = 1 - paper if inverted else np.ones_like(paper)
    noise = np.median(np.abs(light_ink - smooth))
    is_noisy = noise > NOISY * np.median(reflected)
    ink = np.maximum((smooth if is_noisy else light_ink) - paper, 0)
    if inverted:
        brightest = quantile(histogram(reflected), 0.95)
        ink = ink / np.maximum(reflected, max(DARKEST * brightest, 1 / 255))
    return np.minimum(ink, 1), False


def even_level(light_ink: Plane) -> float | None:
    """Return the level of the paper if it is even, else None.

    Paper is even if the pixels away from the ink are nearly equal, and if nothing taken
    for ink is as broad as a shadow. In a picture cropped to the digit, strokes may be
    that broad too.
    """
    counts = histogram(light_ink)
    is_ink = light_ink > otsu_threshold(counts)
    reach = max(1, round(FRINGE * max(light_ink.shape)))
    near_ink = window_max(is_ink.astype(np.float32), reach) > 0
    away = histogram(light_ink[~near_ink])
    if not away.any() or not is_ink.any():
        return None
    level = quantile(away, 0.5)
    contrast = quantile(histogram(light_ink[is_ink]), 0.5) - level
    if quantile(away, 0.95) - quantile(away, 0.05) > EVEN * contrast:
        return None
    sample = shrunk(light_ink, SAMPLE_SIDE)
    broad = opening(sample, stroke_radius(sample.shape)) > level + BROAD * contrast
    if broad.mean() <= BROAD_SHARE:
        return level
    # Broad strokes are as dark as other ink, while shadows cross the edge.
    top = quantile(counts, 1 - TOP_SHARE)
    along_edge = np.concatenate([is_ink[0], is_ink[-1], is_ink[:, 0], is_ink[:, -1]])
    is_one_ink = contrast >= ONE_SHADE * (top - level)
    return level if is_one_ink and along_edge.mean() <= EDGE_SHARE else None
