"""The protocol between a decoding process and its caller.

A question is the length of a file, the part to decode, and the file. An answer is a
header, followed by the rows of a picture or the message of a refusal. Neither can
contain code.
"""

import struct
from typing import BinaryIO

from PIL import Image

from capsnet_explorer.pictures.decoding.errors import (
    Damaged,
    Refusal,
    TooMuch,
    UnknownKind,
)
from capsnet_explorer.pictures.decoding.part import WHOLE, Part

READY = b"R"  # written by a process before its first answer
MODES = ("L", "RGB", "RGBa")
REFUSALS = (UnknownKind, TooMuch, Damaged)

QUESTION = struct.Struct("<I4d")  # length, part
HEADER = struct.Struct("<BHHI")  # code, width, height, length
FIRST_REFUSAL = 16  # codes below are of `MODES`
LONGEST = 1 << 24  # bytes of an answer; a picture of workable size has at most 640 KB


class BrokenOff(Exception):
    """The other process has ended or has sent an invalid answer."""


def send_file(stream: BinaryIO, data: bytes, part: Part = WHOLE) -> None:
    """Write a question."""
    stream.write(QUESTION.pack(len(data), *part))
    stream.write(data)
    stream.flush()


def receive_file(stream: BinaryIO) -> tuple[bytes, Part] | None:
    """Read a question; None at the end of the stream."""
    head = stream.read(QUESTION.size)
    if len(head) < QUESTION.size:
        return None
    length, left, top, right, bottom = QUESTION.unpack(head)
    data = stream.read(length)
    return (data, (left, top, right, bottom)) if len(data) == length else None


def send_picture(stream: BinaryIO, picture: Image.Image) -> None:
    """Write a picture of one of `MODES` as an answer."""
    rows = picture.tobytes()
    code = MODES.index(picture.mode)
    stream.write(HEADER.pack(code, picture.width, picture.height, len(rows)))
    stream.write(rows)
    stream.flush()


def send_refusal(stream: BinaryIO, refusal: Refusal) -> None:
    """Write a refusal as an answer."""
    words = str(refusal).encode()
    code = FIRST_REFUSAL + REFUSALS.index(type(refusal))
    stream.write(HEADER.pack(code, 0, 0, len(words)))
    stream.write(words)
    stream.flush()


def receive_answer(stream: BinaryIO) -> Image.Image:
    """Read an answer and validate everything in it.

    Raises:
        Refusal: the file yields no picture.
        BrokenOff: there is no valid answer.
    """
    code, width, height, length = HEADER.unpack(_exactly(stream, HEADER.size))
    if length > LONGEST:
        raise BrokenOff(f"an answer must have at most {LONGEST} bytes, got {length}")
    body = _exactly(stream, length)
    if code < len(MODES):
        mode = MODES[code]
        if not width * height * len(Image.new(mode, (1, 1)).tobytes()) == length > 0:
            raise BrokenOff(f"{length} bytes do not fit {mode} of {width} by {height}")
        return Image.frombytes(mode, (width, height), body)
    if 0 <= code - FIRST_REFUSAL < len(REFUSALS):
        raise REFUSALS[code - FIRST_REFUSAL](body.decode(errors="replace"))
    raise BrokenOff(f"the answer has an unknown code: {code}")


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise BrokenOff("the process ended before its answer")
    return data
