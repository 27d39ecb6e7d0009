"""From how far pixels stand out of the paper to how much ink covers them."""

from dataclasses import dataclass

import numpy as np

from app.intake.levels import BINS, histogram, otsu_threshold, quantile
from app.intake.windows import Plane

NOISE_DEVIATIONS = 4.0  # paper that stands out less is noise
DEVIATION_PER_MAD = 1.4826  # of a normal distribution
FAINTEST = 0.05  # ink that stands out less cannot be told from blank paper
UNEVEN_FLOOR = 0.2  # of the ink's level: traces of shadows are below
MUCH = 0.35  # of the picture; so much ink would count as the paper's noise
SPARSE = 0.2  # of the pixels: as few are halfway between paper and ink
CORE = 0.4  # of the ink's level: what is surely stroke


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much ink covers each pixel.

    Attributes:
        ink: (rows, columns) in [0, 1]; edges of strokes keep their antialiasing.
        core: (rows, columns) bool, the pixels that are surely stroke.
        level: in [0, 1], how far full ink stands out of the paper; 0 for none.
        start: in parts of that level, what a pixel of `core` has more than.
    """

    ink: Plane
    core: np.ndarray
    level: float
    start: float


def cover(contrast: Plane, *, even: bool, start: float | None = None) -> Coverage:
    """Map paper noise to 0, full ink to 1 and what lies between in proportion.

    Args:
        contrast: (rows, columns) in [0, 1], how far pixels stand out of the paper.
        even: whether the paper was even, so that faint values are antialiasing.
        start: in (0, 1), `Coverage.start` if it is told. What counts as the edge of
            strokes moves along: down to nothing, and up to full ink.
    """
    level, noise = ink_level(histogram(contrast))
    if level == 0:
        return Coverage(
            np.zeros_like(contrast), np.zeros(contrast.shape, bool), 0.0, CORE
        )
    floor = noise if even else max(noise, UNEVEN_FLOOR * level)
    floor = min(floor, 0.5 * level)
    found = max(floor / level, CORE)
    if start is None:
        start = found
    elif start < found:
        floor *= start / found
    else:
        floor += (start - found) * level
    ink = np.clip((contrast - floor) / np.float32(level - floor), 0, 1)
    return Coverage(ink, contrast > start * level, level, start)


def ink_level(counts: np.ndarray) -> tuple[float, float]:
    """Return how far full ink stands out, 0 for none, and how far the paper's noise.

    The level of full ink is the median of the upper class that Otsu's threshold
    finds among the pixels above the noise, so a thin digit on a large sheet counts
    as much as a thick one.
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
    """Return the counts of the paper's levels, where ink is much of the picture."""
    split = otsu_threshold(counts)
    if quantile(counts, 1 - MUCH) <= split:
        return counts
    paper, ink = counts.copy(), counts.copy()
    paper[int(split * (BINS - 1)) + 1 :] = 0
    ink -= paper
    is_most = quantile(counts, 0.5) > split
    return paper if is_most or are_apart(paper, ink) else counts


def are_apart(paper: np.ndarray, ink: np.ndarray) -> bool:
    """Tell whether there is hardly anything between two classes of levels.

    There is if both are one's halves, as with the noise of blank paper.
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
