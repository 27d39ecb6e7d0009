"""Files made to do harm, each small and built here; all must be refused in words."""

import struct
import zlib
from collections.abc import Callable, Iterator

import numpy as np
from PIL import Image

from tests.intake_pictures import encoded

HUGE = 65_536
MEBI = 1 << 20
DOT = Image.new("L", (1, 1))
BLANK = Image.new("RGB", (64, 64), "white")


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return one chunk of a PNG file."""
    check = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + check


def png(
    size: tuple[int, int],
    *,
    before: bytes = b"",
    after: bytes = b"",
    pixels: bytes | None = None,
    depth: int = 8,
    colour: int = 0,
) -> bytes:
    """Return a PNG file of any size; few `pixels` mean that it is cut short.

    Args:
        size: columns and rows that it declares.
        before: chunks before its pixels.
        after: chunks behind them.
        pixels: its rows, packed; those of a few black ones if absent.
        depth: bits of a channel.
        colour: PNG's number for the channels.
    """
    header = struct.pack(">IIBBBBB", *size, depth, colour, 0, 0, 0)
    pixels = zlib.compress(bytes(100)) if pixels is None else pixels
    parts = [chunk(b"IHDR", header), before, chunk(b"IDAT", pixels), after]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def zeros(size: int) -> bytes:
    """Return many zeros, packed."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(MEBI)) + packer.flush(zlib.Z_FULL_FLUSH)
    rest = packer.compress(bytes(size % MEBI)) + packer.flush()
    checksum = struct.pack(">HH", size % 65_521, 1)  # Adler's
    return b"\x78\xda" + block * (size // MEBI) + rest + checksum


def packed_text(size: int, kind: bytes = b"zTXt") -> bytes:
    """Return a chunk of text that is much larger than it looks."""
    return chunk(kind, b"a\0\0" + zeros(size))


def gif_of_frames(count: int) -> bytes:
    """Return a GIF file of frames of one pixel."""
    frame = encoded(DOT, "GIF")
    start = frame.index(b",")
    return frame[:start] + frame[start:-1] * count + b";"


def tiff(
    *entries: tuple[int, int, int, int], behind: bytes = b"", following: int = 0
) -> bytes:
    """Return a TIFF file of one directory.

    Args:
        entries: tag, type, count, and value or place of each.
        behind: what stands behind the directory.
        following: place of the next one.
    """
    directory = struct.pack("<H", len(entries))
    directory += b"".join(struct.pack("<HHLL", *entry) for entry in sorted(entries))
    return b"II*\0\x08\0\0\0" + directory + struct.pack("<L", following) + behind


def grey_tiff(width: int, height: int, *more: tuple[int, int, int, int]) -> bytes:
    """Return the beginning of an uncompressed grey picture."""
    usual = {
        256: (256, 4, 1, width),
        257: (257, 4, 1, height),
        258: (258, 3, 1, 8),
        259: (259, 3, 1, 1),
        262: (262, 3, 1, 1),
        273: (273, 4, 1, 8),
        277: (277, 3, 1, 1),
        278: (278, 4, 1, height),
        279: (279, 4, 1, width * height % 2**32),
    }
    return tiff(*(usual | {entry[0]: entry for entry in more}).values())


def deflated_tiff(width: int, height: int) -> bytes:
    """Return a black picture of four channels of 16 bits in one strip, packed."""
    strip = zeros(width * height * 8)
    start = len(grey_tiff(1, 1, (338, 3, 1, 2)))
    file = grey_tiff(
        width,
        height,
        (258, 3, 4, start),
        (259, 3, 1, 8),
        (262, 3, 1, 2),
        (273, 4, 1, start + 8),
        (277, 3, 1, 4),
        (279, 4, 1, len(strip)),
        (338, 3, 1, 2),
    )
    return file + struct.pack("<4H", *[16] * 4) + strip


def bmp(width: int, height: int, *, bits: int = 24, packing: int = 0) -> bytes:
    """Return the beginning of a BMP file of any size."""
    sizes = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, packing, *[0] * 5)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + sizes + bytes(100)


def webp_declaring(width: int, height: int) -> bytes:
    """Return an extended WebP file that declares any size, and holds another."""
    inner = encoded(BLANK, "WEBP")[12:]
    size = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + size + inner
    return b"RIFF" + struct.pack("<I", len(body)) + body


