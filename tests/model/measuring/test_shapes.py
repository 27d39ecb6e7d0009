"""Properties of pictures: drawn strokes of known form are measured right."""

import numpy as np
import pytest

from capsnet_explorer.model.measuring.shapes import (
    PROPERTIES,
    enclose,
    measure_shapes,
)
from tests.model.measuring.drawing import MIDDLE, arc, bar, drawn, leaning, ring

FORMS = {
    "1": [bar()],
    "0": [ring()],
    "8": [ring(4, 4, y=MIDDLE - 4), ring(4, 4, y=MIDDLE + 4)],
    "4": [bar(), bar(8, x=MIDDLE - 6, y=MIDDLE - 4), [(7.5, 13.5), (17, 13.5)]],
}


def measured(*lines, **how):
    shapes = measure_shapes(drawn(*lines, **how)[None])
    return {name: float(values[0]) for name, values in shapes.items()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("width", [2, 2.5, 3.2, 4])
def test_thickness_is_the_width_of_the_pen(form, width):
    """Within a tenth: round ends and loops are accounted for, corners are not."""
    thickness = measured(*FORMS[form], width=width)["thickness"]
    assert thickness == pytest.approx(width, rel=0.1)


@pytest.mark.parametrize("form", ["1", "0", "8"])
@pytest.mark.parametrize("degrees", [-30, -12, 0, 7, 25])
def test_slant_is_the_angle_of_a_sheared_digit(form, degrees):
    slant = measured(*FORMS[form], slant=degrees)["slant"]
    assert slant == pytest.approx(degrees, abs=0.3)


@pytest.mark.parametrize("form", ["1", "0", "8"])
@pytest.mark.parametrize("degrees", [-25, 12, 25])
def test_slant_is_nearly_the_angle_of_a_leaning_pen_line(form, degrees):
    """Within a quarter: a pen leaves more ink on the leaning sides of a loop."""
    lines = [leaning(line, degrees) for line in FORMS[form]]
    assert measured(*lines)["slant"] == pytest.approx(degrees, rel=0.25)


@pytest.mark.parametrize("degrees", [-20, 0, 20])
def test_width_and_height_are_those_of_the_upright_digit(degrees):
    shapes = measured(ring(5, 7), slant=degrees)
    assert shapes["width"] == pytest.approx(12.5, rel=0.06)
    assert shapes["height"] == pytest.approx(16.5, rel=0.03)


def test_place_is_the_centre_of_the_ink():
    shapes = measured(ring(x=12.25, y=15.5))
    assert shapes["x"] == pytest.approx(12.25, abs=0.02)
    assert shapes["y"] == pytest.approx(15.5, abs=0.02)


@pytest.mark.parametrize(("radius_x", "radius_y"), [(3, 3), (5, 7), (6, 4)])
def test_loops_is_the_area_within(radius_x, radius_y):
    inside = np.pi * (radius_x - 1.25) * (radius_y - 1.25)
    area = measured(ring(radius_x, radius_y))["loops"]
    assert area == pytest.approx(inside, rel=0.06)


def test_an_open_line_has_no_loop_and_no_tail():
    shapes = measured(ring()[:-7])
    assert shapes["loops"] == pytest.approx(0, abs=0.2)
    assert np.isnan(shapes["tail"])


@pytest.mark.parametrize("length", [6, 10])
def test_a_tail_is_the_ink_beyond_the_loop(length):
    """Within a pen's width of its length: where it leaves the loop is a convention."""
    loop = ring(4, 4, y=8)
    stem = [(MIDDLE + 4, 8), (MIDDLE + 4, 12 + length)]
    without, having = measured(loop)["tail"], measured(loop, stem)["tail"]
    assert without == pytest.approx(0, abs=0.5)
    assert having == pytest.approx(2.5 * length, abs=2.5 * 2.5)


def test_head_and_foot_are_widths_of_the_ends():
    across = [(MIDDLE - 5, 5), (MIDDLE + 5, 5)]
    shapes = measured(bar(17, y=MIDDLE), across)
    assert shapes["head"] == pytest.approx(12.5, rel=0.05)
    assert shapes["foot"] == pytest.approx(2.5, rel=0.05)


@pytest.mark.parametrize("sagitta", [-4, -1.5, 0, 2, 3.5])
def test_bow_is_how_far_the_middle_is_out(sagitta):
    """Within a fifth: at its ends, a steep line has more ink in each row."""
    bow = measured(arc(sagitta))["bow"]
    assert bow == pytest.approx(sagitta, rel=0.2, abs=0.1)


def test_fainter_ink_has_the_same_shape():
    full = drawn(*FORMS["4"])
    strong, faint = measure_shapes(full[None]), measure_shapes(0.4 * full[None])
    for name in PROPERTIES:
        assert faint[name] == pytest.approx(strong[name], rel=1e-4, nan_ok=True)


def test_a_blank_picture_has_no_properties():
    shapes = measure_shapes(np.zeros((1, 28, 28), np.float32))
    assert all(np.isnan(values).all() for values in shapes.values())


def test_ground_is_filled_to_the_lowest_way_out():
    """A room of height 0 behind a wall of 0.8, with a door of 0.3."""
    ink = np.zeros((1, 5, 5))
    ink[0, 1:4, 1:4] = 0.8
    ink[0, 2, 2] = 0
    ink[0, 2, 3] = 0.3
    filled = enclose(ink)
    assert filled[0, 2, 2] == pytest.approx(0.3)
    assert np.delete(filled, 12) == pytest.approx(np.delete(ink, 12))


def test_a_corner_is_closed():
    """The ground leaves through sides of pixels only; ink also joins at corners."""
    ink = np.zeros((1, 5, 5))
    ink[0, [1, 2, 2, 3], [2, 1, 3, 2]] = 1
    assert enclose(ink)[0, 2, 2] == 1
