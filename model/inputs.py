"""What people give as a picture in Python: files of all kinds, arrays, others."""

import io
import os
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capsnet_explorer.model.settings import Shape

File = str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO
Picture = File | ArrayLike

# Modes of Pillow's images that PNG files can have, and others that TIFF files can.
_AS_PNG = {"1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA"}
_AS_TIFF = {"F", "CMYK", "YCbCr", "LAB", "PA"}


def bytes_of(picture: Any) -> bytes | None:
    """Return the content of a picture file; None of what is none.

    Args:
        picture: a path, the content itself, an open file, or an image of Pillow's.

    Raises:
        OSError: the file cannot be read.
        TypeError: the file was opened as text.
    """
    if isinstance(picture, bytes | bytearray | memoryview):
        return bytes(picture)
    if isinstance(picture, str | os.PathLike):
        return Path(picture).read_bytes()
    if hasattr(picture, "read"):
        content = picture.read()
        if not isinstance(content, bytes | bytearray | memoryview):
            raise TypeError(
                "a picture's file must be opened as bytes, open(path, 'rb'), got "
                f"{type(content).__name__}"
            )
        return bytes(content)
    if hasattr(picture, "tobitmap") and hasattr(picture, "save"):  # one of Pillow's
        mode = picture.mode
        plain = picture if mode in _AS_PNG | _AS_TIFF else picture.convert("RGBA")
        file = io.BytesIO()
        plain.save(file, "TIFF" if mode in _AS_TIFF else "PNG")
        return file.getvalue()
    return None


def image_of(picture: Any, shape: Shape) -> NDArray[np.float32]:
    """Return an array as the network's input: (channels, rows, columns) in [0, 1].

    Args:
        picture: of that shape, (rows, columns, channels) or, of one channel, (rows,
            columns); whatever NumPy makes an array of numbers of.
        shape: of the input.

    Raises:
        TypeError: it is no array of numbers.
        ValueError: it has another shape, or numbers outside of 0..1.
    """
    if hasattr(picture, "detach"):  # a tensor of PyTorch's that has a gradient
        picture = picture.detach()
    try:
        array = np.asarray(picture)
    except ValueError:  # rows of several lengths
        array = np.asarray(None)
    if array.dtype.kind not in "biuf" or not array.ndim:
        raise TypeError(
            "picture must be a path, bytes, a file, an image of Pillow's or an array "
            f"of numbers, got {type(picture).__name__}; several pictures are traced "
            "one by one"
        )
    image = array.astype(np.float32)
    if array.dtype == np.uint8:
        image /= 255
    if image.ndim == 2:
        image = image[None]
    elif image.shape == (*shape[1:], shape[0]):
        image = image.transpose(2, 0, 1)
    if image.shape != shape:
        several = array.ndim > len(shape) or (array.ndim == 3 and shape[0] == 1)
        raise ValueError(
            f"the image must be {shape[1:] if shape[0] == 1 else shape}, got "
            f"{array.shape}; "
            + (
                "several are traced one by one"
                if several
                else "a picture of another size is converted if it is given as a file "
                "or as an image of Pillow's"
            )
        )
    if not ((image >= 0) & (image <= 1)).all():
        raise ValueError(
            "the image must have numbers in 0..1, or uint8, got "
            f"{image.min():g}..{image.max():g}"
        )
    return image
