"""What a watched run writes into its folder, and does when asked there."""

import errno
import json
import os

import pytest

from capsnet_explorer.model.training import watching
from capsnet_explorer.model.training.loop import Stopped, TrainingError
from capsnet_explorer.model.training.watching import snapshot_steps
from capsnet_explorer.model.weights import load_weights


@pytest.fixture
def watched(tmp_path):
    """What is written beside the run."""
    return tmp_path / "run" / "watched"


def events(watched):
    text = (watched / "events.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def asking(monkeypatch, watched):
    """Ask a watched run for something after a step, and do what else is needed."""

    def request(step, *texts):
        steps = iter(texts)
        report = watching.Watch.report

        def request_then_report(self, row, is_stop_asked):
            if row.step == step:
                control = watched / "control.json"
                control.write_text(next(steps))
                monkeypatch.setattr(
                    watching.time, "sleep", lambda _: control.write_text(next(steps))
                )
            report(self, row, is_stop_asked)

        monkeypatch.setattr(watching.Watch, "report", request_then_report)

    return request


@pytest.mark.parametrize(
    ("total", "count", "steps"),
    [
        (100, 5, [0, 6, 25, 56, 100]),
        (3, 60, [0, 1, 2, 3]),
        (2814, 60, [0, 1, 3, 7, 13]),
        (10, 2, [0, 10]),
    ],
)
def test_snapshots_are_denser_at_the_beginning(total, count, steps):
    taken = snapshot_steps(total, count)
    assert taken[: min(5, len(steps))] == steps
    assert taken[-1] == total
    assert len(taken) <= count


def test_watching_changes_nothing(run, tmp_path):
    alone = run(run=tmp_path / "alone")
    watched = run(run=tmp_path / "watched", watched=0)
    assert watched.read_bytes() == alone.read_bytes()
    last = tmp_path / "watched" / "watched" / "8.safetensors"
    assert last.read_bytes() == alone.read_bytes()


def test_a_snapshot_says_when_it_was_taken_and_what_it_misread(run, watched):
    run(watched=0)
    snapshots = {
        event["step"]: event
        for event in events(watched)
        if event["event"] == "snapshot"
    }
    assert list(snapshots) == list(range(9))
    card = load_weights(watched / "0.safetensors").card
    assert card["title"].endswith("before training")
    card = load_weights(watched / "1.safetensors").card
    assert card["title"].endswith("after 1 step")
    assert (snapshots[0]["tested"], snapshots[8]["tested"]) == (17, 17)


def test_a_rate_is_set_in_a_pause_and_told_on_the_card(run, asking, watched):
    asking(
        2,
        '{"state": "paused"}',
        '{"state": "paused", "learning_rate": 0.5}',
        '{"state": "running", "learning_rate": 0.5}',
    )
    weights = run(watched=0)
    history = events(watched)
    kinds = [
        event.get("state", event["event"]) for event in history if event["step"] == 2
    ]
    assert kinds[-3:] == ["paused", "rate", "running"]
    rates = {
        event["step"]: event["learning_rate"]
        for event in history
        if event["event"] == "progress"
    }
    assert rates[8] == 0.5
    assert load_weights(weights).card["steered"] == [{"step": 2, "learning_rate": 0.5}]


def test_a_run_that_is_asked_to_stop_says_so(run, asking, watched):
    asking(3, '{"state": "stopped", "message": "enough"}')
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    last = events(watched)[-1]
    assert (last["state"], last["step"], last["message"]) == ("stopped", 3, "enough")


def test_what_a_stopped_run_has_come_to_is_kept_and_counted(
    run, asking, watched, monkeypatch
):
    monkeypatch.setattr(watching, "SNAPSHOTS", 2)  # none is due after step 3
    asking(3, '{"state": "stopped"}')
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    snapshots = [event for event in events(watched) if event["event"] == "snapshot"]
    assert [event["step"] for event in snapshots] == [0, 3]
    assert snapshots[-1]["tested"] == 17
    assert (watched / "3.safetensors").exists()


def test_a_run_ends_with_the_process_that_started_it(run, monkeypatch, watched):
    monkeypatch.setattr(os, "getppid", lambda: 1)
    with pytest.raises(KeyboardInterrupt):
        run(watched=4321)
    last = events(watched)[-1]
    assert last["state"] == "stopped"
    assert "the server that started the run has ended" in last["message"]


def full_at(monkeypatch, step, times):
    """Have the disk be full for the snapshot after a step, so many times."""
    save, remaining = watching.save_weights, [times]

    def full(path, *rest):
        if path.stem == str(step) and remaining[0]:
            remaining[0] -= 1
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        save(path, *rest)

    monkeypatch.setattr(watching, "save_weights", full)
    monkeypatch.setattr(watching, "LOOK_UP_S", 0.001)


def test_on_a_full_disk_a_run_pauses_until_there_is_room(
    run, tmp_path, monkeypatch, watched
):
    whole = run(run=tmp_path / "whole", watched=0)
    full_at(monkeypatch, 2, 3)
    assert run(watched=0).read_bytes() == whole.read_bytes()
    history = events(watched)
    (pause,) = (
        index for index, event in enumerate(history) if event.get("state") == "paused"
    )
    assert history[pause]["step"] == 2
    assert "the disk is full: the run needs" in history[pause]["message"]
    assert str(tmp_path) not in history[pause]["message"]
    assert history[pause + 1]["state"] == "running"
    assert history[-1]["state"] == "done"
    assert (watched / "2.safetensors").exists()
    assert not (watched / "reserve").exists()


def test_on_a_full_disk_a_run_can_be_stopped(run, monkeypatch, watched):
    full_at(monkeypatch, 2, 10**9)
    control = watched / "control.json"
    monkeypatch.setattr(
        watching.time, "sleep", lambda _: control.write_text('{"state": "stopped"}')
    )
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    assert events(watched)[-1]["state"] == "stopped"


def test_what_else_cannot_be_written_is_told_without_its_place(
    run, monkeypatch, watched
):
    def denied(path, *_):
        raise OSError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(watching, "save_weights", denied)
    with pytest.raises(OSError, match="Permission denied"):
        run(watched=0)
    last = events(watched)[-1]
    assert (last["state"], last["message"]) == ("failed", "Permission denied")


def test_weights_that_half_precision_cannot_hold_end_the_run(run, asking, watched):
    asking(2, '{"learning_rate": 1000000.0}')
    with pytest.raises(TrainingError, match="too large"):
        run(watched=0)
    last = events(watched)[-1]
    assert (last["state"], last["step"]) == ("failed", 3)


def test_a_run_that_goes_on_tells_the_rest(run, asking, watched):
    asking(3, '{"state": "stopped", "learning_rate": 0.002}')
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    (watched / "control.json").unlink()
    path = watched / "events.jsonl"
    path.write_text(path.read_text() + '{"event": "progress", "st')
    run(watched=0, resume=True)
    lines = [line for line in path.read_text().splitlines() if line.endswith("}")]
    history = [json.loads(line) for line in lines]
    steps = [event["step"] for event in history if event["event"] == "snapshot"]
    assert steps == list(range(9))


def test_a_rate_that_was_set_is_remembered_by_a_run_that_goes_on(run, asking):
    asking(2, '{"learning_rate": 0.002}')
    stopped = watching.Watch.report

    def stopped_after_5(self, row, is_stop_asked):
        stopped(self, row, is_stop_asked)
        if row.step == 5:
            raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching.Watch, "report", stopped_after_5)
        with pytest.raises(KeyboardInterrupt):
            run(watched=0)
    weights = run(watched=0, resume=True)
    card = json.loads(weights.with_suffix(".json").read_bytes())
    assert card["steered"] == [{"step": 2, "learning_rate": 0.002}]
