"""Sizes and settings: the paper's by default, refused when they cannot work."""

import re

import pytest

from capsnet_explorer.model.capsnet.config import CapsNetConfig, LossConfig
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.matrix.config import MatrixConfig
from capsnet_explorer.model.recipe import PRESETS, TrainingConfig
from tests.tiny import square


def test_default_sizes_are_the_papers():
    paper = CapsNetConfig()
    assert paper.conv1_maps == (256, 20, 20)
    assert paper.primary_grid == (32, 6, 6)
    assert paper.primary_capsules == 1152
    assert (paper.conv1_kernels, paper.primary_types, paper.primary_dim) == (256, 32, 8)
    assert (paper.classes, paper.digit_dim) == (10, 16)
    assert paper.routing_iterations == 3
    assert paper.decoder_hidden == (512, 1024)


def test_default_loss_is_the_papers():
    paper = LossConfig()
    assert (paper.present_margin, paper.absent_margin) == (0.9, 0.1)
    assert (paper.absent_weight, paper.reconstruction_weight) == (0.5, 0.0005)


CHANGES = {
    CapsNetConfig: [
        ({"classes": 0}, "classes must be at least 1, got 0"),
        (
            {**square(16)},
            "images of 16x16 pixels leave no room for two convolutions of 9x9: they "
            "must have at least 17x17, or --kernel-size be 8 at most",
        ),
        ({"none_of_the_above": "yes", "mistake": "axis"}, "choose one of the two"),
    ],
    TrainingConfig: [
        ({"schedule": "linear"}, "must be one of cosine, exponential, got 'linear'"),
    ],
    LossConfig: [
        ({"present_margin": 1.5}, "present_margin must be from 0 to 1, got 1.5"),
        ({"absent_margin": 0.9}, "got 0.9 and 0.9"),
        ({"voters_most": 20.0}, "0 or at least voters, 25.0, got 20.0"),
    ],
}


@pytest.mark.parametrize(
    ("settings", "changes", "message"),
    [(settings, *change) for settings, all_of in CHANGES.items() for change in all_of],
)
def test_settings_that_cannot_work_are_refused(settings, changes, message):
    with pytest.raises(ValueError, match=message):
        settings(**changes)


@pytest.mark.parametrize(
    ("kind", "side", "words"),
    [
        (MatrixConfig, 16, "--kernel-size be 4 at most"),
        (MatrixConfig, 8, "--capsule-kernel be 1 at most"),
        (MatrixConfig, 4, "--capsule-kernel be 1 and --kernel-size be 4 at most"),
        (CnnConfig, 15, "--kernel-size be 4 at most"),
        (CnnConfig, 3, "whatever else"),
    ],
)
def test_images_too_small_are_refused_with_the_option_that_makes_room(
    kind, side, words
):
    with pytest.raises(ValueError, match=f"x\\d+, (or )?{words}$"):
        kind(**square(side))
    if "whatever" not in words:
        named = re.findall(r"--([a-z-]+) be (\d+)", words)
        sizes = {name.replace("-", "_"): int(most) for name, most in named}
        kind(**square(side), **sizes)
        last = [*sizes][-1]
        with pytest.raises(ValueError, match="no room"):
            kind(**square(side), **sizes | {last: sizes[last] + 1})


def test_the_smallest_image_leaves_one_position():
    assert CapsNetConfig(**square(17)).primary_grid == (32, 1, 1)


def test_the_papers_preset_is_the_papers_recipe_and_nothing_else():
    paper = PRESETS["paper"]
    assert (paper.batch_size, paper.learning_rate, paper.shift) == (128, 0.001, 2)
    assert (paper.schedule, paper.decay, paper.decay_steps) == (
        "exponential",
        0.96,
        2000,
    )
    assert paper.only_shifts
    assert (paper.averaging, paper.validation) == (0, 0)
    assert paper.epochs >= 50