def jpeg_declaring(width: int, height: int, **options: object) -> bytes:
    """Return a JPEG file whose header says another size than it has."""
    data = bytearray(encoded(BLANK, "JPEG", **options))
    marker = b"\xff\xc2" if options.get("progressive") else b"\xff\xc0"
    offset = data.index(marker) + 5
    data[offset : offset + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def jpeg_of_scans(side: int, count: int) -> bytes:
    """Return a progressive JPEG file that repeats its last scan over and over."""
    data = jpeg_declaring(side, side, progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * count + data[-2:]


def with_segments(count: int) -> bytes:
    """Return a JPEG file with many segments of metadata."""
    data = encoded(BLANK, "JPEG")
    segment = b"\xff\xe5" + struct.pack(">H", 65_535) + bytes(65_533)
    return data[:2] + segment * count + data[2:]


def exif_bomb() -> bytes:
    """Return a JPEG file whose EXIF names the same large place very often."""
    entries = [(tag, 2, 60_000, 8) for tag in range(5000)]
    exif = b"Exif\0\0" + tiff(*entries)
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    data = encoded(BLANK, "JPEG")
    return data[:2] + segment + data[2:]


def gif_of_crumbs(size: int) -> bytes:
    """Return a GIF file whose one frame is cut into blocks of one byte."""
    frame = encoded(DOT, "GIF")
    start = frame.index(b",") + 11
    return frame[:start] + b"\x01\0"[:1].join([b"\x01\x02"] * (size // 3)) + b"\0;"


# Each by its name; most are a few hundred bytes, none is above 20 MB.
Files = dict[str, Callable[[], bytes]]

# What declares more than is decoded.
TOO_MUCH: Files = {
    "png 65536 x 65536": lambda: png((HUGE, HUGE)),
    "png just too large": lambda: png((8000, 5001)),
    "png with a bomb of text": lambda: png((4, 4), before=packed_text(200 * MEBI)),
    "png with a bomb of text, behind": lambda: png(
        (4, 4), pixels=zeros(20), after=packed_text(200 * MEBI)
    ),
    "png with many texts": lambda: png((4, 4), before=packed_text(MEBI - 1) * 500),
    "png with a bomb of a profile": lambda: png(
        (4, 4), before=packed_text(200 * MEBI, b"iCCP")
    ),
    "gif of many frames": lambda: gif_of_frames(10_000),
    "gif of crumbs": lambda: gif_of_crumbs(6 * MEBI),
    "jpeg 65500 x 65500": lambda: jpeg_declaring(65_500, 65_500),
    "progressive jpeg": lambda: jpeg_declaring(8000, 8000, progressive=True),
    "jpeg of segments": lambda: with_segments(200),
    "tiff 65536 x 65536": lambda: grey_tiff(HUGE, HUGE),
    "tiff of one strip of 320 MB": lambda: deflated_tiff(8000, 5000),
    "bmp 2^31 x 2^31": lambda: bmp(2**31 - 1, 2**31 - 1),
    "pgm 10^9 x 10^9": lambda: b"P5 1000000000 1000000000 255 ",
}

# What cannot be decoded.
BROKEN: Files = {
    "png 0 x 0": lambda: png((0, 0)),
    "webp 16 million pixels": lambda: webp_declaring(4000, 4000),
    "tiff of a strip beyond its end": lambda: grey_tiff(4, 4, (273, 4, 1, 2**31)),
    "tiff of many strips": lambda: grey_tiff(4, 4, (273, 4, 2**30, 8)),
    "tiff of 65535 channels": lambda: grey_tiff(64, 64, (277, 3, 1, 65_535)),
    "tiff of absurd tags": lambda: tiff(
        *((tag, 2, 19 * MEBI, 8) for tag in range(1, 65_000)), behind=bytes(19 * MEBI)
    ),
    "tiff of compressed nothing": lambda: grey_tiff(6000, 6000, (259, 3, 1, 5)),
    "bmp of runs": lambda: bmp(6000, 6000, bits=8, packing=1),
}

# What would keep a decoder busy for seconds.
SLOW: Files = {
    "png of 320 MB, 16 bits": lambda: png(
        (8000, 5000), pixels=zeros(320 * MEBI), depth=16, colour=6
    ),
    "png of a million chunks": lambda: png(
        (4, 4), before=chunk(b"abCd", b"") * 1_000_000
    ),
    "jpeg of many scans": lambda: jpeg_of_scans(6000, 1000),
    "pgm of comments": lambda: b"P5\n" + b"#\n" * 9 * MEBI,
    "pgm in figures": lambda: b"P2 6000 6000 255 " + b"7 " * 9 * MEBI,
}

# What is decoded, and holds no digit.
NO_DIGIT: Files = {
    "png of 40 million pixels": lambda: png((8000, 5000), pixels=zeros(8001 * 5000)),
    "png of a row": lambda: png((40_000_000, 1), pixels=zeros(40_000_001)),
    "jpeg with a bomb of EXIF": exif_bomb,
    "tiff of an endless strip": lambda: grey_tiff(4, 4, (279, 4, 1, 2**32 - 1)),
    "tiff of huge tiles": lambda: grey_tiff(
        4, 4, (322, 4, 1, 2**31), (323, 4, 1, 2**31), (324, 4, 1, 8), (325, 4, 1, 8)
    ),
    "one pixel": lambda: encoded(DOT),
    "10000 x 1": lambda: encoded(Image.new("L", (10_000, 1))),
    "all of one colour": lambda: encoded(Image.new("RGB", (200, 200), "teal"), "JPEG"),
}

BOMBS = TOO_MUCH | BROKEN | SLOW | NO_DIGIT


def polyglots() -> Iterator[tuple[str, bytes]]:
    """Yield files that are several things at once, each a good picture too."""
    pixels = np.full((60, 60), 255, np.uint8)
    pixels[10:50, 26:34] = 0
    picture = Image.fromarray(pixels)
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP"):
        file = encoded(picture, kind)
        page = b"<script>alert(1)</script>"
        archive = b"PK\x05\x06" + bytes(18)
        yield f"{kind}, a web page and an archive", file + page + archive
