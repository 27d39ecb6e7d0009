"""Bytes at random, and real pictures of every kind that were broken at random."""

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from capsnet_explorer.pictures.decoding.kinds import READ
from tests.intake_pictures import encoded

REFUSALS = {413, 415, 422}
SIDE = 40  # px

Post = Callable[[bytes], None]


def fuzz_pictures(ask: Post, examples: int) -> None:
    """Ask with many files; the first that `ask` raises an error for is made small.

    Args:
        ask: sends a file and checks what is answered.
        examples: how many files.
    """

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=random_files() | broken_pictures())
    def is_answered(data: bytes) -> None:
        ask(data)

    is_answered()


def answers_well(status: int, answer: Any) -> None:
    """Check an answer of `POST /api/images` to a file that may be anything."""
    assert status == 200 or status in REFUSALS, (status, answer)
    if status == 200:
        assert len(answer["image"]) == 28
    else:
        assert answer.keys() == {"error"}
        assert answer["error"].keys() == {"message", "field"}
        assert 0 < len(answer["error"]["message"]) < 300


def random_files() -> st.SearchStrategy[bytes]:
    """Return bytes, many of which begin as a picture does."""
    heads = [b"", *(file[:size] for file in pictures() for size in (4, 12, 30))]
    return st.builds(
        lambda head, tail: head + tail, st.sampled_from(heads), st.binary(max_size=300)
    )


@st.composite
def broken_pictures(draw: st.DrawFn) -> bytes:
    """Draw a picture with bytes changed, doubled, moved, left out, or cut off."""
    data = bytearray(draw(st.sampled_from(pictures())))
    for _ in range(draw(st.integers(1, 6))):
        # Headers are at the beginning, and say most.
        last = draw(st.sampled_from([60, 300, len(data)]))
        place = draw(st.integers(0, max(0, min(last, len(data)) - 1)))
        size = draw(st.integers(1, 8))
        match draw(st.sampled_from(["put", "extreme", "double", "leave", "cut"])):
            case "put":
                data[place : place + size] = draw(st.binary(max_size=8))
            case "extreme":
                byte = draw(st.sampled_from([b"\0", b"\xff", b"\x7f", b"\x80"]))
                data[place : place + size] = byte * size
            case "double":
                part = data[place : place + 10 * size]
                data[place:place] = part * draw(st.integers(1, 50))
            case "leave":
                del data[place : place + 10 * size]
            case "cut":
                del data[place:]
    return bytes(data)


@cache
def pictures() -> list[bytes]:
    """Return a digit in every kind of file and of pixels that is read."""
    grey = Image.new("L", (SIDE, SIDE), "white")
    ImageDraw.Draw(grey).line((20, 6, 20, 34), fill=20, width=4)
    colour = grey.convert("RGB")

    def two_frames() -> dict[str, Any]:
        return {"save_all": True, "append_images": [colour.rotate(90)]}

    exif = Image.Exif()
    exif[0x0112] = 6
    files = [
        encoded(grey),
        encoded(grey.convert("1")),
        encoded(colour.quantize(8)),
        encoded(colour.convert("RGBA"), exif=exif),
        encoded(colour, **two_frames()),
        encoded(grey.convert("I;16")),
        encoded(grey, "JPEG"),
        encoded(colour, "JPEG", progressive=True, exif=exif),
        encoded(colour.convert("CMYK"), "JPEG"),
        encoded(colour, "MPO", **two_frames()),
        encoded(colour, "WEBP"),
        encoded(colour.convert("RGBA"), "WEBP", lossless=True, exif=exif),
        encoded(colour, "WEBP", **two_frames()),
        encoded(grey, "GIF"),
        encoded(colour, "GIF", **two_frames()),
        encoded(grey, "BMP"),
        encoded(colour, "BMP"),
        encoded(grey, "TIFF"),
        encoded(colour, "TIFF", compression="tiff_lzw", exif=exif),
        encoded(colour, "TIFF", compression="jpeg"),
        encoded(grey.convert("1"), "TIFF", compression="group4"),
        encoded(grey.convert("F"), "TIFF"),
        encoded(grey.convert("RGB"), "TIFF", **two_frames()),
        encoded(grey, "PPM"),
        encoded(colour, "PPM"),
        encoded(grey.convert("F"), "PPM"),
        b"P2 4 4 255 " + b"0 255 " * 8,
    ]
    if any(kind.name == "AVIF" for kind in READ):
        files.append(encoded(colour, "AVIF"))
    return files
