"""Colour pictures of things: cut, turned and scaled, with their colours as they are.

Nothing is looked for in such a picture: the network reads all of it, or what is inside
a frame that a person draws.
"""

import math

import numpy as np
from PIL import Image

from capsnet_explorer.pictures.reading.colour import flatten
from capsnet_explorer.pictures.reading.decode import decode
from capsnet_explorer.pictures.reading.doubts import pages_doubts
from capsnet_explorer.pictures.reading.notes import (
    picture_note,
    scaled_note,
    square_note,
)
from capsnet_explorer.pictures.reading.pipeline import in_bytes, require_size
from capsnet_explorer.pictures.reading.report import PICTURE_SIDE, Intake, Step
from capsnet_explorer.pictures.reading.settings import (
    NOTHING_DECIDED,
    WHOLE,
    Overrides,
    Used,
)


def read_photograph(
    data: bytes, size: tuple[int, int], overrides: Overrides = NOTHING_DECIDED
) -> Intake:
    """Convert a colour picture to a network's input.

    Args:
        data: a complete image file.
        size: rows and columns of the result.
        overrides: settings that a person chose; only `crop` and `rotate` count.

    Raises:
        UnknownKind: `data` is not a picture in a supported format.
        Damaged: the picture is damaged.
        TooMuch: the picture exceeds a limit.
        NoDigitFound: the picture is too small.
        Busy: too many pictures are waiting to be decoded.
    """
    whole, ground = flatten(decode(data))
    picture = whole
    if overrides.crop != WHOLE:
        picture, _ = flatten(decode(data, overrides.crop))
    require_size(picture)
    middle = middle_of(picture.convert("RGB"), size, overrides.rotate)
    rows, columns = size
    small = middle.resize((columns, rows), Image.Resampling.LANCZOS)
    pixels = in_bytes(np.asarray(small, np.float32) / np.float32(255))
    notes = (
        picture_note(whole.width, whole.height, ground, overrides.crop),
        square_note(picture.size, middle.size, overrides.rotate),
        scaled_note(rows, columns),
    )
    return Intake(
        image=np.ascontiguousarray(pixels.transpose(2, 0, 1)),
        steps=(
            Step("picture", "Your picture", notes[0], whole, PICTURE_SIDE),
            Step("middle", "Its middle", notes[1], middle),
            Step("scaled", "Scaled", notes[2], pixels),
        ),
        inverted=False,
        found=(),
        chosen=None,
        parts=(),
        used=Used(crop=overrides.crop, rotate=overrides.rotate),
        doubts=pages_doubts(data),
    )


def middle_of(
    picture: Image.Image, size: tuple[int, int], degrees: float
) -> Image.Image:
    """Return the largest part around the middle that has a shape, turned upright.

    Args:
        picture: mode RGB.
        size: rows and columns whose proportions the part has.
        degrees: clockwise rotation of the picture; no corner beyond it is in the part.
    """
    quarters, rest = divmod(round(degrees, 6), 90)
    turns = (None, *(getattr(Image.Transpose, f"ROTATE_{n}") for n in (270, 180, 90)))
    turn = turns[int(quarters) % 4]
    if turn is not None:
        picture = picture.transpose(turn)
    rows, columns = size
    # A part of width w and height h, turned by the rest, is as wide and as high as
    # these say; the factor is the largest with which it fits into the picture.
    cosine, sine = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    across, down = columns * cosine + rows * sine, columns * sine + rows * cosine
    factor = min(picture.width / across, picture.height / down)
    if rest:
        picture = picture.rotate(-rest, Image.Resampling.BICUBIC)
    width, height = (max(1, math.floor(factor * n + 1e-6)) for n in (columns, rows))
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height))
