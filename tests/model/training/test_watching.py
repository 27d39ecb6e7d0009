"""What a watched run writes into its folder, and does when asked there."""

import errno
import json
import os

import pytest
from capsnet_explorer.model.training import watching
from capsnet_explorer.model.training.loop import TrainingError
from capsnet_explorer.model.training.watching import snapshot_steps
from capsnet_explorer.model.weights import load_weights


def events(folder):
    text = (folder / "watched" / "events.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def asked(monkeypatch):
    """Ask a watched run for something after a step, and do what else is needed."""

    def ask(folder, step, *texts):
        steps = iter(texts)
        report = watching.Watch.report

        def asked_first(self, row, is_stop_asked):
            if row.step == step:
                control = folder / "watched" / "control.json"
                control.write_text(next(steps))
                monkeypatch.setattr(
                    watching.time, "sleep", lambda _: control.write_text(next(steps))
                )
            report(self, row, is_stop_asked)

        monkeypatch.setattr(watching.Watch, "report", asked_first)

    return ask


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
    found = snapshot_steps(total, count)
    assert found[: min(5, len(steps))] == steps
    assert found[-1] == total
    assert len(found) <= count


def test_watching_changes_nothing(run, tmp_path):
    alone = run(run=tmp_path / "alone")
    watched = run(run=tmp_path / "watched", watched=0)
    assert watched.read_bytes() == alone.read_bytes()
    last = tmp_path / "watched" / "watched" / "8.safetensors"
    assert last.read_bytes() == alone.read_bytes()


def test_a_snapshot_says_when_it_was_taken_and_what_it_misread(run, tmp_path):
    run(watched=0)
    told = {
        each["step"]: each
        for each in events(tmp_path / "run")
        if each["event"] == "snapshot"
    }
    assert list(told) == list(range(9))
    card = load_weights(tmp_path / "run" / "watched" / "0.safetensors").card
    assert card["title"].endswith("before training")
    card = load_weights(tmp_path / "run" / "watched" / "1.safetensors").card
    assert card["title"].endswith("after 1 step")
    assert (told[0]["tested"], told[8]["tested"]) == (17, 17)


def test_a_rate_is_set_in_a_pause_and_told_on_the_card(run, asked, tmp_path):
    asked(
        tmp_path / "run",
        2,
        '{"state": "paused"}',
        '{"state": "paused", "learning_rate": 0.5}',
        '{"state": "running", "learning_rate": 0.5}',
    )
    weights = run(watched=0)
    told = events(tmp_path / "run")
    kinds = [each.get("state", each["event"]) for each in told if each["step"] == 2]
    assert kinds[-3:] == ["paused", "rate", "running"]
    rates = {
        each["step"]: each["learning_rate"]
        for each in told
        if each["event"] == "progress"
    }
    assert rates[8] == 0.5
    assert load_weights(weights).card["steered"] == [{"step": 2, "learning_rate": 0.5}]


def test_a_run_that_is_asked_to_stop_says_so(run, asked, tmp_path):
    asked(tmp_path / "run", 3, '{"state": "stopped", "message": "enough"}')
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    last = events(tmp_path / "run")[-1]
    assert (last["state"], last["step"], last["message"]) == ("stopped", 3, "enough")


def test_a_run_ends_with_the_process_that_started_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getppid", lambda: 1)
    with pytest.raises(KeyboardInterrupt):
        run(watched=4321)
    last = events(tmp_path / "run")[-1]
    assert last["state"] == "stopped"
    assert "the server that started the run has ended" in last["message"]


def test_a_full_disk_is_told_where_that_can_be_written(run, tmp_path, monkeypatch):
    save = watching.save_weights

    def full(path, *rest):
        if path.stem == "2":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        save(path, *rest)

    monkeypatch.setattr(watching, "save_weights", full)
    with pytest.raises(OSError, match="No space left"):
        run(watched=0)
    told = events(tmp_path / "run")
    assert (told[-1]["state"], told[-1]["step"]) == ("failed", 2)
    assert "No space left" in told[-1]["message"]
    assert [each["step"] for each in told if each["event"] == "snapshot"] == [0, 1]


def test_weights_that_half_precision_cannot_hold_end_the_run(run, asked, tmp_path):
    asked(tmp_path / "run", 2, '{"learning_rate": 1000000.0}')
    with pytest.raises(TrainingError, match="too large"):
        run(watched=0)
    last = events(tmp_path / "run")[-1]
    assert (last["state"], last["step"]) == ("failed", 3)


def test_a_run_that_goes_on_tells_the_rest(run, asked, tmp_path):
    asked(tmp_path / "run", 3, '{"state": "stopped"}')
    with pytest.raises(KeyboardInterrupt):
        run(watched=0)
    (tmp_path / "run" / "watched" / "control.json").unlink()
    with (tmp_path / "run" / "watched" / "events.jsonl").open("a") as file:
        file.write('{"event": "progress", "st')
    run(watched=0, resume=True)
    steps = [
        each["step"] for each in events(tmp_path / "run") if each["event"] == "snapshot"
    ]
    assert steps == list(range(9))
