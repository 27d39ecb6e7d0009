"""Changes of tone, by hand, and that chance stays within its bounds."""

from typing import Any

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.data import batches
from capsnet_explorer.model.data.tones import Tones, drawn_moves, drawn_tones
from capsnet_explorer.model.recipe import TrainingConfig

epoch_batches: Any = batches.epoch_batches  # each kind of batch has its own parts

IMAGE = torch.tensor([[[0.0, 0.5], [1.0, 0.25]]])
MOVES = torch.tensor([[[0.5, -1.0], [0.9, -0.2]]])
RECIPE = TrainingConfig(contrast=0.4, ground=0.25, noise=0.15, toned=0.5)


def tones(contrast=1.0, ground=0.0, noise=0.0, is_even=False):
    return Tones(
        torch.tensor([contrast]),
        torch.tensor([ground]),
        torch.tensor([noise]),
        torch.tensor([is_even]),
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (tones(), [0, 0.5, 1, 0.25]),
        (tones(contrast=0.5), [0, 0.25, 0.5, 0.125]),
        (tones(ground=0.1), [0.1, 0.6, 1, 0.35]),
        (tones(noise=0.2), [0.1, 0.3, 1, 0.21]),
        (tones(noise=0.2, is_even=True), [0.2, 0.3, 1, 0.05]),
        (tones(contrast=0.5, ground=0.1, noise=0.2), [0.2, 0.15, 0.78, 0.185]),
    ],
)
def test_tones_by_hand(change, expected):
    assert_close(change.apply(IMAGE, MOVES)[0].flatten(), torch.tensor(expected))


def test_amounts_stay_within_the_recipes_and_happen_to_its_share():
    drawn = drawn_tones(4000, RECIPE, torch.Generator().manual_seed(0))
    for values, low, high, none in (
        (drawn.contrast, 0.6, 1.2, 1.0),
        (drawn.ground, 0.0, 0.25, 0.0),
        (drawn.noise, 0.0, 0.15, 0.0),
    ):
        assert low <= values.min() < low + 0.01
        assert high - 0.01 < values.max() <= high
        assert (values == none).float().mean() == pytest.approx(0.5, abs=0.03)
    assert drawn.is_even.float().mean() == pytest.approx(0.5, abs=0.03)


def test_moves_are_the_same_for_the_same_seed():
    assert torch.equal(drawn_moves((2, 3, 4), 7), drawn_moves((2, 3, 4), 7))
    assert not torch.equal(drawn_moves((2, 3, 4), 7), drawn_moves((2, 3, 4), 8))
    moves = drawn_moves((9, 9, 9), 7)
    assert -1 <= moves.min() < -0.9
    assert 0.9 < moves.max() <= 1


def test_a_batch_keeps_the_clean_images_to_reconstruct(digits):
    recipe = TrainingConfig(batch_size=5, ground=0.3, noise=0.1, toned=1.0, seed=3)
    plain = TrainingConfig(batch_size=5, seed=3)
    planned = epoch_batches(digits, recipe, epoch=2)
    seeds = [
        batch.seed for batch in (*planned, *epoch_batches(digits, recipe, epoch=3))
    ]
    assert len(set(seeds)) == len(seeds)  # no two have the same noise
    for toned, clean in zip(
        planned, epoch_batches(digits, plain, epoch=2), strict=True
    ):
        batch, without = toned.read(), clean.read()
        assert without.clean is None
        assert torch.equal(batch.clean, without.images)
        assert torch.equal(batch.labels, without.labels)
        assert (batch.images - batch.clean).abs().amax((1, 2)).min() > 0
