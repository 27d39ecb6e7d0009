"""Runs of a sweep: kept once they are there, stopped, gone on with."""

import json

import pytest

from capsnet_explorer.model.sweeps.plan import planned
from capsnet_explorer.model.sweeps.running import (
    Outcome,
    Task,
    here,
    run_all,
    train_one,
)

RUNS = planned({"seeds": [0, 1, 2]})


def card(error):
    measured = {"measured_on": "test", "test_error": error, "test_images": 100}
    return json.dumps({"title": "x", **measured})


def giving(outcomes):
    """A pool that trains nothing, and what it was given."""
    given = []

    def give(tasks):
        given.extend(task.run.seed for task in tasks)
        for task in tasks:
            yield task, outcomes[task.run.seed]

    return give, given


def test_what_is_done_is_kept_and_not_done_again(tmp_path):
    good = Outcome(b"weights", card(0.25))
    give, given = giving({0: good, 1: Outcome(reason="no data"), 2: good})
    said = []
    failed = run_all(RUNS, tmp_path, tmp_path, give, said.append)
    assert failed == {RUNS[1].name: "no data"}
    assert given == [0, 1, 2]
    assert said[0].startswith("1 of 3, seed 0: 25.00% misread; about ")
    assert said[1].startswith("2 of 3, seed 1: failed: no data; about ")
    assert said[2] == "3 of 3, seed 2: 25.00% misread"
    found = json.loads((tmp_path / "weights" / f"{RUNS[2].name}.json").read_text())
    assert found["title"] == "seed 2"

    give, given = giving({1: good})
    assert run_all(RUNS, tmp_path, tmp_path, give, said.append) == {}
    assert given == [1]
    assert said[3:] == [
        "2 of 3 runs are done already",
        "3 of 3, seed 1: 25.00% misread",
    ]


@pytest.mark.long
def test_a_run_that_is_stopped_goes_on_where_it_stood(tmp_path):
    """What is asked to stop saves its step; the next has all that came before."""
    (run,) = planned(
        {
            **{"dataset": "drawn", "examples": 100, "epochs": 6, "batch_size": 10},
            **{"conv1_kernels": 8, "primary_types": 2, "decoder_hidden": [16, 32]},
            **{"threads": 1, "validation": 20},
        }
    )
    task = Task(run, tmp_path / "run", tmp_path)
    log = task.folder / "log.csv"
    stopped = train_one(task, lambda: log.exists() and log.stat().st_size > 200)
    assert stopped.weights is None
    assert (task.folder / "checkpoint" / "checkpoint.safetensors").exists()
    before = log.read_text()
    outcomes = list(here(1)([task]))
    assert [each for each, _ in outcomes] == [task]
    ((_, outcome),) = outcomes
    assert outcome.weights is not None
    assert json.loads(outcome.card)["validation_images"] == 20
    assert log.read_text().startswith(before)
    assert len(json.loads((task.folder / "run.json").read_text())["sittings"]) == 2


def test_why_a_run_failed_is_said_in_one_line(tmp_path):
    (run,) = planned({"dataset": "fashion-mnist"})
    outcome = train_one(Task(run, tmp_path / "run", tmp_path / "none"))
    assert outcome.weights is None
    assert "Fashion-MNIST" in outcome.reason
    assert "\n" not in outcome.reason
