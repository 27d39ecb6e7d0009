"""Every file of a run and of a model, damaged in every way, against every route.

The server starts, no answer is a bug's, nothing that was whole is lost, and what is
damaged stays as it is.
"""

import json
import logging
import shutil

import numpy as np
import pytest

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.torch import load_engines
from tests.app.answers import refusal
from tests.app.training import RECIPE, app_of, start_run, wait_for_end

IMAGE = np.zeros((12, 12)).tolist()


def _truncated(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _deleted(file):
    file.unlink()


def _of_another_version(file):
    """A file that is read without an error, but has other things in it."""
    if file.suffix == ".safetensors":
        name = b'{"weight":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}'
        file.write_bytes(len(name).to_bytes(8, "little") + name + bytes(2))
    elif file.suffix == ".jsonl":
        file.write_text('{"event": "epoch", "step": 1}\n{"event": "state"}\n[]\n')
    else:
        file.write_text('{"version": 99, "settings": [], "recipe": "none"}')


def _nested(file):
    """Valid JSON so deep that a reader which calls itself would end."""
    file.write_text('{"config":' * 20_000 + "[]" + "}" * 20_000)


def _a_bit(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 4
    file.write_bytes(content)


def _unreadable(file):
    """Nobody can read a folder as a file, not even root."""
    file.unlink()
    file.mkdir()


DAMAGES = [_truncated, _deleted, _of_another_version, _unreadable, _nested]


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """A folder of two runs that are done and of two models that are kept."""
    folder = tmp_path_factory.mktemp("whole")
    runs = Runs(folder / "runs", data, folder / "runs" / "kept")
    client = app_of(runs).test_client()
    sick, well = start_run(client, **{**RECIPE, "epochs": 1}), "0123abcd"
    assert wait_for_end(client, sick)["state"] == "done"
    for name in ("sick", "well"):
        body = {"step": 6, "name": name}
        answer = client.post(f"/api/runs/{sick}/keep", json=body)
        assert answer.status_code == 201, answer.json
    runs.close()
    shutil.copytree(folder / "runs" / sick, folder / "runs" / well)
    (folder / "weights").mkdir()
    for name in ("sick", "well"):
        for file in (folder / "runs" / "kept" / name).iterdir():
            shutil.copy(file, folder / "weights" / f"shipped-{file.name}")
    return folder, sick, well


# Every file that a server reads, of what is to be damaged: a start for each line.
FILES = {
    "request": ["runs/SICK/request.json", "runs/SICK/watched/control.json"],
    "log": ["runs/SICK/watched/events.jsonl", "runs/SICK/output.txt"],
    "weights": [
        *("runs/SICK/capsnet-idx.safetensors", "runs/SICK/watched/6.safetensors"),
        *("runs/kept/sick/sick.safetensors", "weights/shipped-sick.safetensors"),
    ],
    "cards": [
        *("runs/SICK/capsnet-idx.json", "runs/SICK/watched/6.json"),
        *("runs/kept/sick/sick.json", "weights/shipped-sick.json"),
    ],
}


def _requests(id):
    """Yield a request to every route that reads files of runs or models."""
    yield "get", "/api/runs", None
    yield "get", "/api/recipes", None
    yield "get", "/api/models", None
    yield "get", f"/api/runs/{id}", None
    yield "get", f"/api/runs/{id}/events", None
    for model in (f"{id}@6", f"{id}@3", "sick", "shipped-sick"):
        url = f"/api/models/{model}"
        yield "get", url, None
        yield "get", f"{url}/weights/conv1.weight", None
        yield "get", f"{url}/kernels", None
        yield "get", f"{url}/atlas", None
        yield "post", f"{url}/trace", {"image": IMAGE}
        yield "post", f"{url}/traces", {"images": [IMAGE]}
        yield "post", f"{url}/reconstruct", {"digit": 1, "poses": [[0.1] * 5]}
        attack = {"image": IMAGE, "label": 1, "method": "fgsm", "epsilons": [0.1]}
        yield "post", f"{url}/attack", attack
        yield "post", "/api/traces", {"image": IMAGE, "tensors": {model: ["scores"]}}
    yield "post", "/api/runs", {"start": f"{id}@6", "dataset": "mnist"}
    yield "post", f"/api/runs/{id}/keep", {"step": 6, "name": "again"}
    yield "patch", f"/api/runs/{id}", {"state": "paused"}
    yield "patch", f"/api/runs/{id}", {"learning_rate": 0.01}
    yield "get", "/api/models", None


def _contents(folder):
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def _served(folder, data):
    runs = Runs(folder / "runs", data, folder / "runs" / "kept")
    engines = load_engines(folder / "weights")
    app = create_app(engines, data_folder=data, runs=runs)
    return app.test_client(), runs


def _answers_of_others(client, well):
    """Return what is answered of the run and the models that are whole."""
    (run,) = [run for run in client.get("/api/runs").json["runs"] if run["id"] == well]
    models = (f"{well}@3", f"{well}@6", "well", "shipped-well")
    return run, [
        client.post(f"/api/models/{model}/trace", json={"image": IMAGE}).json
        for model in models
    ]


@pytest.fixture(scope="module")
def usual(whole, data, tmp_path_factory):
    """What a server answers of what is whole, while everything is."""
    folder, sick, well = whole
    client, runs = _served(folder, data)
    answers = _answers_of_others(client, well)
    for method, url, body in _requests(sick):
        if "keep" in url:
            continue
        answer = getattr(client, method)(url, json=body)
        assert answer.status_code in (200, 202, 204, 404, 409, 422), (url, answer.json)
    runs.close()
    return answers


@pytest.mark.parametrize(
    ("which", "damage"),
    [
        pytest.param(which, damage, id=f"{which}-{damage.__name__.strip('_')}")
        for which in FILES
        for damage in [*DAMAGES, _a_bit]
    ],
)
def test_damaged_files_harm_nothing_else(
    whole, data, usual, damage, which, tmp_path, caplog
):
    source, sick, well = whole
    folder = tmp_path / "copy"
    shutil.copytree(source, folder)
    for name in FILES[which]:
        file = folder / name.replace("SICK", sick)
        if not file.exists():
            file.write_text("{}")
        damage(file)
    before = _contents(folder)
    client, runs = _served(folder, data)
    for method, url, body in _requests(sick):
        answer = getattr(client, method)(url, json=body)
        assert answer.status_code < 500, (method, url, answer.json)
        assert str(folder) not in answer.text, (method, url, answer.text)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert _answers_of_others(client, well) == usual
    runs.close()
    after = _contents(folder)
    for name, content in before.items():  # a log may have one event more
        assert after[name].startswith(content), name
        assert after[name] == content or name.endswith("events.jsonl"), name


@pytest.mark.parametrize("damage", [_deleted, _of_another_version, _unreadable])
def test_what_is_damaged_is_listed_with_its_reason(whole, data, damage, tmp_path):
    source, sick, well = whole
    folder = tmp_path / "copy"
    shutil.copytree(source, folder)
    damage(folder / "runs" / sick / "request.json")
    damage(folder / "runs" / "kept" / "sick" / "sick.json")
    damage(folder / "weights" / "shipped-sick.safetensors")
    damage(folder / "runs" / well / "watched" / "3.safetensors")
    client, runs = _served(folder, data)
    listed = client.get("/api/runs").json
    assert [entry["id"] for entry in listed["runs"]] == [well]
    assert [entry["id"] for entry in listed["refused"]] == [sick]
    assert "request.json" in listed["refused"][0]["reason"]
    models = client.get("/api/models").json
    assert [entry["id"] for entry in models["models"]] == ["shipped-well", "well"]
    refused = {entry["id"]: entry["reason"] for entry in models["refused"]}
    if damage is _deleted:  # what is not there is not known of
        assert list(refused) == ["sick"]
    else:
        assert list(refused) == ["shipped-sick", "sick"]
    for id, reason in refused.items():
        answer = client.get(f"/api/models/{id}")
        assert reason in refusal(answer, 409)[0]
    answer = client.get(f"/api/models/{well}@3")
    assert answer.status_code == 409
    assert "gone" in answer.text or "cannot be used" in answer.text
    answer = client.post(f"/api/runs/{well}/keep", json={"step": 3, "name": "third"})
    assert answer.status_code == 409
    assert sorted(runs.kept.names()) == ["sick", "well"]
    assert not list((folder / "runs" / "kept").glob(".*"))
    # Even so, all of it can be thrown away.
    assert client.delete(f"/api/runs/{sick}").status_code == 204
    assert client.delete("/api/models/sick").status_code == 204
    assert client.get("/api/runs").json["refused"] == []
    assert not (folder / "runs" / sick).exists()
    assert not (folder / "runs" / "kept" / "sick").exists()
    runs.close()


@pytest.mark.parametrize(
    "lines",
    [
        ['{"event": "st{"event": "state", "step": 1, "images": 9, "seconds": 1.0}'],
        ['{"event": "state", "step": "1", "images": 9, "seconds": 1, "state": "done"}'],
        ["[" * 5000],
    ],
)
def test_one_bad_line_in_a_log_costs_nothing_but_itself(whole, data, lines, tmp_path):
    source, sick, _ = whole
    shutil.copytree(source, tmp_path / "copy")
    log = tmp_path / "copy" / "runs" / sick / "watched" / "events.jsonl"
    log_lines = log.read_text().splitlines()
    log.write_text("\n".join([*log_lines[:5], *lines, *log_lines[5:]]) + "\n")
    client, runs = _served(tmp_path / "copy", data)
    facts = client.get(f"/api/runs/{sick}").json
    assert facts["state"] == "done"
    assert facts["snapshots"] == list(range(7))
    assert facts["events"] == len(log_lines)
    assert "of its log cannot be read" in facts["damage"]
    text = client.get(f"/api/runs/{sick}/events").text
    assert text.count("data: ") == len(log_lines)
    runs.close()


def test_settings_of_a_wrong_type_hide_no_other_run(whole, data, tmp_path):
    source, sick, well = whole
    shutil.copytree(source, tmp_path / "copy")
    file = tmp_path / "copy" / "runs" / sick / "request.json"
    request = json.loads(file.read_bytes())
    for changes, words in [
        ({"settings": []}, "settings"),
        ({"started": "soon"}, "started"),
        ({"weights": "../../x.safetensors"}, "weights"),
        ({"architecture": None}, "architecture"),
    ]:
        file.write_text(json.dumps({**request, **changes}))
        client, runs = _served(tmp_path / "copy", data)
        listed = client.get("/api/runs").json
        assert [run["id"] for run in listed["runs"]] == [well]
        assert words in listed["refused"][0]["reason"]
        runs.close()
