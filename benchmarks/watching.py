"""`python -m benchmarks.watching`: a run as the page starts it, and strokes beside it.

It trains on MNIST if the data folder has it, else on digits that the project draws.
"""

import argparse
import json
import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.networks import weight_file
from benchmarks.serving import BINARY, Ask, bodies_of, client
from benchmarks.soak.server import Server, running_server
from benchmarks.timing import Comparison, table
from capsnet_explorer.app.content.samples import load_samples

ROOT = Path(__file__).parent.parent
GOALS = (0.975, 0.985)  # of the test digits that are counted, read right


def compare_beside_a_run(weights: Path, rounds: int) -> list[Comparison]:
    """Compare traces beside a training run with traces alone.

    Args:
        weights: the CapsNet for digits of this folder is asked.
        rounds: traces of each kind.
    """
    bodies = bodies_of(load_samples()[0].image)

    def traced(ask: Ask, path: str) -> float:
        start = perf_counter()
        ask(path, next(bodies), BINARY)
        return 1000 * (perf_counter() - start)

    with _server(weights) as server, client(server.port) as ask:
        path = f"/api/models/{weight_file(weights).stem}/trace"
        alone = [traced(ask, path) for _ in range(rounds)]
        id = _started(server, epochs=1000)
        next(each for each in _events(server, id) if each["event"] == "progress")
        beside = [traced(ask, path) for _ in range(rounds)]
        _asked(server, f"/api/runs/{id}", method="DELETE")
    what = "trace over HTTP beside a training run, median; plain is alone"
    return [Comparison(what, median(beside), median(alone))]


def follow_a_run(weights: Path, **recipe: object) -> list[str]:
    """Train as one click does, but for a recipe, and return what it took."""
    with _server(weights) as server:
        began = perf_counter()
        id = _started(server, **recipe)
        found: list[str] = []
        goals = list(GOALS)
        for event in _events(server, id):
            seconds = perf_counter() - began
            if event["event"] != "snapshot":
                continue
            if not event["step"]:
                found.append(f"first picture after {seconds:.1f} s")
            while goals and event["error"] is not None:
                if event["error"] > 1 - goals[0]:
                    break
                found.append(
                    f"{goals.pop(0):.1%} of {event['tested']} test digits right "
                    f"within {seconds:.0f} s"
                )
        facts = _asked(server, f"/api/runs/{id}")
        found.append(f"{facts['step']} steps in {facts['seconds']:.0f} s")
        found.append(
            f"{len(facts['snapshots'])} snapshots of "
            f"{facts['bytes'] / len(facts['snapshots']) / 1e6:.1f} MB, "
            f"{facts['bytes'] / 1e6:.0f} MB together"
        )
        found.append(f"at the end {facts['error']:.2%} misread")
    return found


@contextmanager
def _server(weights: Path) -> Iterator[Server]:
    with (
        TemporaryDirectory() as runs,
        running_server(weights, "--runs", runs) as server,
    ):
        yield server


def _started(server: Server, **recipe: object) -> str:
    known = _asked(server, "/api/recipes")["datasets"]
    ready = next(each["name"] for each in known if each["ready"])
    return _asked(server, "/api/runs", {"dataset": ready, **recipe})["id"]


def _events(server: Server, id: str) -> Iterator[dict[str, Any]]:
    """Yield a run's events as they come; a stream is held for a while only."""
    last = 0
    while True:
        address = f"http://127.0.0.1:{server.port}/api/runs/{id}/events?after={last}"
        with urllib.request.urlopen(address) as answer:
            if answer.status == 204:
                return
            for line in answer:
                name, _, value = line.decode().strip().partition(": ")
                if name == "id":
                    last = int(value)
                elif name == "data":
                    yield json.loads(value)


def _asked(
    server: Server, path: str, body: object = None, method: str | None = None
) -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


def main() -> None:
    """Print what a run takes, and how long strokes wait beside one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--rounds", type=int, default=100, help="traces of each kind")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores\n")
    print(table(compare_beside_a_run(options.weights, options.rounds)))
    for line in follow_a_run(options.weights):
        print(f"* {line}", flush=True)


if __name__ == "__main__":
    main()
