"""The meanings of a pose's numbers: a decoder made to draw by number is found out."""

import numpy as np
import pytest

from capsnet_explorer.model.measuring.meanings import meanings
from capsnet_explorer.model.measuring.moving import UNITS, changes, unexplained
from capsnet_explorer.model.measuring.shapes import PROPERTIES, Pictures
from tests.model.measuring.drawing import MIDDLE, bar, drawn, ring

NUMBERS = 4
RANGES = np.array([[-1.0, 1.0]] * NUMBERS)


def draw(poses) -> Pictures:
    """Number 1 thickens, 2 does nothing, 3 slants, 4 moves down."""
    return np.stack(
        [
            drawn(
                ring(4.5, 6.5, y=MIDDLE + 2 * down),
                width=3 + thicker,
                slant=20 * leaning,
            )
            for thicker, _, leaning, down in poses
        ]
    )


@pytest.fixture(scope="module")
def poses():
    return np.random.default_rng(0).uniform(-0.4, 0.4, (4, NUMBERS))


@pytest.fixture(scope="module")
def measured(poses):
    return meanings(draw, poses, RANGES)


def test_what_each_number_of_a_decoder_does_is_found_out(measured):
    expected = [("thickness", 2, 0.1), None, ("slant", 40, 0.08), ("y", 4, 0.02)]
    for number, does in zip(measured, expected, strict=True):
        assert number.is_single == (does is not None)
        if does is None:
            assert number.change == pytest.approx(0, abs=1e-6)
            assert number.unexplained == 0
        else:
            assert number.strongest == does[0]
            assert number.change == pytest.approx(does[1], rel=does[2])
    assert measured[2].correlation > 0.99


def test_a_number_that_does_two_things_has_no_single_meaning(poses):
    def both(poses):
        moved = np.array(poses)
        moved[:, 3] = moved[:, 2]  # down as far as it slants
        return draw(moved)

    first = meanings(both, poses, RANGES)[2]
    assert {first.strongest, first.next} == {"slant", "y"}
    assert not first.is_single


def test_a_number_whose_range_is_empty_means_nothing(poses):
    ranges = RANGES.copy()
    ranges[2] = 0.3
    assert not meanings(draw, poses, ranges)[2].is_single


def test_blank_pictures_have_no_meaning(poses):
    def blank(poses):
        return np.zeros((len(poses), 28, 28), np.float32)

    assert not any(number.is_single for number in meanings(blank, poses, RANGES))


def test_a_change_is_the_line_through_what_is_left_after_each_poses_mean():
    """Two poses: 0, 1, 2 and 10, 11, 15 at amounts 0, 1, 2; deviations by hand."""
    values = np.array([[0.0, 1, 2], [10, 11, 15]])
    (change,) = changes(np.array([0.0, 1, 2]), {"slant": values})
    assert change.slope == pytest.approx((2 + 5) / (2 + 2))
    # Deviations: -1, 0, 1 and -2, -1, 3, with squares 2 and 14.
    assert change.correlation == pytest.approx(7 / np.sqrt(4 * 16))
    assert change.units == pytest.approx(7 / 4 / UNITS["slant"])


def test_a_property_that_most_pictures_lack_is_left_out():
    missing = np.array([[np.nan, 1], [np.nan, 2], [1, 2]])
    assert changes(np.array([0.0, 1]), {"tail": missing}) == []


def test_every_property_has_a_unit():
    assert tuple(UNITS) == PROPERTIES


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"y": MIDDLE}, {"y": MIDDLE + 0.3}),
        ({"radius_x": 4}, {"radius_x": 4.2}),
    ],
    ids=["moved", "wider"],
)
def test_what_is_moved_or_stretched_is_mostly_explained(before, after):
    rest = unexplained(drawn(ring(**before))[None], drawn(ring(**after))[None])
    assert 0 <= rest < 0.4


def test_a_new_stroke_is_not_explained():
    before = drawn(ring())[None]
    after = drawn(ring(), bar(6))[None]
    assert unexplained(before, after) > 0.8
