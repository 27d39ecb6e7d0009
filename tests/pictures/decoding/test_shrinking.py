"""Pictures of any pixel type and size, against Pillow's own way with whole pictures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from capsnet_explorer.pictures.decoding import shrinking
from capsnet_explorer.pictures.decoding.shrinking import fitting, shrunk

NOISE = np.random.default_rng(0).integers(0, 256, (60, 90, 4), np.uint8)
COLOURS = Image.fromarray(NOISE[..., :3])


@pytest.mark.parametrize("side", [5, 20, 30, 44, 45, 89, 90, 400])
def test_pixels_are_means_of_areas(side):
    rows, columns = np.mgrid[0:60, 0:90]
    slope = Image.fromarray((rows + 2 * columns).astype(np.uint8))
    expected = slope.resize(fitting(slope.size, side), Image.Resampling.BOX)
    difference = np.asarray(shrunk(slope, side), int) - np.asarray(expected, int)
    assert np.abs(difference).max() <= 2


@pytest.mark.parametrize("strip", [1, 500, 1000])
@pytest.mark.parametrize("side", [5, 7, 20, 30])
def test_strips_make_no_difference(monkeypatch, strip, side):
    whole = shrunk(COLOURS, side)
    monkeypatch.setattr(shrinking, "STRIP", strip)
    assert shrunk(COLOURS, side) == whole


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 500), st.integers(1, 500), st.integers(1, 60))
def test_a_picture_of_one_colour_stays_so(width, height, side):
    picture = shrunk(Image.new("RGB", (width, height), (12, 200, 99)), side)
    assert max(picture.size) == min(side, max(width, height))
    assert picture.getcolors() == [(picture.width * picture.height, (12, 200, 99))]


@pytest.mark.parametrize("side", [10, 400])
@pytest.mark.parametrize(
    ("picture", "mode"),
    [
        (COLOURS.convert("1"), "L"),
        (COLOURS.convert("L"), "L"),
        (COLOURS.convert("LA"), "RGBa"),
        (COLOURS.quantize(16), "RGB"),
        (COLOURS.convert("CMYK"), "RGB"),
        (COLOURS.convert("YCbCr"), "RGB"),
        (Image.fromarray(NOISE, "RGBA"), "RGBa"),
        (Image.fromarray(NOISE[..., 0].astype(np.uint16)), "L"),
        (Image.fromarray(NOISE[..., 0].astype(np.int32)), "L"),
        (Image.fromarray(NOISE[..., 0].astype(np.float32)), "L"),
    ],
)
def test_every_pixel_type_becomes_one_of_three(picture, mode, side):
    assert shrunk(picture, side).mode == mode


def test_a_colour_that_stands_for_nothing_is_nothing():
    picture = COLOURS.quantize(2)
    picture.info["transparency"] = 0
    pixels = np.asarray(shrunk(picture, 400))
    np.testing.assert_array_equal(pixels[..., 3] == 0, np.asarray(picture) == 0)


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([0, 257, 65_535], np.uint16, [0, 1, 255]),
        ([0, 257, 65_535], np.int32, [0, 1, 255]),
        ([-100, 0, 100], np.int32, [0, 128, 255]),
        ([0, 0.5, 1], np.float32, [0, 128, 255]),
        ([0, 100, 200], np.float32, [0, 100, 200]),
        ([0, 32_896, 65_535], np.float32, [0, 128, 255]),
        ([-1, 0, 3], np.float32, [0, 64, 255]),
        ([1e9, 1e9, 1e9], np.float32, [0, 0, 0]),
        ([np.nan, np.inf, 1], np.float32, [0, 0, 255]),
    ],
)
def test_wide_grey_keeps_its_range(values, dtype, expected):
    picture = shrunk(Image.fromarray(np.array([values], dtype)), 400)
    assert np.asarray(picture).tolist() == [expected]
