"""Counting the frames of a file, up to a limit and without decoding any."""

import struct
from collections.abc import Iterator
from itertools import islice

from PIL import Image

from capsnet_explorer.pictures.decoding.errors import Refusal, TooMuch

GIF_HEADER = 13  # bytes, including the screen descriptor
GIF_IMAGE = 10  # bytes of an image descriptor, including its separator
EXTENSION, SEPARATOR = 0x21, 0x2C
PNG_HEAD = 1 << 16  # bytes, before the pixels, in which an animated PNG says it is one
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
    return _are_more(frames, most)


def has_further_pages(data: bytes) -> bool:
    """Tell whether a file has several pages, frames or sizes, of which one is read.

    Nothing is decoded. Formats are GIF, TIFF, icons, and animated PNG and WebP.
    """
    try:
        if data[:4] in (b"GIF8",):
            return _are_more(_gif_frames(data), 1)
        if data[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
            return _are_more(_tiff_frames(data), 1)
        if data[:4] == b"\0\0\1\0":
            return int.from_bytes(data[4:6], "little") > 1
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            start = data.find(b"acTL", 0, PNG_HEAD)
            return start > 0 and int.from_bytes(data[start + 4 : start + 8], "big") > 1
        return data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X" and bool(data[20] & 2)
    except (Refusal, IndexError, struct.error):  # damaged, as its reader will say
        return False


def _are_more(frames: Iterator[int], most: int) -> bool:
    return next(islice(frames, most, None), None) is not None


def _gif_frames(data: bytes) -> Iterator[int]:
    """Yield the position of each frame of a GIF file, up to any damage."""
    offset = GIF_HEADER + _colour_table(data, GIF_HEADER - 3)
    blocks = 0
    while offset + GIF_IMAGE < len(data):
        if data[offset] == SEPARATOR:
            yield offset
            offset += GIF_IMAGE + _colour_table(data, offset + GIF_IMAGE - 1)
            offset += 1  # the width of LZW's first codes
        elif data[offset] == EXTENSION:
            offset += 2
        else:
            return  # the end, or not a valid block
        while offset < len(data) and (size := data[offset]):
            offset += 1 + size
            blocks += 1
        offset += 1
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
    offset = 8 if is_big else 4
    while offset + pointer.size <= len(data):
        (start,) = pointer.unpack_from(data, offset)
        if start == 0 or start + count.size > len(data):
            return
        yield start
        (entries,) = count.unpack_from(data, start)
        offset = start + count.size + entry * entries
