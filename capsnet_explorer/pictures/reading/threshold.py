"""Conversion of contrast with the paper to coverage by ink."""

from dataclasses import dataclass

import numpy as np

from capsnet_explorer.pictures.reading.levels import (
    BINS,
    histogram,
    otsu_threshold,
    quantile,
)
from capsnet_explorer.pictures.reading.windows import Plane

NOISE_DEVIATIONS = 4.0  # standard deviations up to which contrast is noise
DEVIATION_PER_MAD = 1.4826  # for a normal distribution
FAINTEST = 0.05  # contrast below which ink cannot be distinguished from blank paper
UNEVEN_FLOOR = 0.2  # of the ink's level: traces of shadows are below it
MUCH = 0.35  # of the picture; that much ink would count as the paper's noise
SPARSE = 0.2  # of the pixels: fewer lie halfway between paper and ink
CORE = 0.4  # of the ink's level: above it, a pixel certainly belongs to a stroke


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share of each pixel that ink covers.

    Attributes:
        ink: (rows, columns) in [0, 1]; edges of strokes keep their antialiasing.
        core: (rows, columns) bool, the pixels that certainly belong to strokes.
        level: contrast of full ink with the paper, in [0, 1]; 0 for no ink.
        start: threshold for `core`, as a share of that level.
    """

    ink: Plane
    core: np.ndarray
    level: float
    start: float


def cover(contrast: Plane, *, even: bool, start: float | None = None) -> Coverage:
    """Map paper noise to 0, full ink to 1, and values in between linearly.

    Args:
        contrast: (rows, columns) in [0, 1], contrast of pixels with the paper.
        even: whether the paper was even, so that faint values are antialiasing.
        start: `Coverage.start`, in (0, 1), if a person chose it; None finds it. The
            level that counts as an edge of strokes moves with it, between no ink and
            full ink.
    """
    level, noise = ink_level(histogram(contrast))
    if level == 0:
        return Coverage(
            np.zeros_like(contrast), np.zeros(contrast.shape, bool), 0.0, CORE
        )
    floor = noise if even else max(noise, UNEVEN_FLOOR * level)
    floor = min(floor, 0.5 * level)
    estimate = max(floor / level, CORE)
    if start is None:
        start = estimate
    elif start < estimate:
        floor *= start / estimate
    else:
        floor += (start - estimate) * level
    ink = np.clip((contrast - floor) / np.float32(level - floor), 0, 1)
    return Coverage(ink, contrast > start * level, level, start)


def ink_level(counts: np.ndarray) -> tuple[float, float]:
    """Return the contrast of full ink, 0 for no ink, and that of the paper's noise.

    The level of full ink is the median of the upper class that Otsu's threshold finds
    among the pixels above the noise, so that it is the same for a thin digit on a large
    sheet as for a thick one.
    """
    noise = noise_floor(paper_of(counts))
    upper = counts.copy()
    upper[: int(max(noise, FAINTEST) * (BINS - 1)) + 1] = 0
    if not upper.any():
        return 0.0, noise
    split = int(otsu_threshold(upper) * (BINS - 1)) + 1
    if upper[split:].any():
        upper[:split] = 0
    return quantile(upper, 0.5), noise


def paper_of(counts: np.ndarray) -> np.ndarray:
    """Return the histogram of the paper alone if ink fills much of the picture."""
    split = otsu_threshold(counts)
    if quantile(counts, 1 - MUCH) <= split:
        return counts
    paper, ink = counts.copy(), counts.copy()
    paper[int(split * (BINS - 1)) + 1 :] = 0
    ink -= paper
    is_most = quantile(counts, 0.5) > split
    return paper if is_most or are_apart(paper, ink) else counts


def are_apart(paper: np.ndarray, ink: np.ndarray) -> bool:
    """Return whether hardly any pixel lies between two classes of levels.

    Many do if both are halves of one class, such as the noise of blank paper.
    """
    middle = (quantile(paper, 0.5) + quantile(ink, 0.5)) / 2
    reach = (quantile(ink, 0.5) - quantile(paper, 0.5)) / 4
    low, high = (
        round(level * (BINS - 1)) for level in (middle - reach, middle + reach)
    )
    return bool((paper + ink)[low:high].sum() < SPARSE * (paper + ink).sum())


def noise_floor(counts: np.ndarray) -> float:
    """Return the level that the paper's noise does not exceed; 0 without noise."""
    median = quantile(counts, 0.5)
    levels = np.arange(BINS) / (BINS - 1)
    distances = np.abs(levels - median)
    order = np.argsort(distances, kind="stable")
    cumulative = np.cumsum(counts[order])
    middle = int(np.searchsorted(cumulative, 0.5 * cumulative[-1]))
    deviation = DEVIATION_PER_MAD * float(distances[order[middle]])
    return median + NOISE_DEVIATIONS * deviation
