"""Is the ink darker or lighter than the paper?"""

import numpy as np

from app.intake.breadth import opening, regrown, shrunk
from app.intake.windows import Plane

SAMPLE_SIDE = 96  # px; enough to see every stroke
WIDTHS = (0.07, 0.15, 0.3)  # of the short side: from usual strokes to the widest
CLEARLY = 10  # times better explained: there is no doubt


def is_ink_dark(channel: Plane) -> bool:
    """Tell whether the ink is the darker part of the picture.

    Both answers are tried: whatever is dark and narrow may be ink, or whatever is
    light and narrow. Real ink stands out all around. The paper between strokes, or
    between a stroke and a shadow's edge, is narrow as well, but goes on somewhere:
    there its border would be one that the picture does not have.

    Args:
        channel: (rows, columns) in [0, 1].
    """
    # In the shade all differences are small: square roots make them more alike.
    sample = np.sqrt(shrunk(channel, SAMPLE_SIDE))
    dark, light = edges_explained(-sample), edges_explained(sample)
    if dark >= light or light >= CLEARLY * dark:
        return bool(dark >= light)
    # The lit corner of a sheet between a table and a shadow is light and narrow, too,
    # but goes on to where it is broad. Ink does not.
    return dark >= edges_explained(sample, alone=True)


def edges_explained(light_ink: Plane, *, alone: bool = False) -> float:
    """Return how well narrow light things as ink explain the edges of a picture.

    Args:
        light_ink: (rows, columns), ink lighter than its paper.
        alone: count only what does not go on to something as light and broad.

    Returns:
        The energy of the ink's edges that are the picture's, less that of those
        which are not, summed over several ideas of what is narrow.
    """
    total = 0.0
    for width in WIDTHS:
        radius = max(1, round(width * min(light_ink.shape) / 2))
        ground = opening(light_ink, radius)
        if alone:
            ground = regrown(ground, light_ink)
        ink = light_ink - ground
        for axis in (0, 1):
            step, seen = np.diff(ink, axis=axis), np.diff(light_ink, axis=axis)
            shared = np.minimum(np.abs(step), np.abs(seen)) * (step * seen > 0)
            made = np.abs(step) - shared
            total += float(np.sum(shared * shared) - np.sum(made * made))
    return total
