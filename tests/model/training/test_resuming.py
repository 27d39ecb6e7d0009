"""An interrupted run that is resumed ends where it would have ended anyway."""

import csv
import dataclasses
import os

import pytest
import torch

from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.data.overlapping import DigitPool
from capsnet_explorer.model.training import loop as training
from capsnet_explorer.model.training.checkpoint import CheckpointError
from capsnet_explorer.model.training.loop import Stopped
from tests.model.training.reports import ignore, rows_of, stop_after
from tests.tiny import CNN_SIZES, SIZES, square


def same_weights(network, twin):
    pairs = zip(network.parameters(), twin.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


@pytest.fixture
def uninterrupted(make_trainer):
    trainer = make_trainer("whole")
    trainer.run(ignore)
    return trainer


PLAIN = {}
# With a mean of the weights, distortions and the fast convolution; and with dropout.
CHANGED = {
    "training": {"averaging": 0.8, "rotation": 10.0, "thickness": 0.5},
    "winograd": True,
}
DROPPING = {
    "architecture": CNN,
    "sizes": dataclasses.replace(CNN_SIZES, hidden_units=40),
}
# Two digits on top of each other, some of them held out.
PAIRS = {
    "training": {"shift": 4, "averaging": 0.8, "validation": 4},
    "sizes": dataclasses.replace(SIZES, **square(20)),
}


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        (PLAIN, [1]),
        (PLAIN, [2, 6, 11]),  # again and again
        (PLAIN, [8]),  # at an epoch's end
        (PLAIN, [16]),  # at the very end
        (CHANGED, [6]),
        (DROPPING, [6]),
        (PAIRS, [3]),
    ],
)
def test_a_resumed_run_ends_bit_for_bit_where_an_uninterrupted_one_does(
    make_trainer, recipe, digits, kind, steps
):
    kind = kind | {"training": dataclasses.replace(recipe, **kind.get("training", {}))}
    if kind["training"].shift == 4:
        kind["images"] = DigitPool(digits.images, digits.labels)
    whole = make_trainer("whole", **kind).run(ignore)
    trainer = make_trainer("cut", **kind)
    for step in steps:
        with pytest.raises(Stopped):
            trainer.run(stop_after(step))
        torch.manual_seed(1234)  # another process would have another random state
        trainer = make_trainer("cut", **kind)
        trainer.resume()
        assert trainer.steps_done == step
    assert same_weights(trainer.run(ignore), whole)


def test_the_log_of_a_resumed_run_has_each_step_once(
    make_trainer, uninterrupted, monkeypatch
):
    monkeypatch.setattr(training, "LOG_EVERY", 1)
    with pytest.raises(Stopped):
        make_trainer().run(stop_after(6))
    # As a crash leaves it: the log is ahead of the checkpoint.
    path = make_trainer().folder.log
    last = path.read_text().splitlines()[-1].split(",")
    for step in ("7", "8"):
        with path.open("a", newline="") as file:
            csv.writer(file).writerow([last[0], step, *last[2:]])

    resumed = make_trainer()
    resumed.resume()
    resumed.run(ignore)
    steps = [int(row["step"]) for row in rows_of(path)]
    assert steps == list(range(1, 17))


def test_seconds_of_all_sittings_are_counted(make_trainer):
    with pytest.raises(Stopped):
        make_trainer().run(stop_after(6))
    resumed = make_trainer()
    resumed.resume()
    before = resumed.progress.seconds
    resumed.run(ignore)
    assert before > 0
    assert resumed.progress.seconds > before


def test_resuming_with_other_data_is_refused(make_trainer, digits):
    make_trainer().save()
    fewer, _ = digits.split(1)
    with pytest.raises(CheckpointError, match="was made with images 17, not 16"):
        make_trainer(images=fewer).resume()


def test_an_interruption_within_a_step_is_not_saved(make_trainer):
    """It may find weights that have taken the step beside a progress that has not."""
    trainer = make_trainer()
    with pytest.raises(Stopped):
        trainer.run(stop_after(3))
    before = trainer.folder.checkpoint.read_bytes()

    def interrupted(row, count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.run(interrupted)
    assert trainer.folder.checkpoint.read_bytes() == before


def test_a_full_disk_costs_no_checkpoint(make_trainer, monkeypatch, uninterrupted):
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    monkeypatch.setattr(training, "CHECKPOINT_EVERY_S", 0)
    flush, times = os.fsync, []

    def full_at_the_third(descriptor):
        times.append(descriptor)
        if len(times) > 2 * 2:  # a checkpoint flushes its file and its folder
            raise OSError(28, "No space left on device")
        flush(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full_at_the_third)
        with pytest.raises(OSError, match="No space left"):
            make_trainer().run(ignore)
    resumed = make_trainer()
    resumed.resume()
    assert resumed.steps_done == 4
    assert [path.name for path in resumed.folder.checkpoint.parent.iterdir()] == [
        "checkpoint.safetensors"
    ]
    assert same_weights(resumed.run(ignore), uninterrupted.network)


def test_a_checkpoint_is_saved_now_and_then(make_trainer, monkeypatch):
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    monkeypatch.setattr(training, "CHECKPOINT_EVERY_S", 0)
    trainer, saved = make_trainer(), []
    save = trainer.save
    trainer.save = lambda: (saved.append(trainer.steps_done), save())
    trainer.run(ignore)
    assert saved == [*range(2, 17, 2), 16]
