"""Printed lines are found and taken away; ink that crosses them stays."""

import numpy as np
import pytest

from capsnet_explorer.pictures.reading.rules import remove_rules
from tests.intake_pictures import strokes

SIZE = (260, 200)  # columns and rows
FIVE = strokes(SIZE, (70, 40, 120), 11).astype(np.float32)


def with_lines(ink, *, slope=0.0, strength=0.7, spacing=22, width=2):
    """Print level lines over ink, each where `slope` and `spacing` put it."""
    rows, columns = ink.shape
    down = np.arange(rows)[:, None] - slope * np.arange(columns)
    lines = (np.mod(down, spacing) < width).astype(np.float32)
    return np.maximum(ink, strength * lines).astype(np.float32)


@pytest.mark.parametrize("slope", [0.0, 0.04, -0.1])
@pytest.mark.parametrize("strength", [0.4, 0.7, 0.95])
def test_lines_go_and_the_digit_stays(slope, strength):
    cleared, count = remove_rules(with_lines(FIVE, slope=slope, strength=strength))
    away_from_ink = FIVE == 0
    assert count >= 7
    assert (cleared > 0.2)[away_from_ink].mean() < 0.01
    assert np.abs(cleared - FIVE)[FIVE > 0.9].mean() < 0.02


def test_squares_go_where_lines_add_up_at_their_crossings():
    blank = np.zeros_like(FIVE)
    level = with_lines(blank, strength=0.4, slope=0.01)
    upright = with_lines(blank.T, strength=0.4, spacing=24).T
    squared = np.minimum(np.maximum(FIVE, level + upright), 1)
    cleared, count = remove_rules(squared)
    assert count >= 15
    assert (cleared > 0.2)[FIVE == 0].mean() < 0.004
    assert (cleared > 0.5)[FIVE > 0.9].mean() > 0.98


def test_a_one_along_a_line_of_squares_is_thicker_than_the_line():
    paper = with_lines(np.zeros((240, 320), np.float32), spacing=12, strength=0.65)
    squared = np.maximum(paper, with_lines(paper.T, spacing=12, strength=0.65).T)
    stroke = np.zeros_like(paper)
    stroke[70:170, 143:149] = 0.85  # along the line at 144 and 145
    cleared, _ = remove_rules(np.maximum(squared, stroke))
    assert (cleared > 0.5)[stroke > 0].mean() > 0.95
    assert (cleared > 0.2)[stroke == 0].mean() < 0.02


def test_upright_lines_are_what_turning_the_picture_gives():
    level, count = remove_rules(with_lines(FIVE))
    upright, as_many = remove_rules(np.ascontiguousarray(with_lines(FIVE).T))
    assert count == as_many
    np.testing.assert_array_equal(upright.T, level)


def test_a_thick_stroke_along_a_line_stays():
    """The bar of a 7 that is written on a line is as straight as the line."""
    line = [(0.1, 0.1), (0.9, 0.1)]
    bar = strokes(SIZE, (70, 40, 120), 9, (line,)).astype(np.float32)
    rows = np.flatnonzero(bar.max(axis=1) > 0.9)
    paper = with_lines(np.zeros_like(bar))
    shifted = np.roll(paper, rows.mean().astype(int) - 44, axis=0)
    cleared, count = remove_rules(np.maximum(bar, shifted))
    assert count >= 7
    assert (cleared > 0.5)[bar > 0.9].all()


@pytest.mark.parametrize("width", [2, 5, 12])
def test_a_one_is_no_line(width):
    """One long straight stroke, even from edge to edge but for a margin."""
    stroke = strokes(SIZE, (30, 10, 180), width, ([(0.5, 0.0), (0.5, 1.0)],))
    cleared, count = remove_rules(stroke.astype(np.float32))
    assert count == 0
    np.testing.assert_array_equal(cleared, stroke.astype(np.float32))


def test_blank_and_small_pictures_have_no_lines():
    for shape in [(28, 28), (200, 260)]:
        blank = np.zeros(shape, np.float32)
        cleared, count = remove_rules(blank)
        assert count == 0
        np.testing.assert_array_equal(cleared, blank)
