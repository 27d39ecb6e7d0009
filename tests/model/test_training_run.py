"""One run from data to weights and card, and the signals that stop it."""

import csv
import signal

import pytest
import torch

from model import training_run
from model.config import TrainingConfig
from model.training_run import train_and_measure
from model.weights import load_weights

RECIPE = TrainingConfig(epochs=2, batch_size=5, warmup_steps=3)


@pytest.fixture
def run(monkeypatch, sizes, mnist_folder, tmp_path):
    """Train a tiny network on the synthetic digits."""
    monkeypatch.setattr(training_run, "CapsNetConfig", lambda: sizes)
    # The allocator's setting would outlive the test.
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)

    def start(name="run", **changes):
        settings = {
            "run": tmp_path / name,
            "data": mnist_folder,
            "output": None,
            "resume": False,
            "device": "cpu",
            "precision": "float32",
            "threads": 1,
            "command": "python -m model train",
        }
        train_and_measure(RECIPE, **settings | changes)
        return tmp_path / name / "capsnet-mnist.safetensors"

    return start


def stop_at(monkeypatch, step, number):
    """Send this process a signal in the middle of a step."""
    whole_step = training_run.Trainer.step

    def interrupted(self, batch, rate):
        if self.steps_done + 1 == step:
            signal.raise_signal(number)
        return whole_step(self, batch, rate)

    monkeypatch.setattr(training_run.Trainer, "step", interrupted)


def test_a_run_ends_with_weights_card_log_and_report(run, digits, capsys):
    weights = run()
    network, card = load_weights(weights)
    with torch.no_grad():
        lengths = network(digits.images.float() / 255).lengths
    wrong = int((lengths.argmax(dim=1) != digits.labels).sum())
    assert card["test_error"] == wrong / 17
    assert card["command"] == "python -m model train"
    assert card["training_images"] == 17
    assert card["training"]["batch_size"] == 5
    with (weights.parent / "log.csv").open(newline="") as file:
        assert [row["step"] for row in csv.DictReader(file)] == ["4", "8"]
    printed = capsys.readouterr().out
    assert f"({wrong} of 17 images)" in printed
    assert f"Wrote {weights} and {weights.with_suffix('.json')}" in printed


def test_the_weight_file_goes_where_it_is_asked_to(run, tmp_path):
    run(output=tmp_path / "elsewhere" / "mine.safetensors")
    load_weights(tmp_path / "elsewhere" / "mine.safetensors")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_told_to_stop_finishes_its_step_and_resumes_bit_for_bit(
    run, monkeypatch, number
):
    uninterrupted = run("whole").read_bytes()
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with monkeypatch.context() as patch:
        stop_at(patch, 3, number)
        with pytest.raises(KeyboardInterrupt):
            run()
    assert handlers == [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    assert run(resume=True).read_bytes() == uninterrupted


def test_a_finished_run_that_is_resumed_only_measures(run):
    before = run().read_bytes()
    assert run(resume=True).read_bytes() == before


def test_a_run_that_exists_is_not_overwritten(run, tmp_path):
    before = run().read_bytes()
    with pytest.raises(ValueError, match="holds a run already; add --resume"):
        run()
    assert (tmp_path / "run" / "capsnet-mnist.safetensors").read_bytes() == before


def test_a_negative_number_of_threads_is_refused(run):
    with pytest.raises(ValueError, match="threads must not be negative, got -1"):
        run(threads=-1)
