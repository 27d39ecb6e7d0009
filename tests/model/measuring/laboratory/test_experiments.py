"""The experiments: what their knobs do to images."""

from typing import get_args

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from capsnet_explorer.model.measuring.laboratory.experiments import (
    ATTACKED,
    EXPERIMENTS,
    shuffled_tiles,
)
from capsnet_explorer.model.measuring.laboratory.strongest import Batch
from capsnet_explorer.model.options import EXPERIMENT_NAMES
from capsnet_explorer.perturbations.attack import Loss

NEUTRAL = {"contrast": 1.0, "scale": 1.0, "tiles": 1.0}  # all others: 0
PIXELS = np.random.default_rng(2).random((3, 1, 12, 12))
BATCH = Batch(PIXELS, torch.tensor([0, 1, 2]), first=50)


def test_the_command_line_knows_their_names():
    assert tuple(EXPERIMENTS) == EXPERIMENT_NAMES


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_one_value_of_each_knob_changes_nothing_and_the_others_do(name, subject):
    experiment = EXPERIMENTS[name]
    neutral = NEUTRAL.get(name, 0.0)
    assert neutral in experiment.values
    assert list(experiment.values) == sorted(set(experiment.values))
    unchanged = experiment.change(subject, BATCH, neutral)
    assert_array_equal(unchanged, PIXELS)
    for value in (experiment.values[0], experiment.values[-1]):
        changed = experiment.change(subject, BATCH, value)
        assert changed.shape == PIXELS.shape
        assert 0 <= changed.min() <= changed.max() <= 1
        if value != neutral:
            is_changed = (changed != PIXELS).any(axis=(1, 2, 3))
            # Nobody need attack what is misread without.
            is_misread = (subject.gaps(PIXELS, BATCH.labels) > 0).numpy()
            is_attack = experiment.values == ATTACKED
            assert all(is_changed | is_misread if is_attack else is_changed)


@pytest.mark.parametrize("name", ["pgd", "alarm"])
def test_attacks_are_judged_by_what_the_network_reads(name, subject):
    """Gap and margin are above 0 exactly where the answer is wrong, or goes unseen."""
    changed = EXPERIMENTS[name].change(subject, BATCH, 0.3)
    scores, is_alarmed = subject.answers(changed)
    is_misread = scores.argmax(dim=1) != BATCH.labels
    assert torch.equal(subject.gaps(changed, BATCH.labels) > 0, is_misread)
    margins = subject.unnoticed(changed, BATCH.labels).values
    assert torch.equal(margins > 0, is_misread & ~is_alarmed)


def test_every_loss_has_the_gradient_of_its_values(subject):
    """By differences of each loss's own values."""
    pixels, step = torch.from_numpy(PIXELS).float().numpy(), 5e-3
    for of in get_args(Loss):
        slopes = subject.slopes(pixels, BATCH.labels, of=of)
        ends = []
        for sign in (1, -1):
            moved = pixels + sign * step * slopes.gradients.sign().numpy()
            ends.append(subject.slopes(moved, BATCH.labels, of=of).values)
        expected = slopes.gradients.abs().sum(dim=(1, 2, 3))
        np.testing.assert_allclose(
            (ends[0] - ends[1]) / (2 * step), expected, rtol=0.05, atol=1e-4
        )


def test_attacks_know_each_images_label(subject):
    """Each image is kept from its own class, whatever its place among others."""
    together = EXPERIMENTS["fgsm"].change(subject, BATCH, 0.1)
    for index in range(3):
        alone = Batch(PIXELS[index : index + 1], BATCH.labels[index : index + 1], 0)
        changed = EXPERIMENTS["fgsm"].change(subject, alone, 0.1)[0]
        same = np.isclose(changed, together[index], atol=1e-6).mean()
        assert same > 0.97  # rounding turns the sign of a slope of nearly 0


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_no_tile_stays_and_none_is_lost(side):
    image = np.arange(17.0 * 13).reshape(17, 13)
    both = np.stack([image, -image])
    shuffled, twin = shuffled_tiles(both, side, np.random.default_rng(1))
    assert_array_equal(twin, -shuffled)  # channels move together
    assert_array_equal(np.sort(shuffled.ravel()), image.ravel())
    height, width = 17 // side, 13 // side
    top, left = (17 - side * height) // 2, (13 - side * width) // 2
    inner = (slice(top, top + side * height), slice(left, left + side * width))
    rest = np.ones((17, 13), bool)
    rest[inner] = False
    assert_array_equal(shuffled[rest], image[rest])
    assert (shuffled[inner] != image[inner]).all()
    for row in range(side):
        for column in range(side):
            tile = shuffled[inner][
                row * height : (row + 1) * height, column * width : (column + 1) * width
            ]
            first = tile[0, 0]
            y, x = divmod(int(first), 13)
            assert_array_equal(tile, image[y : y + height, x : x + width])
            assert (y - top) % height == (x - left) % width == 0


def test_tiles_depend_on_the_image_and_not_on_its_batch(subject):
    tiles = EXPERIMENTS["tiles"].change
    whole = tiles(subject, BATCH, 3.0)
    part = Batch(PIXELS[1:], BATCH.labels[1:], first=51)
    assert_array_equal(tiles(subject, part, 3.0), whole[1:])
