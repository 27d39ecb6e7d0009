"""Training runs as tests start, watch and end them: tiny ones, and ones that count."""

import json
import time

from capsnet_explorer.app import create_app
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.training.facts import ENDED
from tests.app.conftest import FakeEngine
from tests.fake_trainer import launch
from tests.patience import PATIENCE_S

EPOCHS, STEPS = 2, 12  # 60 images in batches of 10
RECIPE = {
    "dataset": "idx",
    "threads": 1,
    "seed": 3,
    "epochs": EPOCHS,
    "batch_size": 10,
    "examples": 60,
    "kernel_size": 3,
    "conv1_kernels": 4,
    "primary_types": 2,
    "primary_dim": 4,
    "digit_dim": 5,
    "decoder_hidden": [8, 8],
}
LONG = {**RECIPE, "epochs": 1000}


def app_of(runs):
    """Return an explorer in which these runs train."""
    return create_app({"fake": FakeEngine("fake")}, data_folder=runs.data, runs=runs)


def counting_runs(folder, data, **options):
    """Return runs whose processes count steps, and train nothing."""
    runs = Runs(folder / "runs", data, folder / "kept", **options)
    vars(runs._queue)["launch"] = launch
    return runs


def start_run(client, **recipe):
    """Start a run, and return its id."""
    answer = client.post("/api/runs", json=recipe)
    assert answer.status_code == 202, answer.json
    assert answer.headers["Location"] == f"runs/{answer.json['id']}"
    return answer.json["id"]


def facts(client, id):
    """Return what is known of a run."""
    return client.get(f"/api/runs/{id}").json


def wait_for(find, is_so):
    """Wait until something is so of what is found, and return that."""
    end = time.monotonic() + PATIENCE_S
    while not is_so(value := find()):
        assert time.monotonic() < end, value
        time.sleep(0.02)
    return value


def until(client, id, is_so):
    """Wait until something is so of a run, and return its facts."""
    return wait_for(lambda: facts(client, id), is_so)


def wait_for_end(client, id):
    """Wait until a run has ended, and return its facts."""
    return until(client, id, lambda run: run["state"] in ENDED)


def events(client, id, **query):
    """Return the numbered events of a run that has ended."""
    answer = client.get(f"/api/runs/{id}/events", query_string=query)
    assert answer.mimetype == "text/event-stream"
    return parse_events(answer.text)


def parse_events(text):
    """Return the events in a stream's text by their numbers."""
    events = {}
    for message in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in message.splitlines())
        if "data" in lines:
            event = json.loads(lines["data"])
            assert event["event"] == lines["event"]
            events[int(lines["id"])] = event
    return events
