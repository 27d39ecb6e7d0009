"""`python -m benchmarks.workers`: throughput of one server process and of several.

For each way of running the server, measures the requests a second of eight simultaneous
clients, and the memory of its processes afterwards. The total counts shared pages once
(PSS); a process's own pages (USS) are the cost of one more process. Linux only.
"""

import argparse
import http.client
import itertools
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from capsnet_explorer.app.content.samples import load_samples

ROOT = Path(__file__).parent.parent
CLIENTS = 8
MODEL = "/api/models/capsnet-mnist"
BINARY = {
    "Accept": "application/x-safetensors",
    "Content-Type": "application/json",
}
WITHOUT_PRELOADING = """
exec(open("gunicorn.conf.py").read())
preload_app = False
"""

Request = tuple[str, str, str | None]  # method, path, body


@dataclass(frozen=True, slots=True)
class Way:
    """One way of running the server: its name, and the command for a port."""

    name: str
    command: Callable[[int], list[str]]
    workers: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of a server's processes.

    Attributes:
        total: of all processes, with shared pages counted once.
        own: the largest unshared memory of a worker.
    """

    total: float
    own: float


def main() -> None:
    """Measure every way and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10, help="for each kind")
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores\n")
    print("| server | new traces/s | kept traces/s | slider steps/s | MB | own MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for way in _ways(Path(folder)):
            with _running(way) as (port, pid):
                rates = [
                    _rate(port, wishes, options.seconds)
                    for wishes in (_new_traces(), _kept_traces(), _slider_steps())
                ]
                memory = _memory(pid)
            figures = " | ".join(f"{rate:.0f}" for rate in rates)
            print(
                f"| {way.name} | {figures} | {memory.total:.0f} | {memory.own:.0f} |",
                flush=True,
            )


def _ways(folder: Path) -> list[Way]:
    apart = folder / "apart.py"
    apart.write_text(WITHOUT_PRELOADING)
    gunicorn = [sys.executable, "-m", "gunicorn"]
    return [
        Way(
            "run_visualization.py",
            lambda port: [sys.executable, "run_visualization.py", f"--port={port}"],
            workers=0,
        ),
        Way("gunicorn, 1 worker", lambda _: gunicorn, workers=1),
        Way("gunicorn, 2 workers", lambda _: gunicorn, workers=2),
        Way(
            "gunicorn, 2 workers that load for themselves",
            lambda _: [*gunicorn, "-c", str(apart)],
            workers=2,
        ),
    ]


@contextmanager
def _running(way: Way) -> Iterator[tuple[int, int]]:
    """Start a server; yield its port and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "CAPSNET_BIND": f"127.0.0.1:{port}",
        "CAPSNET_LOG": "json",
        "WEB_CONCURRENCY": str(way.workers),
    }
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        way.command(port), cwd=ROOT, env=environment, stdout=quiet, stderr=quiet
    ) as server:
        try:
            while server.poll() is None:
                with suppress(ConnectionError):
                    _client(port, iter([("GET", "/api/health", None)]), 1)
                    break
                time.sleep(0.2)
            yield port, server.pid
        finally:
            server.send_signal(signal.SIGTERM)


def _rate(port: int, wishes: Iterator[Request], seconds: float) -> float:
    """Return the requests a second of all clients together."""
    each = [[next(wishes) for _ in range(400)] for _ in range(CLIENTS)]
    start = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        counts = pool.map(
            lambda mine: _client(port, itertools.cycle(mine), seconds), each
        )
        return sum(counts) / (time.perf_counter() - start)


def _client(port: int, wishes: Iterator[Request], seconds: float) -> int:
    """Send requests one after another over one connection; return their number."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    end = time.perf_counter() + seconds
    count = 0
    for method, path, body in wishes:
        connection.request(method, path, body, BINARY)
        response = connection.getresponse()
        response.read()
        if response.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path} answered {response.status}")
        count += 1
        if time.perf_counter() > end:
            break
    connection.close()
    return count


def _new_traces() -> Iterator[Request]:
    """Yield requests for everything that the page shows of new images."""
    sample = load_samples()[0].image
    generator = np.random.default_rng()
    while True:
        image = np.clip(sample + generator.random(sample.shape) / 100, 0, 1)
        yield "POST", f"{MODEL}/trace", json.dumps({"image": image.tolist()})


def _kept_traces() -> Iterator[Request]:
    image = load_samples()[0].image.tolist()
    body = json.dumps({"image": image})
    return itertools.repeat(("POST", f"{MODEL}/trace", body))


def _slider_steps() -> Iterator[Request]:
    body = json.dumps({"digit": 3, "poses": [[0.1] * 16]})
    return itertools.repeat(("POST", f"{MODEL}/reconstruct", body))


def _memory(pid: int) -> Memory:
    """Return the memory of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = [_pages(each) for each in (str(pid), *children)]
    workers = pages[1:] or pages
    return Memory(
        total=sum(each["Pss"] for each in pages),
        own=max(each["Private_Clean"] + each["Private_Dirty"] for each in workers),
    )


def _pages(pid: str) -> dict[str, float]:
    """Return a process's memory by kind from /proc, in megabytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    fields = (line.split() for line in lines)
    return {name.rstrip(":"): int(kilobytes) / 1024 for name, kilobytes, *_ in fields}


if __name__ == "__main__":
    main()
