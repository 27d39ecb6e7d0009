"""Two digits on top of each other, and whose ink each pixel has."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

INK = 0.2  # ink above this counts as a digit's own

Pixels = NDArray[np.floating]


def placed(image: Pixels, shift: Sequence[int], canvas: Sequence[int]) -> Pixels:
    """Place an image in the middle of a canvas, and move it by whole pixels.

    Args:
        image: (rows, columns), at most as large as the canvas.
        shift: pixels right and down; what leaves the canvas is lost.
        canvas: rows and columns.

    Returns:
        (rows, columns) of the canvas, 0 around the image.
    """
    picture = np.zeros(tuple(canvas), image.dtype)
    onto, source = [], []
    for size, room, move in zip(image.shape, canvas, reversed(shift), strict=True):
        first = (room - size) // 2 + move
        onto.append(slice(max(first, 0), max(min(first + size, room), 0)))
        source.append(slice(max(-first, 0), max(min(size, room - first), 0)))
    picture[tuple(onto)] = image[tuple(source)]
    return picture


def overlaid(first: Pixels, second: Pixels) -> Pixels:
    """Return the clipped sum of two images in [0, 1] of the same size."""
    return np.minimum(first + second, 1)


def owners(first: Pixels, second: Pixels) -> NDArray[np.uint8]:
    """Return whose ink a pixel has: 0 none's, 1 the first's, 2 the other's, 3 both's.

    Args:
        first: (..., rows, columns), a digit alone on the canvas, in [0, 1].
        second: same shape.
    """
    return ((first > INK) + 2 * (second > INK)).astype(np.uint8)


def shared_ink(first: Pixels, second: Pixels) -> float:
    """Return the share of the smaller digit's inked pixels that both have, in [0, 1].

    Args:
        first: (rows, columns), a digit alone on the canvas, in [0, 1].
        second: same shape.
    """
    least = min((first > INK).sum(), (second > INK).sum())
    return float((owners(first, second) == 3).sum() / least) if least else 0.0
