"""The learning rate, by hand."""

import math
from dataclasses import replace

import pytest

from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.schedule import learning_rate

COSINE = TrainingConfig(schedule="cosine", learning_rate=1.0, warmup_steps=10)
EXPONENTIAL = TrainingConfig(schedule="exponential")


@pytest.mark.parametrize(
    ("config", "steps", "rates"),
    [
        (
            COSINE,
            110,
            {
                **{0: 0.1, 4: 0.5, 9: 1},  # up to the top, which is the cosine's start
                **{10: 1, 60: 0.5, 109: (1 + math.cos(math.pi * 0.99)) / 2},
            },
        ),
        (
            EXPONENTIAL,
            9000,
            {
                **{0: 0.001, 1000: 0.001 * 0.96**0.5},
                **{2000: 0.00096, 4000: 0.001 * 0.96**2},
            },
        ),
    ],
)
def test_rates_by_hand(config, steps, rates):
    for step, rate in rates.items():
        assert learning_rate(step, steps, config) == pytest.approx(rate)


def test_a_run_shorter_than_its_warm_up_only_rises():
    config = replace(COSINE, warmup_steps=100)
    rates = [learning_rate(step, 4, config) for step in range(4)]
    assert rates == [0.25, 0.5, 0.75, 1.0]
