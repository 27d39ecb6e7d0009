"""Every common kind of file is read, and nothing else gets past the door."""

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from capsnet_explorer.pictures.decoding.kinds import READ
from capsnet_explorer.pictures.decoding.reading import UPRIGHT
from capsnet_explorer.pictures.decoding.shrinking import WORKING_SIDE
from capsnet_explorer.pictures.reading import (
    Damaged,
    UnknownKind,
    read_digit,
)
from capsnet_explorer.pictures.reading.decode import decode
from capsnet_explorer.pictures.reading.decoder_pool import DecoderPool
from capsnet_explorer.pictures.reading.drawings import read_drawing
from tests.intake_pictures import drawn_five, encoded

PICTURE = drawn_five()
COLOURED = PICTURE.convert("RGB")
AVIF = "AVIF" in {kind.name for kind in READ}
TURNED = COLOURED.rotate(90)
PNG = encoded(PICTURE)
ORIENTATION = 0x0112


def in_figures(picture):
    """A grey picture as a PGM file that people can read."""
    values = " ".join(map(str, picture.tobytes()))
    return f"P2\n{picture.width} {picture.height}\n255\n{values}\n".encode()


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
        (encoded(COLOURED, "WEBP", quality=80), 0.02),
        pytest.param(
            encoded(COLOURED, "AVIF", quality=80) if AVIF else b"",
            0.02,
            marks=pytest.mark.skipif(not AVIF, reason="this Pillow reads no AVIF"),
        ),
        (encoded(PICTURE, "GIF"), 0),
        (encoded(PICTURE, "BMP"), 0),
        (encoded(PICTURE, "TIFF"), 0),
        (encoded(PICTURE, "TIFF", compression="tiff_lzw"), 0),
        (encoded(COLOURED, "TIFF", compression="jpeg", quality=90), 0.02),
        (encoded(PICTURE.convert("1"), "TIFF", compression="group4"), 0.1),
        (encoded(COLOURED.convert("CMYK"), "TIFF"), 0.01),
        (encoded(PICTURE, "PPM"), 0),
        (b"P5\n# by hand\n200 200\n255\n" + PICTURE.tobytes(), 0),
        (in_figures(PICTURE), 0),
        (encoded(PICTURE.convert("1"), "PPM"), 0.1),
        (encoded(COLOURED, "PPM"), 0),
        (encoded(COLOURED.quantize(64), "PNG"), 0.02),
        (encoded(PICTURE.convert("LA"), "PNG"), 0),
        (encoded(COLOURED.convert("RGBA"), "PNG"), 0),
        (encoded(PICTURE.convert("1"), "PNG"), 0.1),
    ],
)
def test_a_kind_of_file_gives_the_same_digit(five, data, difference):
    assert np.abs(read_digit(data).image - five).mean() <= difference + 2e-3


def test_a_picture_as_phones_take_it(five):
    pillow_heif.register_heif_opener()
    near = read_digit(encoded(PICTURE, "HEIF", quality=95)).image
    np.testing.assert_allclose(near, five, atol=0.15)


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "PPM"])
def test_sixteen_bit_grey(five, kind):
    wide = Image.fromarray(np.asarray(PICTURE).astype(np.uint16) * 257)
    np.testing.assert_array_equal(read_digit(encoded(wide, kind)).image, five)


def test_sixteen_bit_grey_of_the_other_byte_order(five):
    wide = (np.asarray(PICTURE).astype(np.uint16) * 257).astype(">u2").tobytes()
    picture = Image.frombytes("I;16B", PICTURE.size, wide)
    np.testing.assert_array_equal(read_digit(encoded(picture, "TIFF")).image, five)


def test_values_that_are_no_numbers_count_as_none():
    values = np.asarray(PICTURE).astype(np.float32) / 255
    values[:2] = np.nan
    values[2:4] = np.inf
    picture = np.asarray(decode(encoded(Image.fromarray(values), "TIFF")))
    assert picture[:4].max() == 0
    np.testing.assert_array_equal(picture[4:], np.asarray(PICTURE)[4:])


@pytest.mark.parametrize("factor", [1 / 255, 1.0, 1000.0])
def test_float_grey_of_any_range(five, factor):
    values = Image.fromarray(np.asarray(PICTURE).astype(np.float32) * factor)
    image = read_digit(encoded(values, "TIFF")).image
    np.testing.assert_allclose(image, five, atol=0.05)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", *["AVIF"] * AVIF])
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
    difference = np.abs(np.asarray(picture, float) - np.asarray(upright, float))
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


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "empty"),
        (b"hello, this is no picture", "text"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><rect/></svg>", "an SVG drawing"),
        (b"<?xml version='1.0'?>\n<!-- a > b -->\n<svg/>", "an SVG drawing"),
        (b"<!doctype html><title>A digit</title>", "a web page or another text"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a PDF"),
        (b"PK\x03\x04" + bytes(100), "an archive or an office document"),
        (b"\0\0\0\x18ftypisom\0\0\0\0isomiso2", "a video"),
        (b"\0\0\x01\0" + bytes(100), "an icon"),
        (bytes(1000), "none of them"),
    ],
)
def test_what_is_no_picture_is_told_by_its_name(data, what):
    with pytest.raises(UnknownKind, match=f"^Send a PNG, JPEG.*; this.*{what}"):
        read_digit(data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG[:8], "PNG"),
        (PNG[: len(PNG) // 2], "PNG"),
        (PNG.replace(b"IDAT", b"IDIT"), "PNG"),
        (encoded(COLOURED, "JPEG")[:1500], "JPEG"),
        (encoded(COLOURED, "WEBP")[:300], "WebP"),
        (encoded(PICTURE, "GIF")[:20], "GIF"),
        (encoded(PICTURE, "BMP")[:300], "BMP"),
        (encoded(PICTURE, "TIFF")[:300], "TIFF"),
        (b"P5\n280 280\n255\n" + bytes(100), "PGM"),
        (b"P5\n0 280\n255\n" + bytes(100), "PGM"),
        (b"BMW is a maker of cars", "BMP"),
    ],
)
def test_a_broken_picture_is_called_damaged(data, kind):
    with pytest.raises(
        Damaged,
        match=f"^Send an undamaged PNG, JPEG.*; this {kind} file is damaged",
    ):
        read_digit(data)


@pytest.mark.parametrize(
    "data",
    [
        b"P5\n2 3\n255\n" + bytes(range(6)),
        b"P5 2 3 255 " + bytes(range(6)),
    ],
)
def test_a_drawing_is_read_right_here(data, monkeypatch):
    monkeypatch.setattr(DecoderPool, "decode", None)
    expected = Image.frombytes("L", (2, 3), bytes(range(6)))
    assert decode(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"P5\n2 3\n15\n" + bytes(6),
        b"P5\n2 3\n255\n" + bytes(5),
        b"P5\n2 3\n255\n" + bytes(7),
        b"P5\n# by hand\n2 3\n255\n" + bytes(6),
        b"P5\n401 1\n255\n" + bytes(401),
        b"P6\n1 2\n255\n" + bytes(6),
    ],
)
def test_what_is_not_quite_a_drawing_is_not(data):
    assert read_drawing(data, WORKING_SIDE) is None
