"""Symbols of one's own: trained on, and read."""

import json

import pytest

from capsnet_explorer.datasets.symbols import checked_symbols
from tests.app.training import app_of, start_run, wait_for_end
from tests.fake_trainer import launch
from tests.symbols import symbol_set

RECIPE = {
    **{"threads": 1, "epochs": 3, "batch_size": 60, "learning_rate": 0.01},
    **{"warmup_steps": 5, "shift": 1, "conv1_kernels": 8, "primary_types": 2},
    **{"decoder_hidden": [8, 16]},
}
SETTINGS = {"rotation": 15.0, "thickness": 0.4}


@pytest.fixture(scope="module")
def client(runs):
    return app_of(runs).test_client()


@pytest.fixture(scope="module")
def done(client):
    id = start_run(client, symbols=symbol_set(), **RECIPE)
    assert wait_for_end(client, id)["state"] == "done"
    return id


def test_a_network_learns_to_read_the_symbols(client, done):
    facts = client.get(f"/api/runs/{done}").json
    assert facts["recipe"]["dataset"] == "symbols"
    assert facts["recipe"]["symbols"] == done
    assert (facts["error"], facts["tested"]) == (0, 2)
    model = f"{done}@{facts['snapshots'][-1]}"
    described = client.get(f"/api/models/{model}").json
    assert described["class_names"] == ["lying", "ᚠ"]
    for label, some in enumerate(checked_symbols(symbol_set()).examples):
        image = (some[-1, 0] / 255).tolist()
        body = {"image": image, "tensors": []}
        answer = client.post(f"/api/models/{model}/trace", json=body)
        assert answer.json["prediction"] == label


def test_a_run_starts_again_and_forks_with_the_same_symbols(
    client, runs, done, monkeypatch
):
    monkeypatch.setattr(runs._queue, "launch", launch)
    facts = client.get(f"/api/runs/{done}").json
    again = start_run(client, **facts["recipe"])
    forked = start_run(client, start=f"{done}@{facts['snapshots'][0]}")
    for id in (again, forked):
        file = runs._folder / id / "symbols.json"
        assert json.loads(file.read_text())["symbols"][1]["name"] == "ᚠ"
        assert client.delete(f"/api/runs/{id}").status_code == 204


def broken():
    content = symbol_set()
    del content["symbols"][0]["examples"][1:]
    return content


@pytest.mark.parametrize(
    ("changes", "status", "field", "words"),
    [
        ({"symbols": broken()}, 422, "symbols", "2 to 50 examples, got 1"),
        ({"symbols": {}}, 422, "symbols", "format"),
        ({"symbols": symbol_set(), "dataset": "mnist"}, 422, "dataset", "mnist"),
        ({"symbols": "00000000"}, 404, None, "no run"),
        ({"dataset": "symbols"}, 404, "dataset", "missing on this machine"),
        ({"symbols": symbol_set(), "shift": 99}, 422, "shift", "from 0 to 8"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(client, changes, status, field, words):
    answer = client.post("/api/runs", json=changes)
    assert answer.status_code == status
    assert answer.json["error"].get("field") == field
    assert words in answer.json["error"]["message"]
