"""Bytes to an upright picture of workable size, whatever the format and pixel type."""

from io import BytesIO

import numpy as np
from PIL import Image

from app.intake.errors import ImageTooLarge, UnreadableImage

Image.init()  # registers WebP and TIFF, which `Image.open` alone does not
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")  # JPEG opens MPO too
READABLE = "PNG, JPEG, WebP, GIF, BMP, TIFF, PGM or PPM"
MAX_PIXELS = 64_000_000  # above every phone's full-size photo; 256 MB decoded as RGBA
WORKING_SIDE = 400  # px; strokes of a digit a tenth this high are still 2 px wide

ORIENTATION_TAG = 0x0112  # EXIF
UPRIGHT = {  # EXIF orientation -> what makes the picture upright
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
WIDE_GREY = {"I", "F", "I;16", "I;16B", "I;16L", "I;16N"}


def decode(data: bytes) -> Image.Image:
    """Decode the first frame of an image file.

    Args:
        data: a whole file of one of `FORMATS`.

    Returns:
        An upright picture of mode L, RGB or RGBa (premultiplied alpha), its long
        side at most `WORKING_SIDE`.

    Raises:
        UnreadableImage: no such file, or a broken one.
        ImageTooLarge: it declares more than `MAX_PIXELS`.
    """
    if not data:
        raise UnreadableImage(f"Send a {READABLE} picture; the file is empty.")
    picture = opened(data)
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise too_large(f"this one has {width} by {height}")
    # Decoders answer hostile bytes with nearly every exception there is
    # (struct.error, KeyError, zlib.error, ...): all mean the same to the sender.
    try:
        picture.draft(None, (WORKING_SIDE, WORKING_SIDE))
        picture.load()
        picture = plain_mode(upright(picture))
    except Exception as error:
        raise UnreadableImage(
            f"Send a whole {READABLE} picture; this {picture.format} file is "
            "damaged or cut short."
        ) from error
    return at_most(picture, WORKING_SIDE)


def opened(data: bytes) -> Image.Image:
    """Read the header only."""
    try:
        return Image.open(BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise too_large("this one declares far more") from error
    except Exception as error:  # as in `decode`
        raise UnreadableImage(
            f"Send a {READABLE} picture; this file is none of them or its "
            "beginning is damaged."
        ) from error


def too_large(found: str) -> ImageTooLarge:
    """Return the error for a picture of too many pixels."""
    return ImageTooLarge(
        f"A picture may have at most {MAX_PIXELS // 1_000_000} million pixels; {found}."
    )


def upright(picture: Image.Image) -> Image.Image:
    """Turn the picture as its EXIF orientation asks; damaged EXIF asks nothing."""
    try:
        orientation = picture.getexif().get(ORIENTATION_TAG)
    except Exception:  # EXIF is a small TIFF: the same variety of errors
        return picture
    turn = UPRIGHT.get(orientation) if isinstance(orientation, int) else None
    return picture if turn is None else picture.transpose(turn)


def plain_mode(picture: Image.Image) -> Image.Image:
    """Convert any pixel type to L, RGB or RGBa."""
    if picture.mode in WIDE_GREY:
        return from_wide_grey(picture)
    if picture.has_transparency_data:
        return picture.convert("RGBA").convert("RGBa")
    if picture.mode in {"L", "1"}:
        return picture.convert("L")
    return picture.convert("RGB")


def from_wide_grey(picture: Image.Image) -> Image.Image:
    """Convert 16-bit, 32-bit or float grey to L.

    The range 0..1, 0..255 or 0..65535 that holds all values is taken for the whole
    range; where none does, the values' own.
    """
    values = np.nan_to_num(
        np.asarray(picture).astype(np.float64), posinf=0.0, neginf=0.0
    )
    low, high = float(values.min()), float(values.max())
    ranges = (1.0, 255.0, 65535.0) if picture.mode == "F" else (65535.0,)
    whole = next((top for top in ranges if low >= 0 and high <= top), None)
    if whole is not None:
        low, high = 0.0, whole
    levels = (values - low) / ((high - low) or 1.0)
    return Image.fromarray(np.rint(levels * 255).astype(np.uint8))


def at_most(picture: Image.Image, side: int) -> Image.Image:
    """Shrink by area averaging until the long side is at most `side` px."""
    longest = max(picture.size)
    if longest <= side:
        return picture
    width, height = (max(1, round(size * side / longest)) for size in picture.size)
    return picture.resize((width, height), Image.Resampling.BOX, reducing_gap=2.0)
