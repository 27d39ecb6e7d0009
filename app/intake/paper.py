"""What the paper looks like without the ink, and the ink without the paper."""

import numpy as np

from app.intake.breadth import opening, shrunk, stroke_radius
from app.intake.levels import histogram, otsu_threshold, quantile
from app.intake.windows import Plane, window_max, window_mean

EVEN = 0.2  # spread of the paper, in parts of the contrast, up to which it is even
FRINGE = 0.01  # of the long side: how far from ink its blurred edge may reach
EDGE = 2  # px; edges of shadows and sheets are blurred, and leave no lines
SAMPLE_SIDE = 96  # px; enough to see what is broader than a stroke
BROAD = 0.5  # of the contrast: what stands out more is ink, or a shadow
BROAD_SHARE = 0.12  # of the picture; a blot of ink may be broad, but not larger
TOP_SHARE = 0.003  # of the picture: its strongest ink is at least as much
ONE_SHADE = 0.85  # of the strongest ink's contrast: all ink stands out so far
EDGE_SHARE = 0.2  # of the picture's edge: strokes cover less
NOISY = 0.02  # of the paper's light: half of all pixels are so far off; then they blur
DARKEST = 0.4  # of the brightest paper; darker paper amplifies noise no further


def remove_paper(
    light_ink: Plane, *, inverted: bool, radius: int | None = None
) -> tuple[Plane, bool]:
    """Measure by how much each pixel stands out of its paper.

    Even paper is one level. Otherwise the paper under a pixel is found by a grey
    opening: what remains of the picture without everything narrower than a stroke
    can be, shadows with sharp edges included. Where pixels are mostly noise, ink is
    measured in a blurred picture.

    Args:
        light_ink: (rows, columns) in [0, 1], ink lighter than its paper.
        inverted: whether the scene was dark ink on light paper. Light falls on both
            alike then, so ink is measured as a share of what the paper reflects.
        radius: px, half of the widest stroke's width, on paper that was found to be
            uneven; unknown at first, when strokes may be as wide as any.

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
    """Return the level of the paper if it is the same everywhere.

    It is where the pixels away from the ink are nearly alike, and where nothing
    broad, as a shadow would be, has been taken for ink. Strokes are as broad in a
    picture that is cropped to the digit.
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
    # Broad strokes are as dark as any ink, and shadows come in over the edge.
    top = quantile(counts, 1 - TOP_SHARE)
    along_edge = np.concatenate([is_ink[0], is_ink[-1], is_ink[:, 0], is_ink[:, -1]])
    is_one_ink = contrast >= ONE_SHADE * (top - level)
    return level if is_one_ink and along_edge.mean() <= EDGE_SHARE else None
