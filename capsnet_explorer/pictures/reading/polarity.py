"""Detection of whether the ink is darker or lighter than the paper."""

import numpy as np

from capsnet_explorer.pictures.reading.breadth import opening, shrunk
from capsnet_explorer.pictures.reading.windows import Plane

SAMPLE_SIDE = 96  # px; enough to detect every stroke
WIDTHS = (0.07, 0.15, 0.3)  # of the short side: from usual strokes to the widest


def is_ink_dark(channel: Plane) -> bool:
    """Return whether the ink is darker than the paper.

    Tries both hypotheses: the ink is everything dark and narrow, or everything light
    and narrow. Real ink has an edge all around. Paper between strokes, or between a
    stroke and a shadow, is narrow as well, but continues somewhere; taken for ink, it
    would need an edge there that the picture does not have.

    Args:
        channel: (rows, columns) in [0, 1].
    """
    # Differences are smaller in the shade; square roots make them more equal.
    sample = np.sqrt(shrunk(channel, SAMPLE_SIDE))
    return edges_explained(-sample) >= edges_explained(sample)


def edges_explained(light_ink: Plane) -> float:
    """Return how well narrow light areas, taken for ink, explain a picture's edges.

    Args:
        light_ink: (rows, columns), ink lighter than its paper.

    Returns:
        The energy of the ink's edges that occur in the picture, minus that of edges
        that do not, summed over several definitions of narrow.
    """
    total = 0.0
    for width in WIDTHS:
        radius = max(1, round(width * min(light_ink.shape) / 2))
        ink = light_ink - opening(light_ink, radius)
        for axis in (0, 1):
            step, edge = np.diff(ink, axis=axis), np.diff(light_ink, axis=axis)
            shared = np.minimum(np.abs(step), np.abs(edge)) * (step * edge > 0)
            edges = np.abs(step) - shared
            total += float(np.sum(shared * shared) - np.sum(edges * edges))
    return total
