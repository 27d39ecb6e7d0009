"""Augmented digits: what each change does, and that chance stays within bounds."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from capsnet_explorer.model.data.augmentation import (
    BEND_KNOTS,
    Distortions,
    Shifts,
    drawn_distortions,
    drawn_shifts,
    thicken,
)
from capsnet_explorer.model.recipe import TrainingConfig

SIDE = 9


def moved_one_by_one(images, offsets):
    moved = torch.zeros_like(images)
    rows, columns = images.shape[2:]
    for image, (down, right) in enumerate(offsets.tolist()):
        for row in range(rows):
            for column in range(columns):
                to_row, to_column = row + down, column + right
                if 0 <= to_row < rows and 0 <= to_column < columns:
                    moved[image, :, to_row, to_column] = images[image, :, row, column]
    return moved


@given(
    rows=st.integers(1, 5),
    columns=st.integers(1, 5),
    offsets=st.lists(
        st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=4
    ),
)
def test_a_shift_moves_every_pixel_and_fills_with_nothing(rows, columns, offsets):
    shape = (len(offsets), 2, rows, columns)
    images = torch.arange(1.0, math.prod(shape) + 1).reshape(shape)
    shifted = Shifts(torch.tensor(offsets), 6).apply(images)
    assert torch.equal(shifted, moved_one_by_one(images, torch.tensor(offsets)))


def test_shifts_reach_every_offset_asked_for_and_none_beyond():
    generator = torch.Generator().manual_seed(0)
    shifts = drawn_shifts(2000, TrainingConfig(shift=2), generator)
    offsets = {tuple(offset) for offset in shifts.offsets.tolist()}
    assert offsets == {(down, right) for down in range(-2, 3) for right in range(-2, 3)}


def one_distortion(**changes):
    """A distortion of one image that does nothing but what is named."""
    still = {
        "pull": torch.tensor([[[1.0, 0, 0], [0, 1, 0]]]),
        "knots": torch.zeros(1, 2, BEND_KNOTS, BEND_KNOTS),
        "thickness": torch.zeros(1),
    }
    return Distortions(**still | changes)


@pytest.fixture
def image():
    return torch.rand(1, 1, SIDE, SIDE)


def test_no_distortion_leaves_the_image(image):
    torch.testing.assert_close(one_distortion().apply(image), image)


def test_a_pull_by_whole_pixels_is_a_shift_the_other_way(image):
    pulled = one_distortion(pull=torch.tensor([[[1.0, 0, 2], [0, 1, -1]]]))
    shifted = Shifts(torch.tensor([[1, -2]]), 2)
    torch.testing.assert_close(pulled.apply(image), shifted.apply(image))


def test_a_quarter_turn_takes_the_left_to_the_bottom(image):
    turned = one_distortion(pull=torch.tensor([[[0.0, -1, 0], [1, 0, 0]]]))
    expected = torch.rot90(image, 1, (2, 3))
    torch.testing.assert_close(turned.apply(image), expected, atol=1e-5, rtol=0)


def test_knots_that_move_alike_shift_the_image(image):
    knots = torch.zeros(1, 2, BEND_KNOTS, BEND_KNOTS)
    knots[:, 0] = 1  # one pixel right: the result is read from there
    expected = Shifts(torch.tensor([[0, -1]]), 1).apply(image)
    bent = one_distortion(knots=knots).apply(image)
    torch.testing.assert_close(bent, expected, atol=1e-5, rtol=0)


def test_thickness_by_hand():
    stroke = torch.zeros(1, 1, 3, 5)
    stroke[..., 2] = 1.0
    thick = thicken(stroke, torch.tensor([0.5]))
    assert thick[0, 0, 1].tolist() == [0, 0.5, 1, 0.5, 0]
    bar = torch.zeros(1, 1, 5, 5)
    bar[..., 1:4] = 1.0
    thin = thicken(bar, torch.tensor([-1.0]))
    assert thin[0, 0, 2].tolist() == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("thickness", [-0.7, -0.2, 0.0, 0.9])
def test_ink_stays_as_dark_as_it_was(thickness):
    images = torch.rand(3, 1, SIDE, SIDE)
    changed = thicken(images, torch.full((3,), thickness))
    torch.testing.assert_close(changed.amax((1, 2, 3)), images.amax((1, 2, 3)))


def draw(**settings):
    generator = torch.Generator().manual_seed(5)
    return drawn_distortions(3000, TrainingConfig(**settings), generator)


@pytest.mark.parametrize(
    "settings", [{"rotation": 20.0}, {"scale": 0.2}, {"shear": 0.4}, {"bend": 2.0}]
)
def test_images_stay_in_range_and_shape(settings):
    images = torch.rand(40, 1, 28, 28)
    distorted = draw(**settings).of(torch.arange(40)).apply(images)
    assert distorted.shape == images.shape
    assert distorted.min() >= 0
    assert distorted.max() <= 1
    assert not torch.equal(distorted, images)


def test_angles_fill_what_is_asked_for_and_nothing_beyond():
    pull = draw(rotation=15.0).pull
    degrees = torch.atan2(pull[:, 1, 0], pull[:, 0, 0]).rad2deg()
    assert degrees.abs().max() <= 15 + 1e-4
    assert degrees.max() > 14.5
    assert degrees.min() < -14.5
    # A turn keeps lengths: its columns are of length 1.
    torch.testing.assert_close(pull[:, :, 0].norm(dim=1), torch.ones(3000))


def test_sizes_change_as_often_up_as_down_each_side_by_itself():
    width, height = draw(scale=0.25).pull[:, [0, 1], [0, 1]].T
    for side in (width, height):
        assert 1 / 1.25 - 1e-6 <= side.min() < 0.82
        assert 1.22 < side.max() <= 1.25 + 1e-6
        assert abs(side.log().mean()) < 0.02
    assert abs(torch.corrcoef(torch.stack([width, height]))[0, 1]) < 0.1


def test_moves_of_the_knots_have_the_spread_asked_for():
    knots = draw(bend=1.5).knots
    assert math.isclose(knots.std(), 1.5, rel_tol=0.02)


def test_what_is_not_asked_for_does_not_change():
    distortions = draw(shift=0, thickness=0.3)
    assert torch.equal(distortions.pull, one_distortion().pull.expand(3000, 2, 3))
    assert not distortions.knots.any()
    assert 0.28 < distortions.thickness.max() <= 0.3
