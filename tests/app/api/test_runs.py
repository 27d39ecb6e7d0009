"""Training runs, real ones: of a tiny network on a hundred tiny images."""

import http.client
import json
import shlex
import shutil
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines import runs as engines_runs
from capsnet_explorer.app.engines.runs import MOST_STREAMS, Runs
from capsnet_explorer.app.engines.training import queue
from capsnet_explorer.app.errors import Overloaded
from capsnet_explorer.app.http.serving import Server
from capsnet_explorer.cli import main
from capsnet_explorer.model.training import run as training_run
from tests.app.answers import refusal
from tests.app.conftest import FakeEngine
from tests.app.training import (
    EPOCHS,
    LONG,
    RECIPE,
    STEPS,
    app_of,
    counting_runs,
    events,
    facts,
    parse_events,
    start_run,
    until,
    wait_for_end,
)
from tests.patience import PATIENCE_S


@pytest.fixture(scope="module")
def client(runs):
    return app_of(runs).test_client()


def weights(runs, id, step):
    return runs.weights(id, step).read_bytes()


@pytest.fixture(scope="module")
def done(client):
    """The id of a run that is done."""
    id = start_run(client, **RECIPE)
    assert wait_for_end(client, id)["state"] == "done"
    return id


def test_a_run_tells_what_it_did(client, done):
    run = facts(client, done)
    assert (run["step"], run["total"]) == (STEPS, STEPS)
    assert run["images"] == EPOCHS * 60
    assert run["recipe"] == RECIPE
    assert run["settings"]["learning_rate"] == 0.002
    assert run["settings"]["digit_dim"] == 5
    assert run["snapshots"] == list(range(STEPS + 1))
    assert (run["tested"], run["place"]) == (50, 0)
    assert client.get("/api/runs").json["runs"][0] == run


def test_events_tell_the_same_as_they_happened(client, done):
    messages = list(events(client, done).values())
    states = [event["state"] for event in messages if event["event"] == "state"]
    assert states == ["waiting", "running", "running", "done"]
    begun = next(event for event in messages if "total" in event)
    assert (begun["total"], begun["examples"]) == (STEPS, 60)
    first, *_, last = (event for event in messages if event["event"] == "progress")
    assert (first["step"], last["step"]) == (1, STEPS)
    assert first["loss"] == pytest.approx(
        first["class_loss"] + first["reconstruction_loss"]
    )
    steps = [event["step"] for event in messages]
    assert steps == sorted(steps)


def test_test_images_are_counted_at_the_beginning_and_at_the_end(client, done):
    snapshots = [
        event
        for event in events(client, done).values()
        if event["event"] == "snapshot" and event.get("tested")
    ]
    assert (snapshots[0]["step"], snapshots[-1]["step"]) == (0, STEPS)
    for snapshot in snapshots:
        assert snapshot["error"] * 50 == pytest.approx(round(snapshot["error"] * 50))
    assert snapshots[-1]["error"] == facts(client, done)["error"]


def test_events_go_on_where_a_client_left_off(client, done):
    numbered = events(client, done)
    assert list(numbered) == list(range(1, facts(client, done)["events"] + 1))
    assert events(client, done, after=5) == {n: numbered[n] for n in numbered if n > 5}
    headers = {"Last-Event-ID": "7"}
    answer = client.get(f"/api/runs/{done}/events", headers=headers)
    assert parse_events(answer.text) == {n: numbered[n] for n in numbered if n > 7}


def test_after_the_last_event_a_browser_is_told_to_stop(client, done):
    headers = {"Last-Event-ID": str(facts(client, done)["events"])}
    answer = client.get(f"/api/runs/{done}/events", headers=headers)
    assert (answer.status_code, answer.data) == (204, b"")


