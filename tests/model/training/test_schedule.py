"""The learning rate, by hand."""

import math

import pytest

from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.schedule import learning_rate


def cosine(**settings):
    return TrainingConfig(schedule="cosine", learning_rate=1.0, **settings)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (0, 0.1),  # a tenth of the way up
        (4, 0.5),
        (9, 1.0),  # the top
        (10, 1.0),  # the cosine's start
        (60, 0.5),  # its middle
        (109, (1 + math.cos(math.pi * 0.99)) / 2),  # nearly its end
    ],
)
def test_the_cosine_schedule_by_hand(step, expected):
    config = cosine(warmup_steps=10)
    assert learning_rate(step, 110, config) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("step", "expected"),
    [(0, 0.001), (2000, 0.00096), (4000, 0.001 * 0.96**2), (1000, 0.001 * 0.96**0.5)],
)
def test_the_exponential_schedule_by_hand(step, expected):
    config = TrainingConfig(schedule="exponential")
    assert learning_rate(step, 9000, config) == pytest.approx(expected)


def test_a_run_shorter_than_its_warm_up_only_rises():
    config = cosine(warmup_steps=100)
    rates = [learning_rate(step, 4, config) for step in range(4)]
    assert rates == [0.25, 0.5, 0.75, 1.0]
