"""Conversion of nested lists to arrays: fast if valid, else with an exact error."""

from collections import Counter
from typing import cast

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.app.errors import short


class GridError(ValueError):
    """A value that is not a grid of numbers.

    Attributes:
        path: indexes from the grid to the part at fault; empty for the whole.
    """

    def __init__(self, message: str, path: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


def read_grid(value: object, low: float, high: float) -> NDArray[np.float32]:
    """Turn a list of equally long lists of numbers into an array for a network.

    See `read_exact_grid`.
    """
    return read_exact_grid(value, low, high).astype(np.float32)


def read_exact_grid(value: object, low: float, high: float) -> NDArray[np.float64]:
    """Turn a list of equally long lists of numbers into an array, without rounding.

    Refuses booleans and strings, which NumPy would convert.

    Args:
        value: any JSON value.
        low: smallest number allowed.
        high: largest number allowed.

    Returns:
        (rows, columns), neither of them 0.

    Raises:
        GridError: `value` is not such a list; the message names the first fault.
    """
    if _holds_plain_numbers(value):
        try:
            grid = np.array(value, dtype=np.float64)
        except ValueError:  # rows of different lengths
            grid = np.empty((0, 0))
        # Comparisons with NaN are false, so this refuses NaN.
        if grid.size and bool(((grid >= low) & (grid <= high)).all()):
            return grid
    raise _first_fault(value, low, high)


def read_image(value: object) -> NDArray[np.float32]:
    """Turn rows of numbers in [0, 1], or channels of rows, into an image for a network.

    See `read_exact_image`.
    """
    return read_exact_image(value).astype(np.float32)


def read_exact_image(value: object) -> NDArray[np.float64]:
    """Turn rows of numbers in [0, 1], or channels of rows, into an image.

    Args:
        value: any JSON value; rows are those of a single channel.

    Returns:
        (channels, rows, columns), none of them 0.

    Raises:
        GridError: `value` is neither; the message names the first fault.
    """
    if not _is_nested(value, 3):
        return read_exact_grid(value, 0.0, 1.0)[None]
    channels = []
    for index, channel in enumerate(cast(list[object], value)):
        try:
            channels.append(read_exact_grid(channel, 0.0, 1.0))
        except GridError as error:
            raise GridError(str(error), (index, *error.path)) from None
        (rows, columns), (_, first) = channels[index].shape, channels[0].shape
        if channels[index].shape != channels[0].shape:
            message = (
                f"must have {len(channels[0])} rows of {first} numbers like the first "
                f"channel, got {rows} rows of {columns}"
            )
            raise GridError(message, (index,))
    return np.stack(channels)


def _is_nested(value: object, depth: int) -> bool:
    """Return whether a value begins with `depth` lists, one in the other."""
    for _ in range(depth):
        if not isinstance(value, list) or not value:
            return False
        value = value[0]
    return True


def _holds_plain_numbers(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and set(map(type, row)) <= {int, float} for row in value
    )


def _first_fault(value: object, low: float, high: float) -> GridError:
    if not isinstance(value, list) or not value:
        return GridError(f"must be a list of rows of numbers, got {short(value)}")
    lengths = Counter(len(row) for row in value if isinstance(row, list))
    # Take the most frequent length as right, even if the first row differs.
    width = max(lengths, key=lambda length: lengths[length], default=0)
    for index, row in enumerate(value):
        if not isinstance(row, list) or not row:
            message = f"must be a list of numbers, got {short(row)}"
            return GridError(message, (index,))
        if len(row) != width:
            message = f"must have {width} numbers like other rows, got {len(row)}"
            return GridError(message, (index,))
        for column, number in enumerate(row):
            if not _fits(number, low, high):
                message = f"must be a number in [{low:g}, {high:g}], got "
                return GridError(message + short(number), (index, column))
    raise AssertionError("a grid without a fault was refused")


def _fits(number: object, low: float, high: float) -> bool:
    return type(number) in {int, float} and low <= cast(float, number) <= high
