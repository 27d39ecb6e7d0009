"""Counting the frames of a file, up to a limit and without decoding any."""

import struct
from collections.abc import Iterator
from itertools import islice

from PIL import Image

from capsnet_explorer.picture_files.errors import TooMuch

GIF_HEADER = 13  # bytes, including the screen descriptor
GIF_IMAGE = 10  # bytes of an image descriptor, including its separator
EXTENSION, SEPARATOR = 0x21, 0x2C
MOST_BLOCKS = 100_000  # 25 MB in full blocks of 255 bytes; smaller ones are a trap


def has_more_frames(picture: Image.Image, data: bytes, most: int) -> bool:
    """Return whether the file `data` has more than `most` frames.

    Args:
        picture: the opened file, not decoded yet.
        data: the content of the file.
        most: number of frames allowed.

    Raises:
        TooMuch: the file has so many small blocks that counting would take long.
    """
    match picture.format:
        # To count frames, Pillow would read the descriptor of each.
        case "GIF":
            frames = _gif_frames(data)
        case "TIFF":
            frames = _tiff_frames(data)
        case _:
            return getattr(picture, "n_frames", 1) > most
    return next(islice(frames, most, None), None) is not None


def _gif_frames(data: bytes) -> Iterator[int]:
    """Yield the position of each frame of a GIF file, up to any damage."""
    place = GIF_HEADER + _colour_table(data, GIF_HEADER - 3)
    blocks = 0
    while place + GIF_IMAGE < len(data):
        if data[place] == SEPARATOR:
            yield place
            place += GIF_IMAGE + _colour_table(data, place + GIF_IMAGE - 1)
            place += 1  # the width of LZW's first codes
        elif data[place] == EXTENSION:
            place += 2
        else:
            return  # the end, or not a valid block
        while place < len(data) and (size := data[place]):
            place += 1 + size
            blocks += 1
        place += 1
        if blocks > MOST_BLOCKS:
            raise TooMuch(
                f"A picture may have at most {MOST_BLOCKS} blocks; this GIF file has "
                "more."
            )


def _colour_table(data: bytes, flags: int) -> int:
    """Return the size of the colour table that the flags at an offset declare."""
    has_table, size = data[flags] & 0x80, data[flags] & 7
    return 3 * 2 ** (size + 1) if has_table else 0


def _tiff_frames(data: bytes) -> Iterator[int]:
    """Yield the position of each directory of a TIFF file; endless if they loop."""
    order = ">" if data[:2] == b"MM" else "<"
    is_big = 43 in data[2:4]
    pointer = struct.Struct(f"{order}{'Q' if is_big else 'L'}")
    count = struct.Struct(f"{order}{'Q' if is_big else 'H'}")
    entry = 20 if is_big else 12  # bytes
    place = 8 if is_big else 4
    while place + pointer.size <= len(data):
        (start,) = pointer.unpack_from(data, place)
        if start == 0 or start + count.size > len(data):
            return
        yield start
        (entries,) = count.unpack_from(data, start)
        place = start + count.size + entry * entries
