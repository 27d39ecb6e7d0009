"""Encoding of pictures in the formats that people send."""

from collections.abc import Callable
from io import BytesIO

import numpy as np
from PIL import Image

from benchmarks.intake.scene import Scene

ORIENTATION_TAG = 0x0112  # EXIF
LYING = {  # EXIF orientation -> operation that stores the upright picture
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}

File = Callable[[Scene], bytes]


def png(scene: Scene) -> bytes:
    """Save without loss."""
    return _saved(image_of(scene), "PNG", compress_level=1)


def jpeg(least: int, most: int) -> File:
    """Save with a quality from `least` to `most`, out of 100."""

    def save(scene: Scene) -> bytes:
        quality = int(scene.random.integers(least, most + 1))
        return _saved(image_of(scene), "JPEG", quality=quality)

    return save


def turned_jpeg(scene: Scene) -> bytes:
    """Save the picture rotated or mirrored, with the matching EXIF orientation."""
    orientation = int(scene.random.integers(1, 9))
    picture, turn = image_of(scene), LYING[orientation]
    exif = Image.Exif()
    exif[ORIENTATION_TAG] = orientation
    stored = picture if turn is None else picture.transpose(turn)
    return _saved(stored, "JPEG", quality=90, exif=exif)


def image_of(scene: Scene) -> Image.Image:
    """Return the scene as an image of bytes."""
    return Image.fromarray(np.rint(scene.picture * 255).astype(np.uint8))


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
