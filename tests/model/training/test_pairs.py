"""Networks for pairs of digits, trained alike."""

import csv
import json
import signal
from dataclasses import replace

import pytest

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training import pairs
from capsnet_explorer.model.training import run as training_run
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.weights import load_weights
from tests.tiny import CHOSEN

RECIPE = TrainingConfig(
    epochs=4,
    batch_size=5,
    schedule="cosine",
    warmup_steps=3,
    shift=4,
    averaging=0.8,
    clip=5.0,
    validation=6,
)
STEPS = 3 * 4  # of the 11 digits that are not held out


@pytest.fixture
def request_of_pairs(request_of_run, tmp_path, monkeypatch):
    """What to train a tiny network on the synthetic digits, laid over each other."""
    # The allocator's setting would outlive the test.
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)
    return replace(
        request_of_run,
        training=RECIPE,
        sizes=CHOSEN,
        dataset=replace(DATASETS["idx"], overlaps=True),
        run=tmp_path / "runs" / "capsnet",
        output=tmp_path / "runs" / "capsnet-idx.safetensors",
    )


def steps_in(request):
    with RunFolder(request.run).log.open() as file:
        return [int(row["step"]) for row in csv.DictReader(file)]


def test_a_network_is_trained_on_its_pairs_and_measured_once(request_of_pairs, capsys):
    pairs.train_all([request_of_pairs])
    assert steps_in(request_of_pairs)[-1] == STEPS
    found = load_weights(request_of_pairs.output)
    assert found.card["epochs"] == 4
    assert found.rule.at_most == 2
    assert found.card["overlaps"]["one_or_two"]["threshold"] == found.rule.threshold

    written = request_of_pairs.output.read_bytes()
    capsys.readouterr()
    pairs.train_all([request_of_pairs])
    assert "capsnet-idx.safetensors is there already" in capsys.readouterr().out
    assert request_of_pairs.output.read_bytes() == written


def test_the_same_command_goes_on_where_it_was_stopped(request_of_pairs, monkeypatch):
    step = training_run.Trainer.step

    def interrupted(self, batch, rate):
        if self.steps_done == 4:
            signal.raise_signal(signal.SIGINT)
        return step(self, batch, rate)

    with monkeypatch.context() as patch:
        patch.setattr(training_run.Trainer, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pairs.train_all([request_of_pairs])
    assert not request_of_pairs.output.exists()
    pairs.train_all([request_of_pairs])
    assert steps_in(request_of_pairs)[-1] == STEPS
    sittings = json.loads(RunFolder(request_of_pairs.run).record.read_text())
    assert len(sittings["sittings"]) == 2


def test_all_have_one_recipe(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(pairs, "train_all", asked.extend)
    pairs.pairs(tmp_path, epochs=7, start=tmp_path / "before", rate=0.001, device="cpu")
    assert [each.architecture for each in asked] == ["cnn", "efficient", "capsnet"]
    assert len({repr(each.training) for each in asked}) == 1
    recipe = asked[0].training
    assert (recipe.epochs, recipe.learning_rate, recipe.batch_size) == (7, 0.001, 500)
    assert [each.output.name for each in asked] == [each.start.name for each in asked]
    assert {each.start.parent for each in asked} == {tmp_path / "before"}
    assert {(each.checkpoint_every_s, each.compiled) for each in asked} == {(60, False)}


def test_networks_are_among_the_known(tmp_path):
    with pytest.raises(ValueError, match="among cnn, efficient, capsnet, got matrix"):
        pairs.pairs(tmp_path, networks=("matrix",), device="cpu")
