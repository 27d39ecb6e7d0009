"""Runs that end too early and go on; their places, and those who wait for them."""

import errno
import os
import shutil
import signal

import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines import runs as engines_runs
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.facts import ENDED
from tests.app.api.test_runs import LONG, RECIPE, ended, events, facts, started, until
from tests.app.api.test_runs import data as data  # a fixture
from tests.app.conftest import FakeEngine


def served(folder, data, at_once=2):
    runs = Runs(folder / "runs", data, folder / "kept", at_once=at_once)
    app = create_app({"fake": FakeEngine("fake")}, data_folder=data, runs=runs)
    return app.test_client(), runs


@pytest.fixture
def client_and_runs(data, tmp_path):
    client, runs = served(tmp_path, data, at_once=1)
    yield client, runs
    runs.close()


def ask(client, id, state):
    return client.patch(f"/api/runs/{id}", json={"state": state})


def state_is(*states):
    return lambda found: found["state"] in states


def test_a_run_that_was_stopped_or_killed_goes_on_where_it_stood(client_and_runs):
    client, runs = client_and_runs
    recipe = {**LONG, "epochs": 400}
    id = started(client, **recipe)
    until(client, id, lambda found: found["step"] > 20)
    ask(client, id, "stopped")
    stopped = ended(client, id)
    assert stopped["can_go_on"] is False or stopped["state"] == "stopped"
    until(client, id, lambda found: found["can_go_on"])
    assert ask(client, id, "running").status_code == 200
    begun = until(client, id, lambda found: found["step"] > stopped["step"])
    told = list(events(client, id).values()) if begun["state"] in ENDED else []
    checkpoint = runs._runs[id].checkpoint
    before = checkpoint.stat().st_mtime_ns
    until(client, id, lambda _: checkpoint.stat().st_mtime_ns > before)
    os.kill(runs._runs[id].process.pid, signal.SIGKILL)
    killed = until(client, id, state_is(*ENDED))
    assert killed["state"] == "failed", told
    until(client, id, lambda found: found["can_go_on"])
    assert ask(client, id, "running").json["state"] in ("waiting", "running")
    again = until(client, id, lambda found: found["step"] > killed["step"])
    assert again["state"] in ("running", "done")
    assert list(again["snapshots"]) == sorted(set(again["snapshots"]))
    client.delete(f"/api/runs/{id}")


def test_it_ends_as_one_that_was_never_stopped(client_and_runs):
    client, runs = client_and_runs
    recipe = {**RECIPE, "epochs": 60}
    ids = [started(client, **recipe) for _ in range(2)]
    until(client, ids[0], lambda found: found["step"] > 5)
    ask(client, ids[0], "stopped")
    until(client, ids[0], lambda found: found["can_go_on"] or found["state"] == "done")
    ask(client, ids[0], "running")
    for id in ids:
        assert ended(client, id)["state"] == "done"
    first, second = (runs.weights(id, 360).read_bytes() for id in ids)
    assert first == second
    assert ask(client, ids[1], "running").json["error"]["message"] == (
        "the run has ended: it is done"
    )
    assert not runs._runs[ids[1]].checkpoint.exists()


def test_a_paused_run_gives_its_place_to_others(client_and_runs):
    client, _ = client_and_runs
    paused, other = started(client, **LONG), started(client, **LONG)
    assert facts(client, other)["place"] == 1
    until(client, paused, lambda found: found["step"] > 0)
    ask(client, paused, "paused")
    until(client, other, lambda found: found["step"] > 0)
    assert facts(client, paused)["state"] == "paused"
    assert ask(client, paused, "running").json["state"] == "waiting"
    assert facts(client, paused)["place"] == 1
    ask(client, other, "stopped")
    step = facts(client, paused)["step"]
    until(client, paused, lambda found: found["step"] > step)
    client.delete(f"/api/runs/{paused}")


def test_a_process_that_hangs_is_ended_when_the_run_is_stopped(
    client_and_runs, monkeypatch
):
    monkeypatch.setattr(engines_runs, "STOP_S", 0.5)
    client, runs = client_and_runs
    id = started(client, **LONG)
    until(client, id, lambda found: found["step"] > 0)
    os.kill(runs._runs[id].process.pid, signal.SIGSTOP)
    ask(client, id, "stopped")
    found = ended(client, id)
    assert found["state"] == "stopped"
    assert found["message"] == "its process did not answer, and was ended"


def test_without_room_on_the_disk_runs_wait_and_say_why(client_and_runs, monkeypatch):
    client, _ = client_and_runs
    first, second = started(client, **LONG), started(client, **RECIPE)
    until(client, first, lambda found: found["step"] > 0)
    with monkeypatch.context() as patch:
        patch.setattr(room, "LEAST_FREE", 1 << 60)
        ask(client, first, "stopped")
        found = until(client, second, lambda found: found["message"])
        assert found["state"] == "waiting"
        assert "the disk is full: a run needs" in found["message"]
    assert ended(client, second)["state"] == "done"


def test_what_cannot_be_asked_on_a_full_disk_is_said(client_and_runs, monkeypatch):
    client, runs = client_and_runs
    id = started(client, **LONG)
    until(client, id, lambda found: found["step"] > 0)

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(runs._runs[id], "ask", full)
    answer = ask(client, id, "paused")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 1
    assert "the disk is full" in answer.json["error"]["message"]
    ask(client, id, "stopped")  # needs no room
    assert ended(client, id)["state"] == "stopped"


def test_a_server_that_takes_over_finds_the_runs(data, tmp_path):
    client, runs = served(tmp_path, data)
    done = started(client, **{**RECIPE, "epochs": 1})
    assert ended(client, done)["state"] == "done"
    second, later = served(tmp_path, data)
    assert "another explorer" in second.get("/api/recipes").json["reason"]
    assert second.get("/api/runs").json["runs"] == []
    runs.close()
    assert [each["id"] for each in second.get("/api/runs").json["runs"]] == [done]
    assert second.get("/api/recipes").json["reason"] is None
    later.close()


def test_a_run_that_only_waited_says_so(data, tmp_path):
    client, runs = served(tmp_path, data, at_once=1)
    training, waiting = started(client, **LONG), started(client, **RECIPE)
    until(client, training, lambda found: found["step"] > 0)
    runs.close()
    until(client, training, state_is(*ENDED))
    shutil.copytree(tmp_path / "runs", tmp_path / "next" / "runs")
    client, later = served(tmp_path / "next", data)
    found = facts(client, waiting)
    assert found["state"] == "stopped"
    assert found["message"] == "the server was stopped before the run began"
    assert found["can_go_on"]
    assert ask(client, waiting, "running").status_code == 200
    assert ended(client, waiting)["state"] == "done"
    later.close()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder.write_text(""), "is a file"),
        (lambda folder: (folder / "lock").mkdir(parents=True), "cannot be written to"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named_as_what_it_is(
    data, tmp_path, make, words
):
    make(tmp_path / "runs")
    client, _ = served(tmp_path, data)
    assert words in client.get("/api/recipes").json["reason"]
    answer = client.post("/api/runs", json=RECIPE)
    assert answer.status_code == 403
    assert words in answer.json["error"]["message"]
    assert client.get("/api/runs").json["runs"] == []
