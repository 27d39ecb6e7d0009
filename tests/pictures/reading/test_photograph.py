"""Colour pictures: cut to their middle, turned, scaled, with their colours."""

import io

import numpy as np
import pytest
from PIL import Image

from capsnet_explorer.pictures.reading import NoDigitFound, read_photograph
from capsnet_explorer.pictures.reading.photograph import middle_of
from capsnet_explorer.pictures.reading.settings import Box, Overrides

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def encoded(picture):
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def thirds():
    """A picture of 90 x 30 pixels: red, green and blue from left to right."""
    picture = Image.new("RGB", (90, 30), RED)
    picture.paste(GREEN, (30, 0, 60, 30))
    picture.paste(BLUE, (60, 0, 90, 30))
    return picture


def colours(image):
    """Return the colour that each pixel is nearest to: r, g or b."""
    return np.array([*"rgb"])[image.argmax(axis=0)]


def test_the_middle_is_kept_in_its_colours():
    intake = read_photograph(encoded(thirds()), (8, 8))
    assert intake.image.shape == (3, 8, 8)
    assert intake.image.dtype == np.float32
    np.testing.assert_array_equal(
        intake.image,
        np.array([0, 1, 0], np.float32)[:, None, None].repeat(8, 1).repeat(8, 2),
    )
    assert [step.name for step in intake.steps] == ["picture", "middle", "scaled"]
    assert intake.steps[1].note == "The middle 30 by 30 of 90 by 30 pixels were kept."
    assert intake.steps[2].note == "Scaled to 8 by 8 pixels; its colours are unchanged."
    assert intake.found == ()
    assert intake.chosen is None
    assert not intake.inverted


def test_a_frame_chooses_another_part():
    right = Overrides(crop=Box(2 / 3, 0, 1, 1))
    intake = read_photograph(encoded(thirds()), (8, 8), right)
    assert (colours(intake.image) == "b").all()
    assert intake.steps[0].note == "Only the area inside the frame was used."
    assert intake.steps[1].note == "All of it was kept."


def test_proportions_are_those_of_the_network():
    intake = read_photograph(encoded(thirds()), (4, 12))
    row = colours(intake.image)[2]
    assert "".join(row) == "rrrrggggbbbb"
    assert intake.steps[1].note == "All of it was kept."


@pytest.mark.parametrize(
    ("degrees", "corner"), [(0, "r"), (90, "b"), (180, "g"), (270, "r"), (-90, "r")]
)
def test_quarter_turns_are_clockwise_and_exact(degrees, corner):
    """Above left stands what was below left, after a quarter turn clockwise."""
    picture = Image.new("RGB", (40, 40), RED)
    picture.paste(BLUE, (0, 20, 20, 40))
    picture.paste(GREEN, (20, 20, 40, 40))
    middle = middle_of(picture, (40, 40), degrees)
    assert middle.size == (40, 40)
    assert colours(np.asarray(middle).transpose(2, 0, 1))[0, 0] == corner


@pytest.mark.parametrize("degrees", [10, 45, -30, 100, 179])
@pytest.mark.parametrize("size", [(200, 200), (320, 200), (120, 300)])
def test_no_corner_beyond_the_picture_comes_in(degrees, size):
    middle = middle_of(Image.new("RGB", size, RED), (32, 32), degrees)
    assert middle.width == middle.height
    assert middle.width >= min(size) / 2**0.5 - 2
    # But for what interpolation takes from beyond the very edge.
    assert np.asarray(middle)[2:-2, 2:-2, 0].min() > 250


def test_a_picture_that_is_too_small_is_refused():
    with pytest.raises(NoDigitFound, match="at least 4 by 4 pixels"):
        read_photograph(encoded(Image.new("RGB", (3, 9))), (8, 8))
