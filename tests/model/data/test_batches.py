"""Digits: scaled, split, and put in order."""

from typing import Any

import pytest
import torch

from capsnet_explorer.model.data import batches
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.recipe import TrainingConfig

epoch_batches: Any = batches.epoch_batches  # each kind of batch has its own parts


def recipe(**settings):
    return TrainingConfig(**settings)


def test_pixels_are_scaled_from_0_255_to_0_1():
    pixels = to_network(torch.tensor([[[0, 51], [128, 255]]], dtype=torch.uint8))
    expected = torch.tensor([[[0, 0.2], [128 / 255, 1]]])
    torch.testing.assert_close(pixels, expected)


def test_an_epoch_covers_each_image_exactly_once(digits):
    batches = epoch_batches(digits, recipe(batch_size=5, seed=7), epoch=3)
    assert [len(batch.indices) for batch in batches] == [5, 5, 5, 2]
    indices = torch.cat([batch.indices for batch in batches])
    assert sorted(indices.tolist()) == list(range(17))


@pytest.mark.parametrize("distortions", [{}, {"rotation": 10.0, "bend": 1.0}])
def test_an_epoch_keeps_image_change_and_label_together(digits, distortions):
    for batch in epoch_batches(digits, recipe(batch_size=4, **distortions), epoch=0):
        read = batch.read()
        originals = to_network(digits.images[batch.indices])
        changes = batch.changes.of(batch.indices)
        assert torch.equal(read.images, changes.apply(originals))
        assert not torch.equal(read.images, originals)
        assert torch.equal(read.labels, digits.labels[batch.indices])


def plan(digits, *, epoch, seed, **distortions):
    batches = epoch_batches(
        digits, recipe(batch_size=5, seed=seed, **distortions), epoch=epoch
    )
    images = torch.cat([batch.read().images for batch in batches])
    return torch.cat([batch.indices for batch in batches]).tolist(), images.tolist()


@pytest.mark.parametrize("distortions", [{}, {"shear": 0.3, "thickness": 0.5}])
def test_order_and_changes_follow_from_seed_and_epoch_alone(digits, distortions):
    before = plan(digits, epoch=1, seed=4, **distortions)
    torch.manual_seed(99)
    torch.rand(3)
    assert plan(digits, epoch=1, seed=4, **distortions) == before


def test_another_epoch_and_another_seed_are_other_plans(digits):
    plans = [
        plan(digits, epoch=epoch, seed=seed) for epoch in range(3) for seed in range(3)
    ]
    assert all(plans.count(other_plan) == 1 for other_plan in plans)


def test_the_held_out_images_are_the_last(digits):
    training, held_out = digits.split(4)
    assert (len(training), len(held_out)) == (13, 4)
    assert torch.equal(torch.cat([training.images, held_out.images]), digits.images)
    assert torch.equal(held_out.labels, digits.labels[-4:])
    assert len(digits.split(0)[1]) == 0


@pytest.mark.parametrize(("share", "least", "most"), [(1.0, 17, 17), (0.5, 4, 13)])
def test_a_share_of_the_images_is_mirrored_left_to_right(digits, share, least, most):
    (batch,) = epoch_batches(digits, recipe(shift=0, mirror=share), epoch=0)
    originals = to_network(digits.images[batch.indices])
    images = batch.read().images
    is_mirrored = (images == originals.flip(3)).flatten(1).all(dim=1)
    is_same = (images == originals).flatten(1).all(dim=1)
    assert torch.equal(is_mirrored, ~is_same)
    assert least <= is_mirrored.sum() <= most


def test_mirroring_leaves_order_and_shifts_as_they_were(digits):
    """So networks that are shipped can still be trained by their command."""
    plain, mirroring = (
        epoch_batches(digits, recipe(mirror=share), epoch=0)[0] for share in (0.0, 1.0)
    )
    assert torch.equal(plain.indices, mirroring.indices)
    assert torch.equal(plain.changes.offsets, mirroring.changes.offsets)


def rare_and_common(balance):
    """Count how often each class is shown of 90 common and 10 rare images."""
    labels = torch.tensor([0] * 90 + [1] * 10)
    images = torch.zeros((100, 1, 4, 4), dtype=torch.uint8)
    recipe = TrainingConfig(batch_size=16, shift=0, balance=balance)
    batches = epoch_batches(LabelledImages(images, labels), recipe, epoch=0)
    labels = torch.cat([batch.read().labels for batch in batches])
    return labels.bincount(minlength=2).tolist()


@pytest.mark.parametrize(
    ("balance", "rare"),
    [(0, 10), (1, 50), (0.5, 25)],  # 3 to 1: the root of 9
)
def test_balance_shows_rare_classes_as_often_as_common_ones(balance, rare):
    common, shown_rare = rare_and_common(balance)
    assert common + shown_rare == 100
    assert abs(shown_rare - rare) <= (balance > 0)


def test_balance_needs_one_class_an_image():
    several = LabelledImages(
        torch.zeros((4, 1, 4, 4), dtype=torch.uint8), torch.ones((4, 2))
    )
    with pytest.raises(ValueError, match="--balance needs images of one class"):
        epoch_batches(several, TrainingConfig(balance=1), epoch=0)
