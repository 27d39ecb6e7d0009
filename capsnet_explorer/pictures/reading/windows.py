"""Sliding windows over a picture: largest, smallest and mean value around a pixel.

All are separable and take only a few passes for any window size.
"""

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


def window_max(values: Plane, radius: int) -> Plane:
    """Return the largest value in the square of side 2·radius + 1 around each pixel.

    Windows are clipped at the picture's edge.
    """
    return running_max(running_max(values, radius).T, radius).T


def window_min(values: Plane, radius: int) -> Plane:
    """Return the smallest value in the square of side 2·radius + 1."""
    return -window_max(-values, radius)


def running_max(values: Plane, radius: int) -> Plane:
    """Return the largest of the 2·radius + 1 values around each, along the rows' axis.

    The maximum over a window is the larger of those over its two halves. So the length
    doubles in each step, and the two windows of the last step overlap.
    """
    rows = len(values)
    radius = min(radius, rows - 1)
    if radius < 1:
        return values
    length = 2 * radius + 1
    result = np.full((rows + 2 * radius, *values.shape[1:]), -np.inf, values.dtype)
    result[radius : radius + rows] = values
    covered = 1
    while covered < length:
        shift = min(covered, length - covered)
        result = np.maximum(result[:-shift], result[shift:])
        covered += shift
    return result


def window_mean(values: Plane, radius: int) -> Plane:
    """Return the mean of the square of side 2·radius + 1, clipped at the edge."""
    return running_mean(running_mean(values, radius).T, radius).T


def running_mean(values: Plane, radius: int) -> Plane:
    """Return the mean of the 2·radius + 1 values around each, along the rows' axis."""
    rows = len(values)
    sums = np.zeros((rows + 1, *values.shape[1:]))
    np.cumsum(values, axis=0, out=sums[1:])
    index = np.arange(rows)
    first = np.maximum(index - radius, 0)
    after = np.minimum(index + radius + 1, rows)
    means = (sums[after] - sums[first]) / (after - first)[:, None]
    return means.astype(np.float32)


def disk_max(values: Plane, radius: int) -> Plane:
    """Return the largest value in an octagon, nearly a disk, of this radius.

    A square dilated by a diamond is an octagon; 0.41 and 0.59 make it regular.
    """
    square = round(0.41 * radius)
    result = window_max(values, square)
    for _ in range(radius - square):
        grown = result.copy()
        np.maximum(grown[1:], result[:-1], out=grown[1:])
        np.maximum(grown[:-1], result[1:], out=grown[:-1])
        np.maximum(grown[:, 1:], result[:, :-1], out=grown[:, 1:])
        np.maximum(grown[:, :-1], result[:, 1:], out=grown[:, :-1])
        result = grown
    return result


def disk_min(values: Plane, radius: int) -> Plane:
    """Return the smallest value in an octagon, nearly a disk, of this radius."""
    return -disk_max(-values, radius)
