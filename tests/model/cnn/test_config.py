"""Sizes and losses that cannot work are refused; the others follow from each other."""

import pytest

from capsnet_explorer.model.cnn.config import CnnConfig, LossConfig
from tests.tiny import square


def test_the_default_sizes():
    config = CnnConfig()
    assert (config.conv1_maps, config.pool1_maps) == ((32, 24, 24), (32, 12, 12))
    assert (config.conv2_maps, config.pool2_maps) == ((64, 8, 8), (64, 4, 4))
    assert config.features == 64 * 4 * 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"classes": 0}, "classes must be at least 1, got 0"),
        ({**square(15)}, "15x15 pixels leave no room .* at least 16x16"),
        ({"kernel_size": 10}, "convolutions of 10x10, .* at least 31"),
    ],
)
def test_sizes_that_cannot_work_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        CnnConfig(**changes)


@pytest.mark.parametrize(("kernel", "image"), [(1, 4), (3, 10), (5, 16), (10, 31)])
def test_the_smallest_image_leaves_one_number_of_each_map(kernel, image):
    assert CnnConfig(kernel_size=kernel, **square(image)).pool2_maps == (64, 1, 1)
    with pytest.raises(ValueError, match=f"at least {image}x{image}"):
        CnnConfig(kernel_size=kernel, **square(image - 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"label_smoothing": 1.0}, "label_smoothing must be from 0 to 0.99"),
        (
            {"class_loss": "margin", "label_smoothing": 0.1},
            "label_smoothing is for class_loss cross_e",
        ),
    ],
)
def test_losses_that_cannot_work_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        LossConfig(**changes)
