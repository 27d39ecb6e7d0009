"""Bytes as text that may stand in an HTML file; `unpacking.js` unpacks it.

Compressed bytes are numbers of 13 bits, each two letters of 91. So four bytes take less
than five letters, where base64 takes more; and no letter means anything in HTML.
"""

import zlib
from dataclasses import dataclass

import numpy as np

LETTERS = np.array([c for c in range(33, 127) if chr(c) not in '"&<'], np.uint8)
BASE = len(LETTERS)
BITS = 13  # of two letters: 91 · 91 is more than 2 to the 13th
AT_ONCE = BITS << 16  # bytes, of whole letters
GZIP = 16  # makes zlib write its header
HALF = 2  # bytes of most weights: their first bytes are like each other
WEIGHTS = ".safetensors"


@dataclass(frozen=True, slots=True)
class Packed:
    """A file as text.

    Attributes:
        text: letters, in whole groups of 16.
        packed: bytes that the text stands for.
        bytes: of the file.
        width: of its numbers in bytes; their first bytes come first, then the second.
    """

    text: str
    packed: int
    bytes: int
    width: int


def packed(name: str, body: bytes) -> Packed:
    """Pack a file, whose name tells whether it is of numbers."""
    width = HALF if name.endswith(WEIGHTS) else 1
    small = _compressed(_in_planes(body, width), is_noise=width > 1)
    return Packed(_as_text(small), len(small), len(body), width)


def _compressed(body: bytes, *, is_noise: bool) -> bytes:
    """Return a body as gzip; of noise, such as weights, hardly anything comes twice."""
    strategy = zlib.Z_FILTERED if is_noise else zlib.Z_DEFAULT_STRATEGY
    settings = (9, zlib.DEFLATED, zlib.MAX_WBITS | GZIP, zlib.DEF_MEM_LEVEL + 1)
    packer = zlib.compressobj(*settings, strategy)
    return packer.compress(body) + packer.flush()


def _in_planes(body: bytes, width: int) -> bytes:
    count = len(body) // width * width
    numbers = np.frombuffer(body[:count], np.uint8).reshape(-1, width)
    return numbers.T.tobytes() + body[count:]


def _as_text(body: bytes) -> str:
    whole = body + bytes(-len(body) % BITS)
    pieces = (whole[at : at + AT_ONCE] for at in range(0, len(whole), AT_ONCE))
    return "".join(map(_letters, pieces))


def _letters(piece: bytes) -> str:
    bits = np.unpackbits(np.frombuffer(piece, np.uint8)).reshape(-1, BITS)
    values = bits @ (1 << np.arange(BITS)[::-1])
    return LETTERS[np.stack([values // BASE, values % BASE], axis=1)].tobytes().decode()
