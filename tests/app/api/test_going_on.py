"""Runs that end too early and go on; their places, and those who wait for them."""

import errno
import json
import os
import signal

import pytest

from capsnet_explorer.app.engines.training import room, running
from tests.app.answers import refusal
from tests.app.training import (
    LONG,
    RECIPE,
    app_of,
    counting_runs,
    facts,
    start_run,
    until,
    wait_for_end,
)


@pytest.fixture
def served(data, tmp_path):
    """Start a server on the folder of runs."""
    every = []

    def served(**options):
        every.append(counting_runs(tmp_path, data, **options))
        return app_of(every[-1]).test_client(), every[-1]

    yield served
    for runs in every:
        runs.close()


@pytest.fixture
def client_and_runs(served):
    return served(at_once=1)


def ask(client, id, state):
    return client.patch(f"/api/runs/{id}", json={"state": state})


def has_begun(run):
    return run["step"] > 0


def test_a_run_that_was_stopped_or_killed_goes_on_where_it_stood(client_and_runs):
    client, runs = client_and_runs
    id = start_run(client, **LONG)
    until(client, id, has_begun)
    for end in (
        lambda: ask(client, id, "stopped"),
        lambda: os.kill(runs._runs[id].process.pid, signal.SIGKILL),
    ):
        end()
        before = wait_for_end(client, id)
        until(client, id, lambda run: run["can_go_on"])
        assert ask(client, id, "running").json["state"] in ("waiting", "running")
        again = until(client, id, lambda run, low=before: run["step"] > low["step"])
        assert again["state"] == "running"
        assert list(again["snapshots"]) == sorted(set(again["snapshots"]))
    assert before["state"] == "failed"
    assert "killed (SIGKILL)" in before["message"]
    log = map(json.loads, runs._runs[id].events_file.read_text().splitlines())
    begun = [event["step"] for event in log if "total" in event]
    assert begun[0] == 0 < begun[1] < begun[2]


def test_a_run_that_is_done_does_not_go_on(client_and_runs):
    client, runs = client_and_runs
    id = start_run(client, **RECIPE)
    assert wait_for_end(client, id)["state"] == "done"
    # Once its process is gone, too; before, a client is to ask again in a moment.
    until(client, id, lambda _: not runs._runs[id].checkpoint.exists())
    for state in ("running", "paused"):
        answer = ask(client, id, state)
        assert (answer.status_code, answer.json["error"]["message"]) == (
            409,
            "the run has ended: it is done",
        )


def test_runs_wait_for_their_turn_and_take_the_place_of_one_that_pauses(
    client_and_runs,
):
    client, _ = client_and_runs
    paused, other, third = (start_run(client, **LONG) for _ in range(3))
    assert [facts(client, id)["place"] for id in (paused, other, third)] == [0, 1, 2]
    assert ask(client, third, "stopped").json["state"] == "stopped"
    until(client, paused, has_begun)
    ask(client, paused, "paused")
    until(client, other, has_begun)
    assert facts(client, paused)["state"] == "paused"
    assert ask(client, paused, "running").json["state"] == "waiting"
    assert facts(client, paused)["place"] == 1
    ask(client, other, "stopped")
    step = facts(client, paused)["step"]
    until(client, paused, lambda run: run["step"] > step)


def test_a_process_that_hangs_is_ended_when_the_run_is_stopped(
    client_and_runs, monkeypatch
):
    monkeypatch.setattr(running, "STOP_S", 0.1)
    client, runs = client_and_runs
    id = start_run(client, **LONG)
    until(client, id, has_begun)
    os.kill(runs._runs[id].process.pid, signal.SIGSTOP)
    ask(client, id, "stopped")
    run = wait_for_end(client, id)
    assert run["state"] == "stopped"
    assert run["message"] == "its process did not answer, and was ended"


def test_without_room_on_the_disk_runs_wait_and_say_why(client_and_runs, monkeypatch):
    client, _ = client_and_runs
    first, second = start_run(client, **LONG), start_run(client, **RECIPE)
    until(client, first, has_begun)
    with monkeypatch.context() as patch:
        patch.setattr(room, "LEAST_FREE", 1 << 60)
        ask(client, first, "stopped")
        run = until(client, second, lambda run: run["message"])
        assert run["state"] == "waiting"
        assert "the disk is full: a run needs" in run["message"]
        answer = client.post("/api/runs", json=RECIPE)
        assert "the disk is full: a run needs" in refusal(answer, 503)[0]
    assert wait_for_end(client, second)["state"] == "done"


def test_what_cannot_be_asked_on_a_full_disk_is_said(client_and_runs, monkeypatch):
    client, runs = client_and_runs
    id = start_run(client, **LONG)
    until(client, id, has_begun)

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(runs._runs[id], "ask", full)
    answer = ask(client, id, "paused")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 1
    assert "the disk is full" in answer.json["error"]["message"]
    ask(client, id, "stopped")  # needs no room
    assert wait_for_end(client, id)["state"] == "stopped"


def test_a_server_that_takes_over_finds_the_runs(served):
    client, runs = served()
    done = start_run(client, **RECIPE)
    assert wait_for_end(client, done)["state"] == "done"
    second, _ = served()
    refused = second.post("/api/runs", json=RECIPE)
    assert refused.status_code == 403
    for reason in (
        second.get("/api/recipes").json["reason"],
        refused.json["error"]["message"],
    ):
        assert "another explorer" in reason
    assert second.get("/api/runs").json["runs"] == []
    runs.close()
    assert [run["id"] for run in second.get("/api/runs").json["runs"]] == [done]
    assert second.get("/api/recipes").json["reason"] is None


def test_a_run_that_only_waited_says_so(served):
    client, runs = served(at_once=0)
    waiting = start_run(client, **RECIPE)
    runs.close()
    client, _ = served()
    run = facts(client, waiting)
    assert run["state"] == "stopped"
    assert run["message"] == "the server was stopped before the run began"
    assert run["can_go_on"]
    assert ask(client, waiting, "running").status_code == 200
    assert wait_for_end(client, waiting)["state"] == "done"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder.write_text(""), "is a file"),
        (lambda folder: (folder / "lock").mkdir(parents=True), "cannot be written to"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named_as_what_it_is(
    served, tmp_path, make, words
):
    make(tmp_path / "runs")
    client, _ = served()
    assert words in client.get("/api/recipes").json["reason"]
    answer = client.post("/api/runs", json=RECIPE)
    assert words in refusal(answer, 403)[0]
    assert client.get("/api/runs").json["runs"] == []
