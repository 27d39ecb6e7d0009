"""Detection of anything broader than a stroke: paper, shadow or table."""

import numpy as np
from PIL import Image

from capsnet_explorer.pictures.reading.windows import Plane, window_max, window_min

STROKE_LIMIT = 0.3  # of the short side; strokes are narrower


def opening(values: Plane, radius: int) -> Plane:
    """Remove everything light that is narrower than 2·radius + 1 (grey opening).

    The picture is extended by its edge pixels, since the edge may cut off something
    broad.
    """
    padded = np.pad(values, radius, mode="edge")
    opened = window_max(window_min(padded, radius), radius)
    return opened[radius:-radius, radius:-radius]


def stroke_radius(shape: tuple[int, ...]) -> int:
    """Return half the width of the widest plausible stroke, in px, at least 1."""
    return max(1, round(STROKE_LIMIT * min(shape) / 2))


def shrunk(channel: Plane, side: int) -> Plane:
    """Return the channel with its long side about `side` px, by area averaging."""
    factor = max(channel.shape) // side
    if factor < 2:
        return channel
    return np.asarray(Image.fromarray(channel).reduce(factor))
