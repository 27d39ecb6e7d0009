"""Drawings from the page, read in this process since nothing needs decoding."""

import re

from PIL import Image

# The 8-bit greymap that `static/js/lib/encoding.js` writes.
HEADER = re.compile(rb"P5\s([1-9]\d{0,3})\s([1-9]\d{0,3})\s255\s")


def read_drawing(data: bytes, side: int) -> Image.Image | None:
    """Read a small greymap.

    Returns:
        The picture, of mode L; None if the file is anything else.
    """
    header = HEADER.match(data)
    if header is None:
        return None
    size = width, height = int(header[1]), int(header[2])
    if max(size) > side or len(data) - header.end() != width * height:
        return None
    return Image.frombytes("L", size, data[header.end() :])
