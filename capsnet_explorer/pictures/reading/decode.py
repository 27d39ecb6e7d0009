"""Decoding of any picture file to an upright picture of workable size."""

import atexit
import os

from PIL import Image

from capsnet_explorer.pictures.decoding.part import pixels
from capsnet_explorer.pictures.decoding.shrinking import WORKING_SIDE
from capsnet_explorer.pictures.reading.decoder_pool import DecoderPool
from capsnet_explorer.pictures.reading.drawings import read_drawing
from capsnet_explorer.pictures.reading.settings import WHOLE, Box

decoders = DecoderPool()
atexit.register(decoders.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=decoders.abandon)


def decode(data: bytes, box: Box = WHOLE) -> Image.Image:
    """Decode the first frame of an image file, or a part of it.

    Drawings from the page are read in this process. A separate process decodes all
    other files, since a damaged file may crash it.

    Args:
        data: a complete file of one of `pictures.decoding.kinds.READ`.
        box: the part to decode; a small part keeps the file's resolution.

    Returns:
        That part of the upright picture, of mode L, RGB or RGBa (premultiplied alpha),
        its long side at most `WORKING_SIDE`.

    Raises:
        UnknownKind: the file has another format.
        Damaged: the file is damaged.
        TooMuch: it has too many pixels, frames or too much metadata.
        Busy: too many pictures are waiting to be decoded.
    """
    drawing = read_drawing(data, WORKING_SIDE)
    if drawing is not None:
        return drawing.crop(pixels(box.sides, drawing.size))
    return decoders.decode(data, box.sides)
