"""The supported file formats, and others, recognised by their first bytes."""

import re
from dataclasses import dataclass
from importlib.util import find_spec

from PIL import features

BEGINNING = 512  # bytes that identify a format
MILLION = 1_000_000
HEIF = "pillow_heif"  # a package that adds this format to Pillow


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of picture file.

    Attributes:
        name: for people.
        format: Pillow's name.
        codec: the library that Pillow must be built with to read it, or `HEIF`.
        beginning: pattern of the first bytes.
        media_types: its names in browsers.
        most_pixels: a limit that keeps decoding within a few hundred MB. Most formats
            take 4 bytes for each pixel, WebP 16, AVIF 9, and JPEG next to nothing,
            since it can be decoded at a smaller size.
    """

    name: str
    format: str
    codec: str | None
    beginning: bytes
    media_types: tuple[str, ...]
    most_pixels: int = 40 * MILLION


KINDS = (
    Kind("PNG", "PNG", "zlib", rb"\x89PNG\r\n\x1a\n", ("image/png",)),
    Kind("JPEG", "JPEG", "jpg", rb"\xff\xd8\xff", ("image/jpeg",), 64 * MILLION),
    Kind("WebP", "WEBP", "webp", rb"RIFF.{4}WEBP", ("image/webp",), 16 * MILLION),
    Kind(
        "AVIF",
        "AVIF",
        "avif",
        rb".{4}ftyp.{0,60}avi[fs]",
        ("image/avif",),
        24 * MILLION,
    ),
    Kind(
        "HEIC",
        "HEIF",
        HEIF,
        rb".{4}ftyp.{0,60}(hei[cmsx]|hev[cmsx]|mif1)",
        (),  # not asked for by name, so that a phone sends it as JPEG
        24 * MILLION,
    ),
    Kind("GIF", "GIF", None, rb"GIF8[79]a", ("image/gif",)),
    Kind("BMP", "BMP", None, rb"BM", ("image/bmp",)),
    Kind("TIFF", "TIFF", None, rb"II[*+]\x00|MM\x00[*+]", ("image/tiff",)),
    Kind("PGM", "PPM", None, rb"P[1-6f]\s", ("image/x-portable-anymap",)),
)


def _can_read(kind: Kind) -> bool:
    if kind.codec == HEIF:
        return find_spec(HEIF) is not None
    return kind.codec is None or bool(features.check(kind.codec))


READ = tuple(kind for kind in KINDS if _can_read(kind))
READABLE = f"{', '.join(kind.name for kind in READ[:-1])} or {READ[-1].name}"
MEDIA_TYPES = tuple(media_type for kind in READ for media_type in kind.media_types)

# Other files that people send; the first match counts.
OTHERS = (
    (rb"%PDF", "a PDF"),
    (rb"(\s*<[?!].*)?\s*<svg", "an SVG drawing"),
    (rb"\s*<", "a web page or another text with markup"),
    (rb".{4}ftyp.{0,60}(hei[cmsx]|hev[cmsx])", "a HEIC picture"),
    (rb".{4}ftyp.{0,60}avi[fs]", "an AVIF picture"),
    (rb".{4}ftyp", "a video"),
    (rb"\xff\x0a|\x00\x00\x00\x0cJXL ", "a JPEG XL picture"),
    (rb"\xff\x4f\xff\x51|\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture"),
    (rb"8BPS", "a Photoshop file"),
    (rb"\x00\x00\x01\x00", "an icon"),
    (rb"PK\x03\x04", "an archive or an office document"),
    (rb"\x1f\x8b", "an archive"),
    (rb"[\t\n\r\x20-\x7e\x80-\xff]+\Z", "text"),
)


def kind_of(data: bytes) -> Kind | None:
    """Return the format of a file, or None if it is not supported."""
    return next((kind for kind in READ if _begins(data, kind.beginning)), None)


def other_kind(data: bytes) -> str:
    """Describe in a few words a file whose format is not supported."""
    if not data:
        return "empty"
    names = (name for pattern, name in OTHERS if _begins(data, pattern))
    return next(names, "none of them")


def _begins(data: bytes, pattern: bytes) -> bool:
    return re.match(pattern, data[:BEGINNING], re.DOTALL) is not None
