"""Two digits on top of each other: which, where, and what an image of them is."""

from typing import Any

import numpy as np
import pytest
import torch

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.data.batches import epoch_batches
from capsnet_explorer.model.data.files import DataError
from capsnet_explorer.model.data.images import to_network
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.data.overlapping import (
    NONE,
    REACH,
    SINGLES,
    DigitPool,
    drawn_layout,
    fixed_layout,
    fixed_overlaps,
    lay_out,
    merge,
)
from capsnet_explorer.model.recipe import TrainingConfig

OVERLAPPING = DATASETS["overlapping"]


@pytest.fixture
def pool(digits):
    return DigitPool(digits.images, digits.labels)


def drawn_slowly(digits, layout, image):
    """Add the digits of an image pixel by pixel, as the definition has it."""
    _, rows, columns = digits.images.shape[1:]
    alone = np.zeros((2, rows + 8, columns + 8), int)
    for digit, index in enumerate(layout.digits[image].tolist()):
        if index == NONE:
            continue
        down, right = layout.shifts[image, digit].tolist()
        for row in range(rows):
            for column in range(columns):
                ink = int(digits.images[index, 0, row, column])
                alone[digit, row + 4 + down, column + 4 + right] = ink
    return alone, np.minimum(alone[0] + alone[1], 255)


@pytest.mark.parametrize("seed", [0, 1])
def test_images_are_those_of_a_slow_version(digits, seed):
    layout = drawn_layout(digits.labels, torch.Generator().manual_seed(seed))
    apart, classes = lay_out(digits, layout)
    images = merge(apart)
    assert images.shape == (17, 1, 20, 20)
    assert images.max() == 255  # some are clipped
    for image in range(17):
        alone, whole = drawn_slowly(digits, layout, image)
        np.testing.assert_array_equal(apart[image, :, 0], alone)
        np.testing.assert_array_equal(images[image, 0], whole)
        expected = [
            int(digits.labels[index])
            for index in layout.digits[image].tolist()
            if index != NONE
        ]
        named = [int(one_hot.argmax()) for one_hot in classes[image] if one_hot.any()]
        assert named == expected


LABELS = torch.arange(40) % 3


def test_labels_differ_and_shifts_stay_within_four_pixels():
    """It is the labels that must differ: two images of a class do, too."""
    layout = drawn_layout(LABELS, torch.Generator().manual_seed(3))
    both = layout.digits[layout.digits[:, 1] != NONE]
    assert (LABELS[both[:, 0]] != LABELS[both[:, 1]]).all()
    assert layout.shifts.unique().tolist() == list(range(-4, 5))
    assert sorted(layout.digits[:, 0].tolist()) == list(range(40))
    with pytest.raises(ValueError, match="of at least two classes"):
        drawn_layout(torch.ones(5, dtype=torch.int64), torch.Generator())


def test_no_pair_is_left_out_for_how_much_it_overlaps():
    """All nine by nine places beside each other come, the same place among them."""
    labels = torch.arange(20_000) % 10
    shifts = fixed_layout(labels, "test").shifts
    apart = (shifts[:, 0] - shifts[:, 1]).abs().amax(dim=1)
    # Of 81 places each digit has, 1 in 81 pairs has both in the same.
    assert int((apart == 0).sum()) == pytest.approx(20_000 / 81, rel=0.2)
    assert int((apart == 8).sum()) > 0
    assert len(shifts) == len(labels)


def test_a_fixed_layout_has_each_digit_over_another_and_never_changes():
    layout = fixed_layout(LABELS, "test")
    assert layout.digits[:, 0].tolist() == list(range(40))
    assert (layout.digits[:, 1] != NONE).all()
    torch.rand(3)
    assert fixed_layout(LABELS, "test").sha256 == layout.sha256
    assert fixed_layout(LABELS, "validation").sha256 != layout.sha256
    # Of a layout that any machine must draw.
    assert layout.sha256.startswith("15730306f85f24e4")


def test_the_test_images_are_the_same_everywhere(needs):
    test: Any = load_part(
        OVERLAPPING, needs("overlapping"), train=False, one_class=False
    )
    assert len(test) == 10_000
    assert test.layout.sha256.startswith("e7129730275a1fac")


def test_an_eighth_of_the_training_images_shows_a_single_digit():
    labels = torch.arange(20_000) % 10
    layout = drawn_layout(labels, torch.Generator().manual_seed(0))
    share = (layout.digits[:, 1] == NONE).float().mean().item()
    assert share == pytest.approx(SINGLES, abs=0.01)
    assert 0.1 <= SINGLES <= 0.15


RECIPE = TrainingConfig(batch_size=5, shift=REACH, seed=2)


def epoch_of(pool, epoch, recipe=RECIPE):
    return [batch.read() for batch in epoch_batches(pool, recipe, epoch=epoch)]


def test_a_batch_has_the_image_each_digit_alone_and_their_classes(pool, digits):
    """By a layout of its own for each seed and epoch."""
    for recipe, epoch, drawn in ((RECIPE, 0, 2_000_006), (RECIPE, 1, 2_000_007)):
        (batch, *_rest) = epoch_of(pool, epoch, recipe)
        layout = drawn_layout(digits.labels, torch.Generator().manual_seed(drawn))
        apart, classes = lay_out(digits, layout.of(slice(5)))
        assert torch.equal(batch.images, to_network(merge(apart)))
        assert torch.equal(batch.clean, to_network(apart))
        assert torch.equal(batch.keep, classes)
        assert torch.equal(batch.labels, classes.sum(dim=1))
        assert set(batch.labels.sum(dim=1).tolist()) <= {1, 2}


def test_held_out_digits_are_in_no_training_image(pool, digits):
    training, held_out = pool.split(6)
    assert torch.equal(training.images, digits.images[:11])
    assert torch.equal(held_out.digits.images, digits.images[11:])
    assert (len(training), len(held_out)) == (11, 6)
    assert len(epoch_of(training, 0)[0].images) == 5
    assert training.shape == held_out.shape == (1, 20, 20)
    assert training.most_present == held_out.most_present == 2
    twice = DigitPool(digits.images.repeat(2, 1, 1, 1), digits.labels.repeat(2))
    assert [len(part) for part in twice.split(0)] == [32, 2]  # a twelfth


def test_the_first_digits_stand_alone_where_they_stand_in_the_images(digits):
    overlaps = fixed_overlaps(digits, "test")
    apart, classes = overlaps.apart(slice(3, 8))
    singles = overlaps.singles
    assert torch.equal(singles.images[3:8], apart[:, 0])
    assert torch.equal(singles.labels, digits.labels)
    assert torch.equal(overlaps.images[3:8], merge(apart))
    assert torch.equal(overlaps.labels[3:8], classes.sum(dim=1))


def test_the_files_of_mnist_are_laid_over_each_other(mnist_folder, digits):
    training = load_part(OVERLAPPING, mnist_folder, train=True, one_class=False)
    assert isinstance(training, DigitPool)
    assert torch.equal(training.images, digits.images)
    test = load_part(OVERLAPPING, mnist_folder, train=False, one_class=False)
    assert torch.equal(test.images, fixed_overlaps(digits, "test").images)
    with pytest.raises(DataError, match="show two classes: this needs images of one"):
        load_part(OVERLAPPING, mnist_folder, train=False)
