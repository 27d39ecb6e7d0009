"""Which digits images of two show, and where: the same on every machine.

Each digit stands in the middle of a canvas that is 8 pixels higher and wider than its
own image, but for a shift of up to 4 pixels in each direction.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

REACH = 4  # pixels: the largest shift in each direction, and the canvas's margin
TEST_LAYOUT = "test"  # the name of the layout of the test set

Numbers = NDArray[np.int64]


def fixed_pairs(labels: NDArray[np.integer], name: str) -> tuple[Numbers, Numbers]:
    """Lay every digit over another of a different class, the same at every call.

    The numbers are bytes of SHAKE-256, whatever the versions of libraries.

    Args:
        labels: (count,), of at least two classes.
        name: of the layout; another name gives another one.

    Returns:
        (count, 2), the indices of each image's digits, of which the first are all
        digits in their order; and (count, 2, 2), how many pixels down and right each is
        shifted.

    Raises:
        ValueError: the digits are of one class.
    """
    require_two_classes(len(np.unique(labels)))
    count = len(labels)
    second = np.arange(count)
    turn = 0
    while (alike := labels[second] == labels).any():
        second[alike] = _numbers(f"{name} {turn}", count, count)[alike]
        turn += 1
    shifts = _numbers(f"{name} shifts", 4 * count, 2 * REACH + 1) - REACH
    return np.stack([np.arange(count), second], axis=1), shifts.reshape(count, 2, 2)


def require_two_classes(count: int) -> None:
    """Check that digits can be laid over digits of another class.

    Raises:
        ValueError: they are of fewer than two classes.
    """
    if count < 2:
        raise ValueError(
            f"digits that overlap must be of at least two classes, got {count}"
        )


def _numbers(name: str, count: int, below: int) -> Numbers:
    """Return whole numbers from 0 that follow from a name: (count,)."""
    content = hashlib.shake_256(name.encode()).digest(4 * count)
    return np.frombuffer(content, "<u4").astype(np.int64) % below
