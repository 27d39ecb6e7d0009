"""Bytes to an upright picture of workable size, whatever the format and pixel type."""

import atexit
import os

from PIL import Image

from app.intake.decoder_pool import DecoderPool
from app.intake.drawings import read_drawing
from app.intake.errors import DamagedImage, ImageTooLarge, UnreadableImage
from app.intake.settings import WHOLE, Box
from picture_files.errors import Damaged, TooMuch, UnknownKind
from picture_files.part import pixels
from picture_files.shrinking import WORKING_SIDE

decoders = DecoderPool()
atexit.register(decoders.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=decoders.abandon)


def decode(data: bytes, box: Box = WHOLE) -> Image.Image:
    """Decode the first frame of an image file, or a part of it.

    Drawings of the page are read here, everything else by a process of its own, which
    a broken file may take down.

    Args:
        data: a whole file of one of `picture_files.kinds.READ`.
        box: what of it is asked for; a small part comes as fine as the file has it.

    Returns:
        That part of the upright picture, of mode L, RGB or RGBa (premultiplied alpha),
        its long side at most `WORKING_SIDE`.

    Raises:
        UnreadableImage: it is no such file.
        DamagedImage: it is a broken one.
        ImageTooLarge: it holds more pixels, frames or metadata than are decoded.
        Overloaded: too many pictures wait to be decoded.
    """
    drawing = read_drawing(data, WORKING_SIDE)
    if drawing is not None:
        return drawing.crop(pixels(box.sides, drawing.size))
    try:
        return decoders.decode(data, box.sides)
    except UnknownKind as error:
        raise UnreadableImage(str(error)) from error
    except TooMuch as error:
        raise ImageTooLarge(str(error)) from error
    except Damaged as error:
        raise DamagedImage(str(error)) from error
