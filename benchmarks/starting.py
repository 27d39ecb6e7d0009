"""Measures what a server that has just started costs: time, memory, first answers."""

import json
import urllib.request
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.browser.figures import Figure, median
from benchmarks.server import Server, running_server

READY_S = 2.0
MEMORY_MB = 330
FIRST_MS = 400  # of a page that was never open
ANOTHER_MS = 300


def starting(weights: Path, rounds: int) -> list[Figure]:
    """Start the server again and again, open the page, and ask each network.

    The first network is asked as soon as the page has come, which a browser does later:
    it first runs the page's modules. Each other network is asked once, with an empty
    image.

    Args:
        weights: a weight file, or a folder of them.
        rounds: how often the server is started.
    """
    ready, memory, first, others = [], [], [], []
    for _ in range(rounds):
        began = perf_counter()
        with running_server(weights) as server:
            ready.append(perf_counter() - began)
            memory.append(server.memory() / 1e6)
            began = perf_counter()
            _get(server, "")
            models = json.loads(_get(server, "api/models"))["models"]
            _trace(server, models[0])
            first.append(1000 * (perf_counter() - began))
            for model in models[1:]:
                began = perf_counter()
                _trace(server, model)
                others.append(1000 * (perf_counter() - began))
    return [
        Figure("start: until ready", "", median(ready), "s", READY_S),
        Figure("start: memory once ready", "", median(memory), "MB", MEMORY_MB),
        Figure("start: page and first trace", "", median(first), "ms", FIRST_MS),
        *(
            Figure(f"first trace of another network, {what}", "", value, "ms", limit)
            for what, value, limit in (
                ("median", median(others), None),
                ("slowest", max(others, default=float("nan")), ANOTHER_MS),
            )
            if others
        ),
    ]


def _get(server: Server, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{path}") as answer:
        return answer.read()


def _trace(server: Server, model: dict) -> None:
    image = np.zeros(model["input_shape"]).tolist()
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/api/models/{model['id']}/trace",
        json.dumps({"image": image}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        answer.read()
