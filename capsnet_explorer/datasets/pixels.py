"""Numbers as images and labels: which of them are black and white, rows and columns."""

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.form import COLOUR, GREY, LARGEST_SIDE
from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.datasets.text import encoding_of

Range = tuple[int, int]
BYTES: Range = (0, 255)
# What stands for black and for white, in the order in which they are tried: shares,
# the 8x8 digits of UCI's collections, centred shares, and 8, 10, 12 and 16 bits.
RANGES: tuple[Range, ...] = (
    *((0, 1), (0, 16), (-1, 1)),
    *(BYTES, (0, 1023), (0, 4095), (0, 65535)),
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The images of one part.

    Attributes:
        images: (count, channels, rows, columns).
        labels: (count), whole numbers or words, as the file has them.
        range: what stood for black and for white.
        lines: sentences on what was taken for what.
        warnings: sentences on what is strange.
    """

    images: Bytes
    labels: NDArray[Any]
    range: Range = BYTES
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def range_of(array: NDArray[Any]) -> Range:
    """Return what stands for black and for white in an array of brightnesses.

    The least of `RANGES` that holds all numbers is taken.

    Raises:
        BrokenFile: they are no numbers, or in none of these ranges.
    """
    if array.dtype == bool:
        return RANGES[0]
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise BrokenFile(f"images must be numbers, got {array.dtype}")
    if not np.isfinite(array).all():
        raise BrokenFile("images must have finite numbers, got nan or infinity")
    low, high = (float(end) for end in (array.min(initial=0), array.max(initial=0)))
    if low == high == 0:
        return BYTES
    for black, white in RANGES:
        if black <= low and high <= white:
            return black, white
    known = ", ".join(f"{black} to {white}" for black, white in RANGES)
    raise BrokenFile(
        f"images must have numbers in a usual range ({known}), got {low:g} to {high:g}"
    )


def range_words(span: Range) -> list[str]:
    """Say what was taken for black and for white, where it is not the usual."""
    if span == BYTES:
        return []
    return [f"Numbers from {span[0]} to {span[1]} are taken as black to white."]


def beyond_words(array: NDArray[Any], span: Range, of: str | None) -> tuple[str, ...]:
    """Warn of numbers that are darker than black or lighter than white, if any are.

    Args:
        array: of brightnesses.
        span: what stands for black and for white in the training images.
        of: the part or the file that they are of.
    """
    black, white = span
    share = float(((array < black) | (array > white)).mean()) if array.size else 0
    if not share:
        return ()
    return (
        f"{share:.1%} of the numbers of {of} lie beyond {black} to {white}, the range "
        "of the training images: they become black or white.",
    )


def as_images(array: NDArray[Any], span: Range | None = None) -> Bytes:
    """Return an array of pictures as bytes: (count, channels, rows, columns).

    Args:
        array: (count, rows, columns), or with channels after or before these, or
            (count, pixels) of square images.
        span: what stands for black and for white; None takes what `range_of` finds.
            What lies beyond becomes black or white.

    Raises:
        BrokenFile: it has another form, or numbers that are no brightness.
    """
    array = _arrange_axes(array)
    black, white = span or range_of(array)
    if array.dtype == np.uint8 and (black, white) == BYTES:
        return array
    levels = (array.astype(np.float32) - black) * np.float32(255 / (white - black))
    return np.rint(levels.clip(0, 255)).astype(np.uint8)


def count_first(
    array: NDArray[Any], count: int, name: str
) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Return images with their number first, and what is to be told of their axes.

    MATLAB has the number last: rows, columns, channels, images.
    """
    if array.ndim < 2 or array.shape[-1] != count:
        return array, ()
    shape = f"{name} ({' x '.join(map(str, array.shape))})"
    if array.shape[0] == count:
        line = f"Either axis of {shape} could count the images: the first is taken."
        return array, (line,)
    line = f"The last axis of {shape} counts the images, as MATLAB has it."
    return np.moveaxis(array, -1, 0), (line,)


def _arrange_axes(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim == 2:
        return squared(array)
    if array.ndim == 3:
        return array[:, None]
    if array.ndim == 4 and array.shape[3] in (GREY, COLOUR):
        return np.ascontiguousarray(array.transpose(0, 3, 1, 2))
    if array.ndim == 4 and array.shape[1] in (GREY, COLOUR):
        return array
    if array.ndim == 4 and array.shape[3] == 4:
        raise BrokenFile("images must be grey or colour, got four channels")
    raise BrokenFile(
        f"images must have a number, rows and columns, and perhaps {GREY} or {COLOUR} "
        f"channels, got the shape {' x '.join(map(str, array.shape))}"
    )


def squared(array: NDArray[Any], size: tuple[int, int] | None = None) -> NDArray[Any]:
    """Return rows of pixels as images: (count, channels, rows, columns).

    Args:
        array: (count, pixels); the three numbers of a colour stand together.
        size: rows and columns; None takes squares.

    Raises:
        BrokenFile: the number of pixels does not fit.
    """
    count, pixels = array.shape
    for channels in (GREY, COLOUR):
        side = isqrt(pixels // channels)
        rows, columns = size or (side, side)
        if (
            rows * columns * channels == pixels
            and 0 < max(rows, columns) <= LARGEST_SIDE
        ):
            images = array.reshape(count, rows, columns, channels)
            return np.ascontiguousarray(images.transpose(0, 3, 1, 2))
    wanted = "square images" if size is None else f"images of {size[0]}x{size[1]}"
    raise BrokenFile(
        f"{pixels} numbers must be the pixels of {wanted}, grey or in colour"
        + ("; their size can be given" if size is None else "")
    )


def as_labels(array: NDArray[Any]) -> NDArray[Any]:
    """Return one label for each image, a whole number or a word.

    Args:
        array: (count), (count, 1), (1, count), or (count, classes) with a single 1 in
            each row.

    Raises:
        BrokenFile: it has another form.
    """
    if array.ndim == 2 and 1 in array.shape:
        array = array.reshape(-1)
    if array.ndim == 2 and np.isin(array, (0, 1)).all() and (array.sum(1) == 1).all():
        return array.argmax(1)
    if array.ndim != 1:
        raise BrokenFile(
            "labels must have one number or word for each image, got the shape "
            f"{' x '.join(map(str, array.shape))}"
        )
    return _words_or_numbers(array)


def _words_or_numbers(array: NDArray[Any]) -> NDArray[Any]:
    match array.dtype.kind:
        case "U":
            return array
        case "S":
            words = array.tolist()
            encoding = encoding_of(words)
            return np.array([word.decode(encoding, "replace") for word in words])
        case "i" | "u" | "b":
            return array.astype(np.int64)
        case "f" if np.isfinite(array).all() and (array == np.rint(array)).all():
            return array.astype(np.int64)
    raise BrokenFile(f"labels must be whole numbers or words, got {array.dtype}")
