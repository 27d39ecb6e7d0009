"""Training on two digits on top of each other: its loss, a run, and its resumption."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.capsnet.architecture import ARCHITECTURE
from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.data.batches import epoch_batches
from capsnet_explorer.model.data.overlapping import NONE, DigitPool, Layout
from capsnet_explorer.model.measuring.overlapping import answers
from capsnet_explorer.model.presence import outrank
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.objective import Objective
from capsnet_explorer.model.weights import load_weights
from tests.tiny import CHOSEN, SIZES

RECIPE = TrainingConfig(
    epochs=2, batch_size=5, schedule="cosine", warmup_steps=3, shift=4, averaging=0.8
)
CANVAS = replace(SIZES, image_rows=20, image_columns=20)
PAIRED = replace(DATASETS["idx"], overlaps=True)


@pytest.fixture
def pool(digits):
    return DigitPool(digits.images, digits.labels)


def test_each_digit_is_decoded_on_its_own_and_a_missing_one_costs_nothing(pool):
    network = CapsNet(CANVAS)
    loss = LossConfig(reconstruction_weight=0.001)
    objective = Objective(ARCHITECTURE, network, loss, bfloat16=False)
    planned: Any = epoch_batches(pool, RECIPE, epoch=0)[0]
    layout = Layout(planned.layout.digits.clone(), planned.layout.shifts)
    layout.digits[1, 1] = NONE
    batch = replace(planned, layout=layout).read()
    means = objective(
        batch.images, batch.labels.float(), clean=batch.clean, keep=batch.keep
    )
    trace = network(batch.images)
    total = torch.zeros(())
    for image in range(5):
        for digit in range(2):
            if layout.digits[image, digit] == NONE:
                continue
            label = int(pool.labels[layout.digits[image, digit]])
            drawn = network.decode(label, trace.poses[image, label][None])[0]
            total = total + (drawn - batch.clean[image, digit]).square().sum()
    torch.testing.assert_close(means[1], 0.001 * total / 5)
    classes = ARCHITECTURE.class_loss(trace, batch.labels, loss).mean()
    torch.testing.assert_close(means[0], classes)
    right = outrank(trace.scores, batch.labels).float().mean()
    assert means[3] == right
    gradients = [
        torch.autograd.grad(value, tuple(network.decoder.parameters()))
        for value in (means[1], 0.001 * total / 5)
    ]
    for gradient, by_hand in zip(*gradients, strict=True):
        torch.testing.assert_close(gradient, by_hand)


@pytest.fixture
def run_pairs(run):
    """Train a tiny network on the synthetic digits, laid over each other."""
    recipe = {"training": replace(RECIPE, validation=6), "sizes": CHOSEN}
    return lambda **changes: load_weights(run(dataset=PAIRED, **(recipe | changes)))


@pytest.mark.parametrize("validation", [0, 6])
def test_the_threshold_is_of_held_out_digits_and_stands_on_the_card(
    run_pairs, pool, validation, monkeypatch, capsys
):
    monkeypatch.setattr("capsnet_explorer.model.data.overlapping.HELD_OUT", 3)
    trained = run_pairs(training=replace(RECIPE, validation=validation))
    assert trained.network.config.image_shape == (1, 20, 20)
    part = "validation" if validation else "test"
    card = trained.card
    assert card["measured_on"] == part
    assert card[f"{part}_images"] == (6 if validation else 17)
    assert card["training_images"] == (11 if validation else 12)
    held_out = pool.split(validation)[1]
    rule = answers(trained.network, held_out, torch.device("cpu")).rule
    assert trained.rule.at_most == rule.at_most == 2
    assert trained.rule.threshold == pytest.approx(rule.threshold, abs=0.0101)
    assert card["overlaps"]["one_or_two"]["threshold"] == trained.rule.threshold
    assert "two digits, both read" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shift": 2}, "shifted by up to 4 pixels: add --shift 4, .* got 2"),
        ({"rotation": 3.0}, "are only shifted, got rotation 3.0"),
        ({"noise": 0.1}, "are only shifted, got noise 0.1"),
        ({"flags": 0.1}, "--flags draws the digit 1: it needs mnist"),
    ],
)
def test_what_is_not_done_to_such_digits_is_refused(run_pairs, changes, message):
    with pytest.raises(ValueError, match=message):
        run_pairs(training=replace(RECIPE, **changes))
