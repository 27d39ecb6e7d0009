"""What is broader than a stroke can be: paper, shadow or table."""

import numpy as np
from PIL import Image

from app.intake.windows import Plane, window_max, window_min

STROKE_LIMIT = 0.3  # of the short side; anything broader is no stroke


def opening(values: Plane, radius: int) -> Plane:
    """Remove everything light that is narrower than 2·radius + 1.

    The edge pixels go on outside: what the edge cuts off may be broad.
    """
    padded = np.pad(values, radius, mode="edge")
    opened = window_max(window_min(padded, radius), radius)
    return opened[radius:-radius, radius:-radius]


def regrown(opened: Plane, values: Plane) -> Plane:
    """Let what is left of an opening grow again as far as the values let it.

    Whatever goes on to something broad comes back as a whole (opening by
    reconstruction, Vincent 1993), but for what hides behind more than one corner.
    """
    grown = opened.copy()
    for plane, limit in ((grown, values), (grown.T, values.T)):
        sweep(plane, limit)
        sweep(plane[::-1], limit[::-1])
    return grown


def sweep(values: Plane, limit: Plane) -> None:
    """Let each row reach over to the next, in place."""
    for row in range(1, len(values)):
        reached = np.maximum(values[row], values[row - 1])
        np.minimum(reached, limit[row], out=values[row])


def stroke_radius(shape: tuple[int, ...]) -> int:
    """Return half the widest stroke that can be expected, in px, at least 1."""
    return max(1, round(STROKE_LIMIT * min(shape) / 2))


def shrunk(channel: Plane, side: int) -> Plane:
    """Return the channel with its long side about `side` px, by area averaging."""
    factor = max(channel.shape) // side
    if factor < 2:
        return channel
    return np.asarray(Image.fromarray(channel).reduce(factor))
