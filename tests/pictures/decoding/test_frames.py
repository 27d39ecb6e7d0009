"""Frames counted without decoding, against Pillow, which decodes them."""

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from capsnet_explorer.pictures.decoding.errors import TooMuch
from capsnet_explorer.pictures.decoding.frames import has_further_pages, has_more_frames
from capsnet_explorer.pictures.decoding.reading import read
from tests.hostile_pictures import gif_of_crumbs, tiff
from tests.intake_pictures import encoded

FRAMES = [Image.new("RGB", (9, 7), (40 * number, 9, 200)) for number in range(6)]


def file_of(kind, count, **options):
    first, *others = [frame.copy() for frame in FRAMES[:count]]
    return encoded(first, kind, save_all=True, append_images=others, **options)


def more(data, most):
    return has_more_frames(Image.open(io.BytesIO(data)), data, most)


@pytest.mark.parametrize("count", [1, 2, 6])
@pytest.mark.parametrize("kind", ["GIF", "TIFF", "PNG", "WEBP", "MPO"])
def test_frames_are_counted(kind, count):
    data = file_of(kind, count)
    assert not more(data, count)
    assert count == 1 or more(data, count - 1)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", ["GIF", "TIFF", "PNG", "WEBP"])
def test_further_pages_are_noticed_without_decoding(kind, count):
    data = file_of(kind, count)
    assert has_further_pages(data) == (count > 1)
    for cut in range(0, 40):
        assert isinstance(has_further_pages(data[:cut]), bool)


def test_further_sizes_of_an_icon_are_noticed():
    picture = FRAMES[0].resize((48, 48))
    single, double = ([(16, 16)], [(16, 16), (32, 32)])
    assert not has_further_pages(encoded(picture, "ICO", sizes=single))
    assert has_further_pages(encoded(picture, "ICO", sizes=double))


def test_frames_of_a_big_tiff():
    data = file_of("TIFF", 3, big_tiff=True)
    assert (more(data, 2), more(data, 3)) == (True, False)


def test_frames_of_a_tiff_of_the_other_byte_order():
    directory = struct.pack(">HHHLHHL", 1, 256, 3, 1, 4, 0, 0)
    data = b"MM\0*" + struct.pack(">L", 8) + directory
    picture = Image.new("L", (1, 1))
    picture.format = "TIFF"
    assert not has_more_frames(picture, data, 1)
    assert has_more_frames(picture, data, 0)


def test_directories_in_circles_are_more_than_any_number():
    picture = Image.new("L", (1, 1))
    picture.format = "TIFF"
    assert has_more_frames(picture, tiff((256, 4, 1, 4), following=8), 1000)


def test_a_frame_of_crumbs_is_refused():
    with pytest.raises(TooMuch, match="100000 blocks"):
        more(gif_of_crumbs(1 << 20), 5)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["GIF", "TIFF"]),
    st.binary(max_size=100),
    st.integers(0, 5),
    st.booleans(),
)
def test_no_bytes_are_a_bug(kind, data, most, with_head):
    head = {"GIF": b"GIF89a\1\0\1\0\x91\0\0", "TIFF": b"II*\0\x08\0\0\0"}[kind]
    picture = Image.new("L", (1, 1))
    picture.format = kind
    data = head + data if with_head else head[:8] + data
    assert isinstance(has_more_frames(picture, data.ljust(13), most), bool)


@pytest.mark.parametrize("kind", ["TIFF", "GIF"])
def test_blank_pages_before_the_first_that_shows_something_are_passed_over(kind):
    blank, drawn = Image.new("L", (9, 9), 255), Image.new("L", (9, 9), 255)
    drawn.putpixel((4, 4), 0)
    for pages in ([blank, blank, drawn], [drawn, blank], [blank, blank]):
        file = io.BytesIO()
        pages[0].save(file, kind, save_all=True, append_images=pages[1:])
        pixels = np.asarray(read(file.getvalue()).convert("L"))
        assert (pixels.min() == 0) == (drawn in pages)
