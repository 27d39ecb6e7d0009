"""Every common kind of file is read, and nothing else gets past the door."""

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.intake import (
    ImageTooLarge,
    Intake,
    IntakeError,
    UnreadableImage,
    read_digit,
)
from app.intake.decode import MAX_PIXELS, UPRIGHT, WORKING_SIDE, decode
from tests.app.intake_pictures import drawn_five, encoded

PICTURE = drawn_five()
COLOURED = PICTURE.convert("RGB")
TURNED = COLOURED.rotate(90)
PNG = encoded(PICTURE)
SMALL_PNG = encoded(drawn_five(size=(40, 40), box=(5, 5, 30), width=3))
ORIENTATION = 0x0112


@pytest.fixture(scope="module")
def five():
    return read_digit(PNG).image


@pytest.mark.parametrize(
    ("data", "difference"),
    [
        (encoded(PICTURE, "JPEG", quality=90), 0.01),
        (encoded(COLOURED, "JPEG", quality=90), 0.01),
        (encoded(COLOURED.convert("CMYK"), "JPEG", quality=90), 0.01),
        (
            encoded(COLOURED, "MPO", save_all=True, append_images=[TURNED]),
            0.02,
        ),
        (encoded(COLOURED, "WEBP", lossless=True), 0),
        (encoded(PICTURE, "GIF"), 0),
        (encoded(PICTURE, "BMP"), 0),
        (encoded(PICTURE, "TIFF"), 0),
        (encoded(COLOURED.convert("CMYK"), "TIFF"), 0.01),
        (encoded(PICTURE, "PPM"), 0),
        (encoded(COLOURED, "PPM"), 0),
        (encoded(COLOURED.quantize(64), "PNG"), 0.02),
        (encoded(PICTURE.convert("LA"), "PNG"), 0),
        (encoded(COLOURED.convert("RGBA"), "PNG"), 0),
        (encoded(PICTURE.convert("1"), "PNG"), 0.1),
    ],
)
def test_a_kind_of_file_gives_the_same_digit(five, data, difference):
    assert np.abs(read_digit(data).image - five).mean() <= difference + 2e-3


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "PPM"])
def test_sixteen_bit_grey(five, kind):
    wide = Image.fromarray(np.asarray(PICTURE).astype(np.uint16) * 257)
    np.testing.assert_array_equal(read_digit(encoded(wide, kind)).image, five)


@pytest.mark.parametrize("factor", [1 / 255, 1.0, 1000.0])
def test_float_grey_of_any_range(five, factor):
    values = Image.fromarray(np.asarray(PICTURE).astype(np.float32) * factor)
    image = read_digit(encoded(values, "TIFF")).image
    np.testing.assert_allclose(image, five, atol=0.05)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_comes_out_upright(kind, orientation):
    undo = {
        Image.Transpose.ROTATE_90: Image.Transpose.ROTATE_270,
        Image.Transpose.ROTATE_270: Image.Transpose.ROTATE_90,
    }
    stored = COLOURED.crop((0, 0, 200, 180))
    upright = decode(encoded(stored))
    if orientation in UPRIGHT:
        turn = UPRIGHT[orientation]
        stored = stored.transpose(undo.get(turn, turn))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    picture = decode(encoded(stored, kind, exif=exif))
    assert picture.size == (200, 180)
    difference = np.abs(np.subtract(picture, upright, dtype=np.float64))
    assert difference.mean() < 3


def test_orientation_six_is_a_quarter_turn_clockwise():
    """A phone held upright stores its picture lying on its left side, and says 6."""
    pixels = np.full((30, 60), 255, np.uint8)
    pixels[:, :10] = 0  # dark on the left: belongs at the top
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    picture = np.asarray(decode(encoded(Image.fromarray(pixels), exif=exif)))
    assert picture.shape == (60, 30)
    assert picture[:10].max() == 0
    assert picture[10:].min() == 255


def test_damaged_exif_does_not_matter(five):
    data = encoded(PICTURE, exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    np.testing.assert_array_equal(read_digit(data).image, five)


def test_of_an_animation_the_first_frame_is_read(five):
    frames = [PICTURE.rotate(angle) for angle in (90, 180)]
    data = encoded(PICTURE, "GIF", save_all=True, append_images=frames)
    assert np.abs(read_digit(data).image - five).mean() < 2e-3


def test_large_pictures_are_brought_to_a_workable_size():
    picture = decode(encoded(Image.new("RGB", (3000, 1500)), "JPEG"))
    assert picture.size == (WORKING_SIDE, WORKING_SIDE // 2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello, this is no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
        b"\x89PNG\r\n\x1a\n",
        bytes(1000),
        PNG[: len(PNG) // 2],
        encoded(COLOURED, "JPEG")[:1500],
        b"P5\n280 280\n255\n" + bytes(100),
    ],
    ids=["empty", "text", "svg", "pdf", "magic", "zeros", "half", "cut", "short-pgm"],
)
def test_junk_is_unreadable(data):
    with pytest.raises(UnreadableImage, match="PNG, JPEG"):
        read_digit(data)


def png_declaring(width, height):
    """A PNG whose header declares a size that its few bytes of data do not hold."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(kind, body):
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    pixels = zlib.compress(bytes(100))
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("width", "height"), [(65536, 65536), (10_000, 10_000), (8001, 8000)]
)
def test_too_many_pixels_are_refused_before_decoding(width, height):
    assert width * height > MAX_PIXELS
    with pytest.raises(ImageTooLarge, match="64 million"):
        read_digit(png_declaring(width, height))


def test_as_many_pixels_as_allowed_are_decoded():
    assert MAX_PIXELS == 8000 * 8000
    with pytest.raises(UnreadableImage, match="cut short"):
        read_digit(png_declaring(8000, 8000))


def read_or_refuse(data):
    try:
        intake = read_digit(data)
    except IntakeError as error:
        assert str(error)  # noqa: PT017 - which error it is depends on the bytes
        return
    assert isinstance(intake, Intake)
    assert intake.image.shape == (28, 28)
    assert intake.image.min() >= 0
    assert intake.image.max() <= 1


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([b"", b"P5\n5 5\n255\n", b"GIF89a"]))
def test_random_bytes_are_read_or_refused(tail, head):
    read_or_refuse(head + tail)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        [
            SMALL_PNG,
            encoded(COLOURED.resize((40, 40)), "JPEG"),
            encoded(COLOURED.resize((40, 40)), "WEBP"),
            encoded(PICTURE.resize((40, 40)), "TIFF"),
            encoded(PICTURE.resize((40, 40)), "GIF"),
        ]
    ),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=5),
)
def test_damaged_files_are_read_or_refused(data, changes):
    damaged = bytearray(data)
    for place, value in changes:
        damaged[int(place * (len(data) - 1))] = value
    read_or_refuse(bytes(damaged))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False))
def test_pictures_of_noise_are_read_or_refused(rows, columns, random):
    pixels = np.array(
        [[random.randrange(256) for _ in range(columns)] for _ in range(rows)],
        dtype=np.uint8,
    )
    read_or_refuse(encoded(Image.fromarray(pixels)))
