"""Conversion of any picture to 8-bit grey or colour and a workable size.

Large pictures are converted and shrunk in strips, so that hardly any memory is needed
besides the decoded picture.
"""

import math
from array import array

from PIL import Image

from capsnet_explorer.checks import present

WORKING_SIDE = 400  # px; strokes of a digit a tenth this high are still 2 px wide

STRIP = 1 << 18  # px converted at once; they fit into the processor's cache
LARGEST_SQUARE = 64  # px a side; Pillow's mean of some larger squares is a level off
FINER = 2  # multiple of the size wanted to which a picture is reduced before resizing
WIDE_GREY = {"I", "F", "I;16", "I;16B", "I;16L", "I;16N"}
WHOLE_RANGES = (1.0, 255.0, 65535.0)


def shrunk(picture: Image.Image, side: int) -> Image.Image:
    """Convert a picture, and shrink it by area averaging if it is larger than `side`.

    Args:
        picture: of any mode.
        side: maximum of the long side, in px.

    Returns:
        Mode L, RGB or RGBa (premultiplied alpha).
    """
    factor = min(LARGEST_SQUARE, max(1, max(picture.size) // (FINER * side)))
    if factor == 1:
        plain, box = _plain(picture), None
    else:
        plain = _reduce(picture, factor)
        box = (0, 0, picture.width / factor, picture.height / factor)
    if plain.mode == "F":
        plain = _to_eight_bits(plain, picture.mode)
    size = fitting(picture.size, side)
    if size == plain.size:
        return plain
    return plain.resize(size, Image.Resampling.BOX, box=box)


def fitting(size: tuple[int, int], side: int) -> tuple[int, int]:
    """Return the size of a picture scaled to at most `side` px on its long side."""
    scale = min(1.0, side / max(size))
    width, height = size
    return max(1, round(width * scale)), max(1, round(height * scale))


def _reduce(picture: Image.Image, factor: int) -> Image.Image:
    """Average squares of `factor` by `factor` px; those at the edges may be smaller."""
    width, height = picture.size
    rows = factor * max(1, STRIP // (width * factor))
    reduced: Image.Image | None = None
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(top + rows, height)))
        strip = _plain(strip).reduce(factor)
        if reduced is None:
            reduced = Image.new(strip.mode, (strip.width, -(-height // factor)))
        reduced.paste(strip, (0, top // factor))
    return present(reduced, "a picture of at least one row")


def _plain(picture: Image.Image) -> Image.Image:
    """Convert to L, RGB or RGBa; grey of more than 8 bits to F with the same values."""
    if picture.mode in WIDE_GREY:
        return picture.convert("F")
    if picture.has_transparency_data:
        return picture.convert("RGBA").convert("RGBa")
    if picture.mode in {"L", "1"}:
        return picture.convert("L")
    return picture.convert("RGB")


def _to_eight_bits(picture: Image.Image, mode: str) -> Image.Image:
    """Convert values of mode F to L.

    The range is the first of 0..1, 0..255 and 0..65535 that contains all values, else
    that of the values themselves. Values that are not finite count as 0.

    Args:
        picture: of mode F, small.
        mode: its original mode; integers are taken for 16-bit values.
    """
    values = array("f", picture.tobytes())
    if not all(map(math.isfinite, values)):
        values = array("f", (v if math.isfinite(v) else 0.0 for v in values))
        picture = Image.frombytes("F", picture.size, values.tobytes())
    low, high = min(values), max(values)
    ranges = WHOLE_RANGES if mode == "F" else WHOLE_RANGES[-1:]
    whole = next((top for top in ranges if low >= 0 and high <= top), None)
    if whole is not None:
        low, high = 0.0, whole
    scale = 255 / ((high - low) or 1.0)
    # Conversion to L truncates, so add a half to round.
    return picture.point(lambda value: value * scale + (0.5 - low * scale)).convert("L")
