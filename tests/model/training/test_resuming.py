"""An interrupted run that is resumed ends where it would have ended anyway."""

import csv
import dataclasses
import os

import pytest
import torch

from capsnet_explorer.model.cnn.architecture import ARCHITECTURE as CNN
from capsnet_explorer.model.cnn.config import CnnConfig
from capsnet_explorer.model.training import loop as training
from capsnet_explorer.model.training.checkpoint import CheckpointError
from capsnet_explorer.model.training.loop import Stopped
from tests.model.training.reports import ignore, stop_after
from tests.tiny import square


def same_weights(one, other):
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


@pytest.fixture
def uninterrupted(make_trainer):
    trainer = make_trainer("whole")
    trainer.run(ignore)
    return trainer


# One step in, within an epoch, at an epoch's end, just after it, and at the very end.
@pytest.mark.parametrize("step", [1, 6, 8, 9, 16])
def test_a_resumed_run_ends_bit_for_bit_where_an_uninterrupted_one_does(
    make_trainer, uninterrupted, step
):
    with pytest.raises(Stopped):
        make_trainer().run(stop_after(step))
    torch.manual_seed(1234)  # another process would have another random state
    resumed = make_trainer()
    resumed.resume()
    assert resumed.steps_done == step
    assert same_weights(resumed.run(ignore), uninterrupted.network)


def test_so_does_one_with_averages_distortions_and_the_fast_convolution(
    make_trainer, recipe
):
    recipe = dataclasses.replace(recipe, averaging=0.8, rotation=10.0, thickness=0.5)

    def make(name):
        return make_trainer(name, training=recipe, winograd=True)

    whole = make("whole").run(ignore)
    with pytest.raises(Stopped):
        make("cut").run(stop_after(6))
    resumed = make("cut")
    resumed.resume()
    assert same_weights(resumed.run(ignore), whole)


def test_so_does_one_with_dropout(make_trainer):
    sizes = CnnConfig(
        **square(12),
        kernel_size=3,
        conv1_kernels=2,
        conv2_kernels=2,
        hidden_units=40,
        classes=3,
    )

    def make(name):
        return make_trainer(name, architecture=CNN, sizes=sizes)

    whole = make("whole").run(ignore)
    with pytest.raises(Stopped):
        make("cut").run(stop_after(6))
    resumed = make("cut")
    torch.manual_seed(1234)  # another process would have another random state
    resumed.resume()
    assert same_weights(resumed.run(ignore), whole)


def test_a_run_can_be_interrupted_again_and_again(make_trainer, uninterrupted):
    for step in (2, 5, 11):
        trainer = make_trainer()
        if step > 2:
            trainer.resume()
        with pytest.raises(Stopped):
            trainer.run(stop_after(step))
    last = make_trainer()
    last.resume()
    assert same_weights(last.run(ignore), uninterrupted.network)


def test_the_interruption_matters_to_a_run_that_is_not_resumed(
    make_trainer, uninterrupted
):
    trainer = make_trainer()
    with pytest.raises(Stopped):
        trainer.run(stop_after(15))
    assert not same_weights(trainer.network, uninterrupted.network)


def test_the_checkpoints_of_both_runs_hold_the_same_tensors(
    make_trainer, uninterrupted
):
    with pytest.raises(Stopped):
        make_trainer().run(stop_after(7))
    resumed = make_trainer()
    resumed.resume()
    resumed.run(ignore)
    one = uninterrupted.optimizer.state_dict()["state"]
    other = resumed.optimizer.state_dict()["state"]
    for index, state in one.items():
        for name, tensor in state.items():
            assert torch.equal(tensor, other[index][name])


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
    with path.open(newline="") as file:
        steps = [int(row["step"]) for row in csv.DictReader(file)]
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


@pytest.mark.parametrize(
    ("changes", "setting"),
    [({"seed": 3}, "seed"), ({"shift": 1}, "shift"), ({"batch_size": 4}, "batch_size")],
)
def test_resuming_with_other_settings_is_refused_by_name(
    make_trainer, recipe, changes, setting
):
    make_trainer().save()
    other = make_trainer(training=dataclasses.replace(recipe, **changes))
    with pytest.raises(CheckpointError, match=f"was made with {setting} "):
        other.resume()


def test_resuming_with_other_data_is_refused(make_trainer, digits):
    make_trainer().save()
    fewer, _ = digits.split(1)
    with pytest.raises(CheckpointError, match="was made with images 17, not 16"):
        make_trainer(images=fewer).resume()


def test_resuming_without_a_checkpoint_is_refused(make_trainer):
    with pytest.raises(CheckpointError, match="cannot read the checkpoint"):
        make_trainer().resume()


def test_an_interruption_within_a_step_is_not_saved(make_trainer):
    """It may find weights that have taken the step beside a progress that has not."""
    trainer = make_trainer()
    with pytest.raises(Stopped):
        trainer.run(stop_after(3))
    before = trainer.folder.checkpoint.read_bytes()

    def interrupted(row, seen):
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
