"""Histograms of grey levels, and Otsu's threshold between two classes."""

import numpy as np
from numpy.typing import NDArray

BINS = 256


def histogram(values: NDArray[np.float32]) -> NDArray[np.int64]:
    """Count values in [0, 1] in `BINS` bins; bin i is around i / (BINS - 1)."""
    scaled = values.ravel() * np.float32(BINS - 1) + np.float32(0.5)
    return np.bincount(scaled.astype(np.uint8), minlength=BINS)


def quantile(counts: NDArray[np.int64], share: float) -> float:
    """Return the level in [0, 1] that `share` of the counted values do not exceed."""
    cumulative = np.cumsum(counts)
    bin_index = int(np.searchsorted(cumulative, share * cumulative[-1]))
    return min(bin_index, BINS - 1) / (BINS - 1)


def otsu_threshold(counts: NDArray[np.int64]) -> float:
    """Return the level that splits the values into the two tightest classes.

    Otsu 1979: the split with the largest variance between the classes. Values above the
    level form the upper class. If several levels split equally well, return their mean.
    """
    levels = np.arange(BINS) / (BINS - 1)
    below = np.cumsum(counts).astype(np.float64)
    above = below[-1] - below
    sum_below = np.cumsum(counts * levels)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_gap = sum_below / below - (sum_below[-1] - sum_below) / above
        variance = np.nan_to_num(below * above * mean_gap**2)
    best = np.flatnonzero(variance >= variance.max() * (1 - 1e-9))
    return float(levels[best].mean())