def test_a_snapshot_is_a_model(client, done):
    described = client.get(f"/api/models/{done}@{STEPS}").json
    assert described["id"] == f"{done}@{STEPS}"
    assert described["title"].endswith(f"after {STEPS} steps")
    assert described["input_shape"] == [1, 12, 12]
    image = np.zeros((12, 12)).tolist()
    trace = client.post(f"/api/models/{done}@{STEPS}/trace", json={"image": image})
    assert len(trace.json["tensors"]["scores"]) == 3
    pose = {"digit": 1, "poses": [[0.1] * 5]}
    answer = client.post(f"/api/models/{done}@0/reconstruct", json=pose)
    assert np.shape(answer.json["images"]) == (1, 12, 12)
    kernels = client.get(f"/api/models/{done}@3/weights/conv1.weight")
    assert np.shape(kernels.json["tensors"]["conv1.weight"]) == (4, 1, 3, 3)
    both = {"image": image, "tensors": {f"{done}@0": ["scores"], f"{done}@1": []}}
    assert len(client.post("/api/traces", json=both).json["traces"]) == 2
    listed = client.get("/api/models").json["models"]
    assert not any("@" in model["id"] for model in listed)


@pytest.mark.parametrize(
    "which", ["0@99", "0@x", "@", "00000000@0", "0@" + "1" * 4301, "0@00003", "0@३"]
)
def test_a_snapshot_that_is_not_there_is_not_found(client, done, which):
    answer = client.get(f"/api/models/{which.replace('0@', f'{done}@', 1)}")
    assert answer.status_code == 404
    assert "there is no run" in answer.text or "no snapshot" in answer.text


def test_a_kept_snapshot_is_what_the_command_on_its_card_writes(
    client, runs, done, data, tmp_path, monkeypatch
):
    body = {"step": STEPS, "name": "mine", "title": "My own"}
    answer = client.post(f"/api/runs/{done}/keep", json=body)
    assert (answer.status_code, answer.json) == (201, {"model": "mine"})
    listed = client.get("/api/models").json["models"]
    assert [model["id"] for model in listed] == ["fake", "mine"]
    card = listed[1]["card"]
    assert (card["title"], card["test_images"]) == ("My own", 50)
    # The allocator's setting would outlive the test.
    monkeypatch.setattr(training_run, "keep_large_buffers", lambda: False)
    command = shlex.split(card["command"])
    assert command[:4] == ["python", "-m", "capsnet_explorer", "train"]
    where = ["--data", str(data), "--run", str(tmp_path / "run"), "--threads", "1"]
    assert main([*command[3:], *where]) == 0
    written = (tmp_path / "run" / "capsnet-idx.safetensors").read_bytes()
    kept = runs.kept.weights("mine")
    assert kept.read_bytes() == written
    again = client.post(f"/api/runs/{done}/keep", json=body)
    assert (again.status_code, again.json["error"]["field"]) == (409, "name")


def test_a_fork_goes_on_from_a_snapshot(client, runs, done):
    changes = {"learning_rate": 0.0005, "seed": 4}
    fork = start_run(client, start=f"{done}@{STEPS}", **changes)
    run = wait_for_end(client, fork)
    assert run["state"] == "done"
    assert weights(runs, fork, 0) == weights(runs, done, STEPS)
    assert weights(runs, fork, STEPS) != weights(runs, done, STEPS)
    assert run["recipe"] == {**RECIPE, "start": f"{done}@{STEPS}", **changes}


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"start": "nothing"}, 422, "start"),
        ({"start": "00000000@0"}, 404, None),
        ({"start": "{done}@99"}, 404, None),
        ({"start": "{done}@0", "conv1_kernels": 5}, 422, "conv1_kernels"),
        ({"start": "{done}@0", "architecture": "cnn"}, 422, None),
        ({"architecture": "transformer"}, 422, "architecture"),
        ({"start": "{done}@0", "mistake": "axis"}, 422, "mistake"),
        ({"mistake": "spelling"}, 422, "mistake"),
        ({"dataset": "mnist"}, 404, "dataset"),
    ],
)
def test_a_recipe_that_cannot_work_is_refused(client, done, changes, status, field):
    recipe = {
        name: value.format(done=done) if isinstance(value, str) else value
        for name, value in changes.items()
    }
    answer = client.post("/api/runs", json={"dataset": "idx", **recipe})
    assert answer.status_code == status, answer.json
    if field is not None:
        assert answer.json["error"]["field"] == field


@pytest.fixture
def counting(data, tmp_path):
    """A client of runs that count steps, and these runs."""
    runs = counting_runs(tmp_path, data)
    yield app_of(runs).test_client(), runs
    runs.close()


