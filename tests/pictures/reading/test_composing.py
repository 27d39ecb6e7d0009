"""Pictures of two digits become images like those that networks for two learn from."""

import numpy as np
import pytest

from capsnet_explorer.pictures.reading import Overrides, read_digit
from capsnet_explorer.pictures.reading.placing import mean_index
from tests.intake_pictures import encoded, painted, strokes

BOTH = Overrides(at_most=2)
REACH = 4  # px that training moves a digit


def picture(*boxes, size=(400, 300), width=12):
    ink = sum(strokes(size, box, width) for box in boxes)
    return encoded(painted(np.minimum(ink, 1), 0.1, 0.9))


def alone(box):
    """A digit as it is read by itself, 28 pixels a side."""
    return read_digit(picture(box)).image[0]


def laid(*digits):
    """Clipped sum of digits, each with its shift (down, right), pixel by pixel."""
    canvas = np.zeros((36, 36))
    for image, (down, right) in digits:
        for row in range(28):
            for column in range(28):
                canvas[REACH + row + down, REACH + column + right] += image[row, column]
    return np.minimum(canvas, 1)


def test_digits_apart_are_each_scaled_and_laid_within_reach_of_the_middle():
    left, right = (40, 60, 120), (230, 60, 120)
    intake = read_digit(picture(left, right), BOTH)
    assert intake.image.shape == (1, 36, 36)
    assert intake.parts == (0, 1)
    wanted = laid((alone(left), (0, -REACH)), (alone(right), (0, REACH)))
    np.testing.assert_allclose(intake.image[0], wanted, atol=1.5 / 255)
    assert "moved together" in intake.steps[-1].note
    assert intake.doubts == ()


def test_both_are_as_large_however_large_they_were_drawn():
    intake = read_digit(picture((20, 30, 110), (180, 20, 200)), BOTH)
    small, large = alone((20, 30, 110)), alone((180, 20, 200))
    differences = [
        np.abs(intake.image[0] - laid((small, (up, -4)), (large, (down, 4)))).max()
        for up in range(-4, 1)
        for down in range(5)
    ]
    assert min(differences) <= 1.5 / 255


def test_how_near_digits_lie_to_each_other_is_kept():
    """Two strokes beside each other, a third of their height apart."""
    bars = [[(0.0, 0.0), (0.0, 1.0)]]
    size = (300, 300)
    ink = strokes(size, (90, 80, 120), 10, bars) + strokes(
        size, (130, 80, 120), 10, bars
    )
    intake = read_digit(encoded(painted(ink, 0.1, 0.9)), BOTH)
    assert len(intake.parts) == 2
    columns = np.flatnonzero(intake.image[0].sum(axis=0) > 1)
    # 40 of the 130 pixels of a stroke's height, which become 20; and a stroke's width.
    assert columns[-1] - columns[0] == pytest.approx(6 + 10 * 20 / 130, abs=1.5)
    assert "as they did" in intake.steps[-1].note


def test_ink_that_touches_is_one_piece_in_the_middle():
    intake = read_digit(picture((60, 60, 140), (110, 70, 140)), BOTH)
    assert intake.parts == (0,)
    ink = intake.image[0]
    rows = np.flatnonzero(ink.max(axis=1) > 0.1)
    columns = np.flatnonzero(ink.max(axis=0) > 0.1)
    assert rows[-1] - rows[0] + 1 == pytest.approx(22, abs=1)
    assert columns[-1] - columns[0] + 1 <= 28
    for axis in (0, 1):
        assert mean_index(ink.sum(axis=axis)) == pytest.approx(18, abs=0.6)
    assert "one digit or as two" in intake.steps[3].note


def test_wide_ink_stays_on_the_canvas():
    lines = [[(0.0, 0.5), (1.0, 0.5)], [(0.5, 0.35), (0.5, 0.65)]]
    ink = strokes((400, 300), (50, 0, 300), 14, lines)
    intake = read_digit(encoded(painted(ink, 0.1, 0.9)), BOTH)
    columns = np.flatnonzero(intake.image[0].max(axis=0) > 0.1)
    assert columns[-1] - columns[0] + 1 == pytest.approx(28, abs=1)


def test_of_three_the_two_largest_are_read_and_one_can_be_chosen():
    boxes = (20, 90, 80), (130, 40, 110), (270, 40, 120)
    intake = read_digit(picture(*boxes), BOTH)
    assert intake.parts == (1, 2)
    assert intake.chosen == 2
    assert "Digits 2 and 3 of 3" in intake.steps[3].note
    assert [doubt.code for doubt in intake.doubts] == ["several"]
    assert "The two largest are read" in intake.doubts[0].message
    chosen = read_digit(picture(*boxes), Overrides(at_most=2, part=0))
    same = read_digit(picture(*boxes), Overrides(part=0))
    np.testing.assert_array_equal(chosen.image, same.image)
