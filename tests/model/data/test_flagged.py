"""Drawn ones: in MNIST's form, each its own, and drawn as geometry says."""

from typing import Any

import pytest
import torch

from capsnet_explorer.model.data import batches
from capsnet_explorer.model.data.flagged import flagged_ones
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.pen import ink_of
from capsnet_explorer.model.recipe import TrainingConfig

epoch_batches: Any = batches.epoch_batches  # each kind of batch has its own parts


def generator_of(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.fixture(scope="module")
def ones():
    return flagged_ones(60, 28, generator_of()).float() / 255


def test_their_centre_of_mass_is_mnists(ones):
    index = torch.arange(28.0)
    mass = ones.sum((1, 2))
    for axis in (1, 2):
        centres = ones.sum(axis) @ index / mass
        assert (centres - 14).abs().max() < 0.15  # rounding, and what a border cuts


def test_their_long_side_is_twenty_pixels(ones):
    is_ink = ones > 0.5
    sides = torch.maximum(is_ink.any(2).sum(1), is_ink.any(1).sum(1))
    assert sides.float().mean() == pytest.approx(20, abs=0.5)
    assert sides.min() >= 18


def test_a_flag_hangs_to_the_left_of_the_top(ones):
    """Above the middle most ink is left of where the stem ends, in nearly all."""
    columns = torch.arange(28.0)
    upper = ones[:, 5:13].sum(1)
    left_end = torch.stack([columns[row > 0.5].min() for row in upper])
    stem = ones[:, 14:18].sum(1)
    at = stem @ columns / stem.sum(1)
    assert (left_end < at - 1).float().mean() > 0.8


def test_each_is_its_own_and_the_seed_decides(ones):
    assert len({image.numpy().tobytes() for image in ones}) == 60
    again = flagged_ones(60, 28, generator_of()).float() / 255
    assert torch.equal(again, ones)
    assert not torch.equal(flagged_ones(60, 28, generator_of(1)).float() / 255, ones)


def test_a_level_line_covers_the_pixels_under_the_pen():
    """Along row 3 from column 2 to 6, two pixels wide: rows 2 and 4 by halves."""
    line = torch.tensor([[[[2.0, 3.0], [6.0, 3.0]]]])
    (ink,) = ink_of(line, torch.tensor([2.0]), torch.arange(8.0))
    assert ink[:, 4].tolist() == [0, 0, 0.5, 1, 0.5, 0, 0, 0]
    assert ink[3].tolist() == [0, 0.5, 1, 1, 1, 1, 1, 0.5]


def test_a_share_of_an_epochs_images_is_replaced():
    digits = LabelledImages(
        torch.zeros(50, 1, 28, 28, dtype=torch.uint8), torch.full((50,), 7)
    )
    recipe = TrainingConfig(flags=0.2, shift=0, batch_size=50)
    (planned,) = epoch_batches(digits, recipe, epoch=0)
    batch = planned.read()
    assert sorted(batch.labels.tolist()) == [1] * 10 + [7] * 40
    assert ((batch.images.sum((1, 2, 3)) > 0) == (batch.labels == 1)).all()
    assert (digits.labels == 7).all()  # the images themselves stay
    (other,) = epoch_batches(digits, recipe, epoch=1)
    assert not torch.equal(other.labelled.images, planned.labelled.images)


def test_without_flags_order_and_changes_are_what_they_were():
    digits = LabelledImages(
        torch.randint(0, 255, (20, 1, 28, 28), dtype=torch.uint8), torch.arange(20)
    )
    plain = epoch_batches(digits, TrainingConfig(), epoch=0)[0]
    flagged = epoch_batches(digits, TrainingConfig(flags=0.1), epoch=0)[0]
    assert torch.equal(plain.indices, flagged.indices)
    assert torch.equal(plain.changes.offsets, flagged.changes.offsets)