def test_a_run_is_steered_and_two_who_watch_see_the_same(counting):
    client, _ = counting
    id = start_run(client, **LONG)
    until(client, id, lambda run: run["step"] > 0)
    url = f"/api/runs/{id}"
    assert client.patch(url, json={"state": "paused"}).status_code == 200
    paused = until(client, id, lambda run: run["state"] == "paused")
    client.patch(url, json={"learning_rate": 0.0123})
    with ThreadPoolExecutor() as pool:
        first, second = pool.map(lambda _: _read(client, url, "rate"), range(2))
    assert first == second
    assert first[-1]["learning_rate"] == 0.0123
    assert facts(client, id)["step"] == paused["step"]
    client.patch(url, json={"state": "running"})
    until(client, id, lambda run: run["step"] > paused["step"])
    assert facts(client, id)["learning_rate"] == 0.0123
    client.patch(url, json={"learning_rate": None})
    until(client, id, lambda run: run["learning_rate"] != 0.0123)
    client.patch(url, json={"state": "stopped"})
    run = wait_for_end(client, id)
    assert (run["state"], run["message"]) == ("stopped", None)
    late = client.patch(url, json={"state": "paused"})
    assert (late.status_code, late.json["error"]["message"]) == (
        409,
        "the run has ended: it is stopped",
    )


def _read(client, url, kind):
    """Read a run's events until one of a kind comes, and return all of them."""
    text = ""
    with client.get(f"{url}/events", buffered=False) as answer:
        for part in answer.iter_encoded():
            text += part.decode()
            if f"event: {kind}\n" in text:
                break
    return list(parse_events(text).values())


def test_a_run_that_fails_keeps_its_last_good_snapshot(client, runs):
    id = start_run(client, **LONG)
    until(client, id, lambda run: len(run["snapshots"]) > 1)
    client.patch(f"/api/runs/{id}", json={"learning_rate": 1e6})
    run = wait_for_end(client, id)
    assert run["state"] == "failed"
    assert "training has failed. A lower learning rate may help" in run["message"]
    assert f"after step {run['step']}" in run["message"]
    last = run["snapshots"][-1]
    assert 0 < last < run["step"]
    assert list(events(client, id).values())[-1]["state"] == "failed"
    snapshot = f"/api/models/{id}@{last}"
    assert client.get(snapshot).status_code == 200
    assert client.delete(f"/api/runs/{id}").status_code == 204
    assert client.get(snapshot).status_code == 404
    assert not (runs._folder / id).exists()


def test_a_run_whose_server_ended_is_told_as_stopped(data, tmp_path):
    folder = tmp_path / "runs" / "0123abcd"
    (folder / "watched").mkdir(parents=True)
    request = {"recipe": {}, "architecture": "cnn", "preset": "live", "settings": {}}
    request["started"] = "2026-11-24T00:00:00+00:00"
    (folder / "request.json").write_text(json.dumps(request))
    events = folder / "watched" / "events.jsonl"
    whole = {"event": "snapshot", "step": 4, "images": 8, "seconds": 1.0, "bytes": 9}
    events.write_text(json.dumps(whole) + '\n{"event": "progress", "st')
    (tmp_path / "runs" / "notarun").mkdir()
    run = Runs(tmp_path / "runs", data, tmp_path).facts("0123abcd")
    assert (run.state, run.step, run.snapshots) == ("stopped", 4, (4,))
    assert run.message == "the server was stopped while the run trained"


def test_streams_are_few_and_further_ones_end_at_once(counting, monkeypatch):
    client, runs = counting
    monkeypatch.setattr(engines_runs, "STREAM_S", 10 * PATIENCE_S)
    id = start_run(client, **LONG)
    url = f"/api/runs/{id}/events"
    held = [client.get(url, buffered=False) for _ in range(MOST_STREAMS)]
    parts = [answer.iter_encoded() for answer in held]
    for part in parts:
        assert next(part).startswith(b"retry: ")
        assert b"event: state" in next(part)
    with client.get(url) as further:  # ends, or this would wait
        assert "event: state" in further.text
    for answer in held:
        answer.close()
    client.delete(f"/api/runs/{id}")
    with pytest.raises(KeyError):
        runs._runs[id]


