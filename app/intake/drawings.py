"""Drawings of the page: read right here, since there is nothing to decode."""

import re

from PIL import Image

# A greymap of bytes, as `static/js/lib/pgm.js` writes it.
HEADER = re.compile(rb"P5\s([1-9]\d{0,3})\s([1-9]\d{0,3})\s255\s")


def read_drawing(data: bytes, side: int) -> Image.Image | None:
    """Read a small greymap.

    Args:
        data: any file.
        side: px that its long side may have.

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
