"""Runs that learned nothing, by counts that are worked out by hand."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from capsnet_explorer.model.measuring.evaluation import Evaluation
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.learning import nothing_learned
from capsnet_explorer.model.weights import load_weights
from tests.model.training.conftest import RECIPE

NAMES = ["cat", "dog", "cow"]


def failure(labels, answers, steps=1000, counts=(50, 50, 50), **recipe) -> Any:
    scores = torch.nn.functional.one_hot(torch.tensor(answers), len(NAMES)).float()
    return nothing_learned(
        Evaluation(torch.tensor(labels), scores),
        NAMES,
        part="test",
        recipe=TrainingConfig(**recipe),
        steps=steps,
        class_counts=counts,
    )


THIRDS = [0, 1, 2] * 30


def test_one_answer_for_all_is_told_with_the_class():
    words = failure(THIRDS, [1] * 90, learning_rate=1.0)
    assert words.startswith("The network learned nothing: its answer is dog for each")
    assert words.endswith("the learning rate, 1 where 0.001 is usual.")


def test_what_is_no_better_than_the_commonest_class_is_told():
    shifted = [(label + k % 3) % 3 for k, label in enumerate(THIRDS)]
    right = sum(a == b for a, b in zip(shifted, THIRDS, strict=True))
    assert right == 30
    words = failure(THIRDS, shifted)
    assert "no better than chance: it reads 33.3% of 90 test images right" in words
    assert "(95 % interval 24.5% to 43.6%)" in words
    assert "to answer cat each time would be right for 33.3%" in words


def test_what_too_few_images_show_is_not_called_chance():
    words = failure([0, 1, 0, 1], [0, 1, 0, 0])
    assert words.startswith("The network is not surely better: it reads 75.0% of 4")
    assert words.endswith("More test images would tell.")


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"steps": 40}, "how short it was, 40 steps: add epochs"),
        ({"counts": (100, 10, 10)}, "the setting balance shows rare classes as often"),
        ({"learning_rate": 1e-6}, "the learning rate, 1e-06 where 0.001 is usual"),
        ({}, "Look whether labels go with their images"),
    ],
)
def test_the_likely_cause_follows_from_the_run(more, cause):
    assert cause in failure(THIRDS, [0] * 90, **more)


def test_a_network_that_learned_something_is_left_alone():
    assert failure(THIRDS, THIRDS) is None
    assert failure([0] * 90, [0] * 90) is None  # of one class nothing can be told
    labels = torch.nn.functional.one_hot(torch.tensor(THIRDS)).tolist()
    assert failure(labels, [0] * 90) is None  # images that show several


def test_card_and_command_keep_it(run, capsys):
    card = load_weights(run(training=replace(RECIPE, learning_rate=5.0))).card
    words = card["learned_nothing"]
    assert words.endswith("the learning rate, 5 where 0.001 is usual.")
    assert f"Warning: {words}" in capsys.readouterr().err
