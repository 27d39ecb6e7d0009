"""A number is read digit by digit, whatever lies between the digits."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from capsnet_explorer.pictures.reading import (
    NoDigitFound,
    number_of,
    read_digit,
    read_lines,
)
from capsnet_explorer.pictures.reading.number import GUESSED, Candidate, Line
from capsnet_explorer.pictures.reading.settings import Box
from tests.intake_pictures import encoded

WIDTH = 12  # px of a stroke
NAMES = [str(digit) for digit in range(10)]


def paper(width=600, height=200):
    return Image.new("L", (width, height), "white")


def bar(picture, x, top=50, bottom=150):
    ImageDraw.Draw(picture).line([(x, top), (x, bottom)], "black", WIDTH)


def ring(picture, x, top=50, bottom=150):
    ImageDraw.Draw(picture).ellipse((x - 35, top, x + 35, bottom), outline=0, width=8)


def boxes(picture):
    """Return the boxes of a line's whole pieces of ink, in px from left to right."""
    (line,) = read_lines(encoded(picture, "PNG"))
    whole = [each for each in line.candidates if each.cost == 0]
    return [
        (round(each.box.left * picture.width), round(each.box.right * picture.width))
        for each in whole
    ]


def candidate(start, stop, cost=0.0, left=0.0, right=0.1):
    image = np.zeros((1, 28, 28), np.float32)
    return Candidate(start, stop, cost, image, Box(left, 0, right, 0.5), ())


def test_each_piece_of_ink_is_a_candidate_where_it_stands():
    picture = paper()
    for x in (100, 250, 400):
        bar(picture, x)
    assert boxes(picture) == [(x - 6, x + 6) for x in (100, 250, 400)]


def test_lines_come_from_top_to_bottom_even_if_they_slope():
    picture = paper(600, 400)
    for x in (100, 250, 400):
        bar(picture, x, 30 + x // 20, 130 + x // 20)
    ring(picture, 150, 220, 330)
    first, second = read_lines(encoded(picture, "PNG"))
    assert (first.atoms, second.candidates[0].box.top > 0.5) == (3, True)


def test_the_cover_with_the_highest_scores_is_chosen():
    # One digit of two atoms with .9, or two digits with .95 and .2.
    line = Line(2, (candidate(0, 1), candidate(0, 2), candidate(1, 2)), 0.1)
    assert line.best([0.95, 0.9, 0.2]) == ([1], pytest.approx(0.9))
    assert line.best([0.95, 0.5, 0.9])[0] == [0, 2]


def test_a_cut_costs():
    line = Line(2, (candidate(0, 1, 0.35), candidate(0, 2), candidate(1, 2)), 0.1)
    path, value = line.best([0.95, 0.9, 0.95])
    assert (path, value) == ([1], pytest.approx(0.9))
    assert line.best([0.95, 0.7, 0.95])[0] == [0, 2]  # .775 an atom


def test_nearly_as_good_a_reading_is_told():
    line = Line(2, (candidate(0, 1), candidate(0, 2), candidate(1, 2)), 0.1)
    scores = np.zeros((3, 10), np.float32)
    scores[0, 1], scores[1, 4], scores[2, 7] = 0.9, 0.95, 0.92
    number = number_of([line], scores, NAMES)
    assert number.text == "4"
    assert [each.message for each in number.digits[0].doubts] == [
        "This ink may also read 17."
    ]
    scores[0, 1] = 0.3
    assert number_of([line], scores, NAMES).digits[0].doubts == ()


@pytest.mark.parametrize(
    ("scores", "cost", "doubts"),
    [
        ({4: 0.9, 9: 0.39}, 0.0, []),
        (
            {4: 0.9, 9: 0.43},
            0.0,
            ["This may also be 9, which scores 0.43; 4 scores 0.90."],
        ),
        ({4: 0.9}, 0.05, [GUESSED]),
    ],
)
def test_a_small_lead_and_guessed_ends_are_doubted(scores, cost, doubts):
    line = Line(1, (candidate(0, 1, cost),), 0.1)
    own = np.zeros((1, 10), np.float32)
    for label, score in scores.items():
        own[0, label] = score
    (digit,) = number_of([line], own, NAMES).digits
    assert [each.message for each in digit.doubts] == doubts


def test_a_network_of_one_class_leads_nothing():
    line = Line(1, (candidate(0, 1),), 0.1)
    (digit,) = number_of([line], np.full((1, 1), 0.2, np.float32), ["1"]).digits
    assert digit.doubts == ()


def test_a_wide_distance_is_a_space_and_wide_writing_has_none():
    def written(places):
        row = [candidate(i, i + 1, 0, x, x + 0.05) for i, x in enumerate(places)]
        scores = np.eye(10, dtype=np.float32)[: len(row)]
        return number_of([Line(len(row), tuple(row), 0.08)], scores, NAMES).text

    assert written([0.0, 0.1, 0.2, 0.45, 0.55]) == "012 34"
    assert written([0.0, 0.25, 0.5, 0.75]) == "0123"


def test_ink_that_touches_can_be_cut_where_it_touches():
    picture = paper()
    ring(picture, 100)
    ring(picture, 168)  # shares a stroke with the first
    bar(picture, 300)
    (line,) = read_lines(encoded(picture, "PNG"))
    assert any(
        each.cost and abs(each.box.right * 600 - 135) < 12 for each in line.candidates
    )


def test_a_digit_in_small_pieces_alone_is_one_digit():
    picture = paper()
    bar(picture, 100)
    bar(picture, 400)
    for place, top in enumerate((52, 84, 116)):  # of 24 px, no 38 % of a bar's height
        bar(picture, 246 + 4 * place, top, top + 24)
    assert boxes(picture) == [(94, 106), (240, 261), (394, 406)]


def test_a_digit_broken_across_is_one_digit():
    picture = paper()
    bar(picture, 100)
    bar(picture, 250, 50, 96)
    bar(picture, 250, 104, 150)
    assert boxes(picture) == [(94, 106), (244, 256)]


def test_a_blank_page_has_no_number():
    with pytest.raises(NoDigitFound, match="it is blank"):
        read_lines(encoded(paper(), "PNG"))


def test_strokes_a_width_apart_are_one_digit():
    """A 4 whose two strokes do not meet."""
    picture = Image.new("L", (280, 280), "white")
    pen = ImageDraw.Draw(picture)
    pen.line([(90, 40), (70, 150), (160, 150)], 0, width=20, joint="curve")
    pen.line([(200, 60), (194, 240)], 0, width=20)
    assert len(read_digit(encoded(picture, "PNG")).found) == 1


def test_a_colourful_picture_is_not_called_blank():
    colours = np.random.default_rng(0).integers(0, 256, (8, 8, 3), dtype=np.uint8)
    pattern = Image.fromarray(colours).resize((400, 400), Image.Resampling.BICUBIC)
    with pytest.raises(NoDigitFound, match="it has many colours, and no even paper"):
        read_digit(encoded(pattern, "PNG"))
