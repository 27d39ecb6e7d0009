"""The bytes of a file → an upright picture of workable size."""

import math
import re
import warnings
from io import BytesIO

from PIL import AvifImagePlugin, Image, PngImagePlugin

from picture_files.errors import Damaged, Refusal, TooMuch, UnknownKind
from picture_files.frames import has_more_frames
from picture_files.kinds import MILLION, READABLE, Kind, kind_of, other_kind
from picture_files.part import WHOLE, Part, as_stored, pixels
from picture_files.shrinking import WORKING_SIDE, shrunk

MOST_PROGRESSIVE = 40 * MILLION  # of a JPEG that is kept whole until its last scan
MOST_IN_FULL = 24 * MILLION  # of a JPEG of which a small part is asked for
MAX_FRAMES = 256  # of which the first is read
MAX_METADATA = 8 << 20  # bytes; a photo that knows how far things are has a few

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

OUT_OF_MEMORY = re.compile("out of memory|decoder error -9")  # Pillow's words

Image.init()  # registers every kind, which `Image.open` alone does not
PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = MAX_METADATA
AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # as much processor time as all others get


def read(data: bytes, part: Part = WHOLE) -> Image.Image:
    """Decode the first frame of a picture file.

    Args:
        data: a whole file of a kind that is read.
        part: what of the upright picture is asked for.

    Returns:
        That part, upright, of mode L, RGB or RGBa (premultiplied alpha), its long
        side at most `WORKING_SIDE`.

    Raises:
        UnknownKind: it is no picture of a kind that is read.
        TooMuch: it holds more pixels, frames or metadata than are decoded.
        Damaged: it is broken.
    """
    kind = kind_of(data)
    if kind is None:
        raise UnknownKind(
            f"Send a {READABLE} picture; this file is {other_kind(data)}."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of damage that does not matter
        # Decoders answer hostile bytes with nearly every exception there is.
        try:
            return _decoded(data, kind, part)
        except Refusal:
            raise
        except Exception as error:
            raise _as_refusal(error, kind) from error


def _decoded(data: bytes, kind: Kind, part: Part) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = kind.most_pixels // 2  # it warns, and refuses twice that
    picture = Image.open(BytesIO(data), formats=(kind.format,))
    _require_moderation(picture, kind, data)
    side = _side_needed(part, picture.size)
    picture.draft(None, (side, side))
    picture.load()
    turn = _turn(picture)
    if part != WHOLE:
        picture = picture.crop(pixels(as_stored(part, turn), picture.size))
    small = shrunk(picture, WORKING_SIDE)
    return small if turn is None else small.transpose(turn)


def _side_needed(part: Part, size: tuple[int, int]) -> int:
    """Return how large, in px, the picture must be for a part to be fine enough.

    Of very large pictures half of each side has to do.
    """
    side = math.ceil(WORKING_SIDE / min(part[2] - part[0], part[3] - part[1]))
    width, height = size
    return side if width * height <= MOST_IN_FULL else min(side, min(size) // 2)


def _require_moderation(picture: Image.Image, kind: Kind, data: bytes) -> None:
    """Refuse what would take long or much memory to decode.

    Raises:
        TooMuch: there are too many pixels or frames, or too much metadata.
    """
    width, height = picture.size
    most = MOST_PROGRESSIVE if "progressive" in picture.info else kind.most_pixels
    if width * height > most:
        raise _too_large(kind, most, f"this one has {width} by {height}")
    if has_more_frames(picture, data, MAX_FRAMES):
        raise TooMuch(
            f"A picture may have at most {MAX_FRAMES} frames, of which the first is "
            f"read; this {kind.name} file has more."
        )
    if (size := _metadata(picture)) > MAX_METADATA:
        raise _too_much_metadata(kind, f"{size / (1 << 20):.1f}")


def _as_refusal(error: Exception, kind: Kind) -> Refusal:
    """Say what a decoder's exception means to whoever sent the file."""
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
            return _damaged(kind)


def _too_large(kind: Kind, most: int, found: str) -> TooMuch:
    return TooMuch(
        f"A picture may have at most {most // MILLION} million pixels as {kind.name}; "
        f"{found}."
    )


def _too_much_metadata(kind: Kind, found: str) -> TooMuch:
    return TooMuch(
        f"A picture may have at most {MAX_METADATA >> 20} MB of texts, profiles and "
        f"other metadata; this {kind.name} file has {found}."
    )


def _too_heavy(kind: Kind) -> TooMuch:
    return TooMuch(
        f"Send a smaller picture; decoding this {kind.name} file takes too much memory."
    )


def _damaged(kind: Kind) -> Damaged:
    return Damaged(
        f"Send a whole {READABLE} picture; this {kind.name} file is damaged or cut "
        "short."
    )


def _metadata(picture: Image.Image) -> int:
    """Return the bytes of all that is stored beside the pixels."""
    parts = [
        *picture.info.values(),
        *(part for _, part in getattr(picture, "applist", ())),
    ]
    return sum(len(part) for part in parts if isinstance(part, bytes | str))


def _turn(picture: Image.Image) -> Image.Transpose | None:
    """Return what makes the picture upright; damaged EXIF asks nothing."""
    try:
        orientation = picture.getexif().get(ORIENTATION_TAG)
    except Exception:  # EXIF is a small TIFF: the same variety of errors
        return None
    return UPRIGHT.get(orientation) if isinstance(orientation, int) else None
