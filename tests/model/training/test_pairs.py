"""Networks for pairs of digits, trained alike in the time there is."""

import csv
import json
import time
from dataclasses import replace

import pytest
import torch

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.model.data.overlapping import DigitPool
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training import pairs
from capsnet_explorer.model.weights import load_weights
from tests.tiny import CHOSEN, SIZES

RECIPE = TrainingConfig(
    batch_size=5,
    schedule="cosine",
    warmup_steps=3,
    shift=4,
    averaging=0.8,
    clip=5.0,
    validation=6,
)
LONG_S = 300  # more than it takes


@pytest.fixture
def plan(request_of_run, tmp_path):
    """What to train a tiny network on the synthetic digits, laid over each other."""
    request = replace(
        request_of_run,
        training=RECIPE,
        sizes=CHOSEN,
        dataset=replace(DATASETS["idx"], overlaps=True),
        run=tmp_path / "runs" / "capsnet",
    )
    return pairs.Plan(request, tmp_path / "weights")


def steps_in(plan):
    with plan.folder.log.open() as file:
        return int([*csv.DictReader(file)][-1]["step"])


def test_a_network_is_trained_on_its_pairs_and_then_measured(plan, capfd):
    pairs.train_all([plan], time.monotonic() + LONG_S, most=4)
    assert json.loads(plan.folder.record.read_text())["training"]["epochs"] == 4
    assert "capsnet: 4 epochs" in capfd.readouterr().out
    assert steps_in(plan) == 3 * 4  # of the 11 digits that are not held out
    written = load_weights(plan.weights)
    assert written.card["epochs"] == 4
    assert "test_error" not in written.card

    pairs.measured(plan)
    found = load_weights(plan.weights)
    assert found.card["test_images"] == 17
    assert found.card["epochs"] == 4
    assert found.rule.at_most == 2
    assert found.card["overlaps"]["one_or_two"]["threshold"] == found.rule.threshold
    for name, value in found.network.state_dict().items():
        assert torch.equal(value, written.network.state_dict()[name])


def test_a_run_out_of_time_writes_what_it_has_and_goes_on_later(plan):
    pairs.train_all([plan], time.monotonic() - 1)
    before = load_weights(plan.weights).network.state_dict()
    pairs.train_all([plan], time.monotonic() + LONG_S)
    assert steps_in(plan) == 3
    assert json.loads(plan.folder.record.read_text())["training"]["epochs"] == 1
    after = load_weights(plan.weights).network.state_dict()
    assert any(not torch.equal(before[name], after[name]) for name in after)


def test_timing_a_network_leaves_it_as_it_was(digits, make_trainer):
    trainer = make_trainer(
        sizes=replace(SIZES, image_rows=20, image_columns=20),
        images=DigitPool(digits.images, digits.labels),
        training=RECIPE,
    )
    before = {
        name: value.clone() for name, value in trainer.network.state_dict().items()
    }
    assert pairs._seconds_of_epoch(trainer) > 0
    assert trainer.steps_done == 0
    assert not trainer.optimizer.state
    for name, value in trainer.network.state_dict().items():
        assert torch.equal(value, before[name])


@pytest.mark.parametrize(("more", "chosen"), [(0.0, "bfloat16"), (0.1, "float32")])
def test_bfloat16_is_left_where_its_losses_are_higher(more, chosen, capsys):
    noise = torch.randn(pairs.COMPARED, generator=torch.Generator().manual_seed(1))
    exact = 1 + 0.1 * noise
    rough = exact + more + 0.01 * noise.flip(0)
    assert pairs._chosen("cnn", {"float32": exact, "bfloat16": rough}) == chosen
    assert chosen.replace("float32", "TF32") in capsys.readouterr().out


def test_networks_are_among_the_known(tmp_path):
    with pytest.raises(ValueError, match="among cnn, efficient, capsnet, got matrix"):
        pairs.pairs(tmp_path, networks=("matrix",))