def test_events_reach_a_client_as_they_happen(counting, monkeypatch):
    """Through the server itself, which could collect them."""
    client, _ = counting
    monkeypatch.setattr(engines_runs, "STREAM_S", 10 * PATIENCE_S)
    id = start_run(client, **LONG)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(client.application, listener, threads=2)
        thread = threading.Thread(target=server.run)
        thread.start()
        port = listener.getsockname()[1]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", f"/api/runs/{id}/events")
        answer = connection.getresponse()
        assert answer.getheader("Content-Type").startswith("text/event-stream")
        while not answer.readline().startswith(b"event: progress"):
            pass
        client.delete(f"/api/runs/{id}")
        answer.read()  # the stream ends with its run
        connection.close()
        server.stop()
        thread.join()


def test_there_are_no_more_runs_in_the_queue_than_it_has_places(runs, monkeypatch):
    monkeypatch.setattr(queue, "MOST_WAITING", 0)
    with pytest.raises(Overloaded, match="0 runs wait already"):
        runs.start(RECIPE)


def test_the_oldest_runs_make_room(client, data, done, runs, tmp_path, monkeypatch):
    shutil.copytree(runs._folder / done, tmp_path / "runs" / done)
    others = Runs(tmp_path / "runs", data, tmp_path)
    monkeypatch.setattr(engines_runs, "MOST_BYTES", 1)
    with others._lock:
        others._make_room()
    assert others.all() == []
    assert not (tmp_path / "runs" / done).exists()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "/api/runs", {}),
        ("patch", "/api/runs/0123abcd", {"state": "paused"}),
        ("delete", "/api/runs/0123abcd", None),
        ("post", "/api/runs/0123abcd/keep", {"step": 0, "name": "a"}),
        ("post", "/api/sets?size=10", None),
        ("post", "/api/downloads", {"dataset": "mnist"}),
        ("get", "/api/downloads/mnist", None),
        ("delete", "/api/downloads/mnist", None),
    ],
)
def test_a_server_for_others_does_not_train(data, method, path, body):
    client = create_app({"fake": FakeEngine("fake")}, data_folder=data).test_client()
    answer = client.open(path, method=method, json=body)
    assert "--allow-training" in refusal(answer, 403)[0]
    assert client.get("/api/runs").json == {"runs": [], "refused": []}
    assert client.get("/api/sets").json == {"sets": []}
    assert client.get("/api/runs/0123abcd").status_code == 404
    recipes = client.get("/api/recipes").json
    assert not recipes["allowed"]
    assert "--allow-training" in recipes["reason"]


def test_a_snapshots_card_does_not_say_where_its_run_stands(client, done, runs):
    card = client.get(f"/api/models/{done}@3").json["card"]
    assert str(runs._folder) not in json.dumps(card)
    assert "--watched" not in card["command"]
    assert "--epochs 2" in card["command"]


def test_a_kept_model_can_be_removed_and_no_other(client, done, runs):
    body = {"step": 3, "name": "to-remove"}
    assert client.post(f"/api/runs/{done}/keep", json=body).status_code == 201
    assert client.get("/api/models/to-remove").json["kept"]
    assert client.delete("/api/models/to-remove").status_code == 204
    assert client.get("/api/models/to-remove").status_code == 404
    assert "to-remove" not in runs.kept.names()
    assert client.post(f"/api/runs/{done}/keep", json=body).status_code == 201
    assert client.delete("/api/models/to-remove").status_code == 204
    shipped = client.delete("/api/models/fake")
    assert "was not kept here" in refusal(shipped, 409)[0]
    assert client.delete("/api/models/none").status_code == 404
    for other, status, field in (
        ({"step": 99, "name": "late"}, 404, None),
        ({"step": 3, "name": "CON"}, 422, "name"),
        ({"step": 3, "name": "empty", "title": " "}, 422, "title"),
    ):
        answer = client.post(f"/api/runs/{done}/keep", json=other)
        assert (answer.status_code, answer.json["error"]["field"]) == (status, field)
