"""Decoding of a file to an upright picture of workable size."""

import math
import re
import warnings
from io import BytesIO

from PIL import AvifImagePlugin, Image, PngImagePlugin

from capsnet_explorer.pictures.decoding.errors import (
    Damaged,
    Refusal,
    TooMuch,
    UnknownKind,
)
from capsnet_explorer.pictures.decoding.frames import has_more_frames
from capsnet_explorer.pictures.decoding.kinds import (
    HEIF,
    MILLION,
    READ,
    READABLE,
    Kind,
    kind_of,
    other_kind,
)
from capsnet_explorer.pictures.decoding.part import WHOLE, Part, as_stored, pixels
from capsnet_explorer.pictures.decoding.shrinking import WORKING_SIDE, shrunk

MOST_PROGRESSIVE = 40 * MILLION  # px of a JPEG kept in memory until its last scan
MOST_IN_FULL = 24 * MILLION  # px of a JPEG decoded in full for a small part
MAX_FRAMES = 256  # only the first that is not blank is read
PAGED = ("TIFF", "GIF")
MOST_BLANK = 8  # pages or frames that are passed over for being blank
MAX_METADATA = 8 << 20  # bytes; a photograph with a depth map has a few MB

ORIENTATION_TAG = 0x0112  # EXIF
UPRIGHT = {  # EXIF orientation -> operation that makes the picture upright
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

OUT_OF_MEMORY = re.compile("out of memory|decoder error -9")  # Pillow's messages

Image.init()  # registers every format, which `Image.open` alone does not
PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = MAX_METADATA
if any(kind.codec == HEIF for kind in READ):
    import pillow_heif

    pillow_heif.options.DECODE_THREADS = 1
    pillow_heif.options.THUMBNAILS = False
    pillow_heif.register_heif_opener()
AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # one core, as for all other formats


def read(data: bytes, part: Part = WHOLE) -> Image.Image:
    """Decode the first frame of a picture file that is not blank.

    Args:
        data: a complete file in a supported format.
        part: the part of the upright picture to return.

    Returns:
        That part, upright, of mode L, RGB or RGBa (premultiplied alpha), its long
        side at most `WORKING_SIDE`.

    Raises:
        UnknownKind: the format is not supported.
        TooMuch: the file has too many pixels, frames or too much metadata.
        Damaged: the file is damaged.
    """
    kind = kind_of(data)
    if kind is None:
        raise UnknownKind(
            f"Send a {READABLE} picture; this file is {other_kind(data)}."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about harmless damage
        # Hostile bytes make decoders raise nearly any exception.
        try:
            return _decode(data, kind, part)
        except Refusal:
            raise
        except Exception as error:
            raise _as_refusal(error, kind) from error


def _decode(data: bytes, kind: Kind, part: Part) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = kind.most_pixels // 2  # Pillow refuses twice as many
    picture = Image.open(BytesIO(data), formats=(kind.format,))
    _require_moderation(picture, kind, data)
    side = _side_needed(part, picture.size)
    picture.draft(None, (side, side))
    picture.load()
    _pass_blank_pages(picture)
    turn = _turn(picture)
    if part != WHOLE:
        picture = picture.crop(pixels(as_stored(part, turn), picture.size))
    small = shrunk(picture, WORKING_SIDE)
    return small if turn is None else small.transpose(turn)


def _pass_blank_pages(picture: Image.Image) -> None:
    """Load the first page or frame that shows something, if one of the first does."""
    if picture.format not in PAGED or not _is_blank(picture):
        return
    size = picture.size
    try:
        for page in range(1, MOST_BLANK + 1):
            picture.seek(page)
            if picture.size != size:  # its pixels are not counted yet
                break
            picture.load()
            if not _is_blank(picture):
                return
    except EOFError:  # that was the last
        pass
    picture.seek(0)
    picture.load()


def _is_blank(picture: Image.Image) -> bool:
    # Pillow finds no extremes of palettes and of wide grey before they are converted.
    wide = "I" if picture.mode.startswith("I;") else picture.mode
    visible = picture.convert("RGB" if picture.mode == "P" else wide)
    return all(
        low == high for low, high in (band.getextrema() for band in visible.split())
    )


def _side_needed(part: Part, size: tuple[int, int]) -> int:
    """Return the long side, in px, at which to decode so that a part is fine enough.

    Very large pictures are decoded at half of each side at most.
    """
    side = math.ceil(WORKING_SIDE / min(part[2] - part[0], part[3] - part[1]))
    width, height = size
    return side if width * height <= MOST_IN_FULL else min(side, min(size) // 2)


def _require_moderation(picture: Image.Image, kind: Kind, data: bytes) -> None:
    """Refuse pictures that would take too much time or memory to decode."""
    width, height = picture.size
    most = MOST_PROGRESSIVE if "progressive" in picture.info else kind.most_pixels
    if width * height > most:
        raise _too_large(kind, most, f"this one has {width} by {height}")
    if has_more_frames(picture, data, MAX_FRAMES):
        raise TooMuch(
            f"A picture may have at most {MAX_FRAMES} frames, and only the first is "
            f"read; this {kind.name} file has more."
        )
    if (size := _metadata(picture)) > MAX_METADATA:
        raise _too_much_metadata(kind, f"{size / (1 << 20):.1f}")


def _as_refusal(error: Exception, kind: Kind) -> Refusal:
    """Translate a decoder's exception into a message for the sender of the file."""
    match error:
        case Image.DecompressionBombError():
            return _too_large(kind, kind.most_pixels, "this one declares more")
        case ValueError() if "MAX_TEXT" in str(error):
            return _too_much_metadata(kind, "more")
        case MemoryError():
            return _too_heavy(kind)
        case OSError() if OUT_OF_MEMORY.search(str(error)):
            return _too_heavy(kind)
        case _:  # struct.error, KeyError, zlib.error, and many more
            return _damage_words(kind)


def _too_large(kind: Kind, most: int, excess: str) -> TooMuch:
    return TooMuch(
        f"A picture may have at most {most // MILLION} million pixels as {kind.name}; "
        f"{excess}."
    )


def _too_much_metadata(kind: Kind, excess: str) -> TooMuch:
    return TooMuch(
        f"A picture may have at most {MAX_METADATA >> 20} MB of text, profiles and "
        f"other metadata; this {kind.name} file has {excess}."
    )


def _too_heavy(kind: Kind) -> TooMuch:
    return TooMuch(
        f"Send a smaller picture; decoding this {kind.name} file takes too much memory."
    )


def _damage_words(kind: Kind) -> Damaged:
    return Damaged(
        f"Send an undamaged {READABLE} picture; this {kind.name} file is damaged or "
        "incomplete."
    )


def _metadata(picture: Image.Image) -> int:
    """Return the size in bytes of everything stored beside the pixels."""
    parts = [
        *picture.info.values(),
        *(part for _, part in getattr(picture, "applist", ())),
    ]
    return sum(len(part) for part in parts if isinstance(part, bytes | str))


def _turn(picture: Image.Image) -> Image.Transpose | None:
    """Return the operation that makes the picture upright; None for damaged EXIF."""
    try:
        orientation = picture.getexif().get(ORIENTATION_TAG)
    except Exception:  # EXIF is a small TIFF, with the same variety of errors
        return None
    return UPRIGHT.get(orientation) if isinstance(orientation, int) else None
