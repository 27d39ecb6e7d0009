"""`python -m benchmarks.starting`: how soon the explorer is there after its command.

Beside another version's in turns: `--beside CHECKOUT`. Chromium runs before each start,
and opens the page as soon as the server says where it is.
"""

import argparse
import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.browser.devtools import tab, times
from benchmarks.browser.figures import Figure, beside, medians, table
from benchmarks.server import ROOT, Server, running_server

TURNS = 6
STARTS_BEFORE = 3  # until all is kept that is kept of a start
FIRST, LATER = "first start of all", "later start"
READY_S = 0.5
READING_S = 1.5
NETWORKS_S = 4.0
MEMORY_MB = 440
ANOTHER_MS = 300
PAUSE_S = 0.1  # between two looks
KEEPING_S = 2.0  # after which what a page asked for is kept


def starting(weights: Path = ROOT / "weights", turns: int = TURNS) -> list[Figure]:
    """Return the medians of several later starts, and of one where nothing is kept.

    Args:
        weights: a weight file, or a folder of them.
        turns: how often the server is started once all is kept.
    """
    with TemporaryDirectory() as folder:
        first = _first_starts(ROOT, weights, Path(folder))
        later = [
            figure
            for _ in range(turns)
            for figure in _start(ROOT, weights, Path(folder), LATER)
        ]
    return medians([*first, *later])


def starting_beside(checkout: Path, turns: int) -> list[tuple[Figure, Figure]]:
    """Return the figures of both versions, started in turns."""
    figures: dict[Path, list[Figure]] = {ROOT: [], checkout: []}
    with TemporaryDirectory() as folder:
        runs = {ROOT: Path(folder, "this"), checkout: Path(folder, "other")}
        for version in figures:
            weights = version / "weights"
            figures[version] += _first_starts(version, weights, runs[version])
        for _ in range(turns):
            for version in figures:
                weights = version / "weights"
                figures[version] += _start(version, weights, runs[version], LATER)
    ours, others = map(medians, figures.values())
    return [*zip(ours, others, strict=True)]


def _first_starts(checkout: Path, weights: Path, runs: Path) -> list[Figure]:
    figures = [*_start(checkout, weights, runs, FIRST)]
    for _ in range(1, STARTS_BEFORE):
        list(_start(checkout, weights, runs, LATER))
    return figures


def _start(checkout: Path, weights: Path, runs: Path, what: str) -> Iterator[Figure]:
    with tab() as page:
        began = time.time()
        with running_server(weights, checkout=checkout, runs=runs) as server:
            is_later = what == LATER
            limit = READY_S if is_later else None
            yield Figure(f"{what}: ready", "", time.time() - began, "s", limit)
            cost = sum(times(server.process.pid).values())
            yield Figure(f"{what}: processor until then", "", cost, "s")

            page.ask("Page.navigate", url=f"http://127.0.0.1:{server.port}/")
            reading = "() => [performance.timeOrigin, window.meter?.readings[0]]"
            while (moments := page.evaluate(reading))[1] is None:
                time.sleep(PAUSE_S / 4)
            limit = READING_S if is_later else None
            seconds = sum(moments) / 1000 - began
            yield Figure(f"{what}: first reading painted", "", seconds, "s", limit)

            while json.loads(_get(server, "api/health"))["status"] != "ok":
                time.sleep(PAUSE_S)
            limit = NETWORKS_S if is_later else None
            seconds = time.time() - began
            yield Figure(f"{what}: all networks there", "", seconds, "s", limit)
            time.sleep(KEEPING_S)
            if is_later:
                yield from _afterwards(server)


def _afterwards(server: Server) -> Iterator[Figure]:
    yield Figure("memory then", "", server.memory() / 1e6, "MB", MEMORY_MB)
    costs = []
    for model in json.loads(_get(server, "api/models"))["models"][1:]:
        began = time.perf_counter()
        _trace(server, model)
        costs.append(1000 * (time.perf_counter() - began))
    if costs:
        name = "slowest first trace of another network"
        yield Figure(name, "", max(costs), "ms", ANOTHER_MS)


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


def main() -> None:
    """Print the measurements as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT")
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    if options.beside:
        print(beside(starting_beside(options.beside, options.turns)))
    else:
        print(table(starting(turns=options.turns)))


if __name__ == "__main__":
    main()
