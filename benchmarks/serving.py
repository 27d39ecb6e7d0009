"""The page's requests over HTTP, to a server in a separate process."""

import io
import itertools
import json
import socket
import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image

from benchmarks.networks import weight_file
from benchmarks.passes import SHEET
from benchmarks.soak.server import running_server
from benchmarks.threads import server_threads
from benchmarks.timing import Comparison, compare
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Array, Question
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.intake import Overrides, read_digit

BINARY = "application/x-safetensors"
JSON = "application/json"
PAD = 280  # pixels; the page's drawing area
CLIENTS = 8

Ask = Callable[[str, str, str], bytes]


def compare_serving(weights: Path, rounds: int) -> list[Comparison]:
    """Compare a trace, a slider's step, a sheet and the reading of a drawing.

    In process, the network uses the server's number of threads.
    """
    with server_threads():
        return _compare_serving(weights, rounds)


def _compare_serving(weights: Path, rounds: int) -> list[Comparison]:
    ((id, engine),) = load_engines(weight_file(weights)).items()
    sample = load_samples()[0].image
    names = tuple(t.name for t in engine.info.tensors if not t.on_request)
    poses = (
        np.random.default_rng(0).normal(size=(SHEET, engine.info.details["pose_dim"]))
        / 4
    )
    edits = [_edit([pose]) for pose in poses]
    drawing, options = _drawing(sample), engine.options({})
    images, bodies = _never_twice(sample), bodies_of(sample)
    trace, reconstruct = (
        f"/api/models/{id}/{verb}" for verb in ("trace", "reconstruct")
    )
    with running_server(weights) as server, client(server.port) as ask:
        return [
            compare(
                "trace over HTTP, every tensor but the votes: safetensors against JSON",
                lambda: ask(trace, next(bodies), BINARY),
                lambda: ask(trace, next(bodies), JSON),
                rounds=rounds,
            ),
            compare(
                "trace over HTTP; plain is the same in process, without it",
                lambda: ask(trace, next(bodies), BINARY),
                lambda: engine.trace(Question(next(images), options, names, half=True)),
                rounds=rounds,
            ),
            compare(
                "slider's step over HTTP; plain is the same in process, without it",
                lambda: ask(reconstruct, edits[0], BINARY),
                lambda: engine.reconstruct(0, poses[:1].astype(np.float32)),
                rounds=4 * rounds,
            ),
            compare(
                f"16 x 11 sheet over HTTP: one request against {SHEET}",
                lambda: ask(reconstruct, _edit(poses), BINARY),
                lambda: [ask(reconstruct, edit, BINARY) for edit in edits],
                rounds=max(1, rounds // 4),
            ),
            *_many_at_once(server.port, reconstruct, edits, rounds),
            compare(
                "reading a drawing: as PGM against as PNG",
                lambda: read_digit(drawing["PPM"], Overrides(ink="light")),
                lambda: read_digit(drawing["PNG"], Overrides(ink="light")),
                rounds=rounds,
            ),
        ]


def _edit(poses: object) -> str:
    return json.dumps({"digit": 3, "poses": np.asarray(poses).tolist()})


def _never_twice(image: Array) -> Iterator[Array]:
    """Yield images that differ in one pixel, since the server caches traces."""
    for number in itertools.count(1):
        changed = image.copy()
        changed[0, 0] = 1 / number
        yield changed


def bodies_of(image: Array) -> Iterator[str]:
    """Yield trace requests whose images differ in one pixel, for the same reason."""
    rows = image.astype(object)
    rows[0, 0] = "number"
    text = json.dumps({"image": rows.tolist()})
    for number in itertools.count(1):
        yield text.replace('"number"', str(1 / number))


def _many_at_once(
    port: int, path: str, edits: list[str], rounds: int
) -> list[Comparison]:
    """Compare slider steps of several simultaneous clients with those of one."""

    def steps(_person: int) -> list[float]:
        found = []
        with client(port) as ask:
            for edit in itertools.islice(itertools.cycle(edits), 4 * rounds):
                start = perf_counter()
                ask(path, edit, BINARY)
                found.append(1000 * (perf_counter() - start))
        return found

    alone = statistics.quantiles(steps(0), n=100)
    with ThreadPoolExecutor(CLIENTS) as people:
        together = statistics.quantiles(
            itertools.chain.from_iterable(people.map(steps, range(CLIENTS))), n=100
        )
    return [
        Comparison(
            f"slider's step with {CLIENTS} clients at once, {name}; plain is one alone",
            together[percent - 1],
            alone[percent - 1],
        )
        for name, percent in (("median", 50), ("99th of 100", 99))
    ]


def _drawing(image: Array) -> dict[str, bytes]:
    grey = (255 * image[0]).astype(np.uint8)
    large = Image.fromarray(grey).resize((PAD, PAD))
    encoded = {}
    for kind in ("PPM", "PNG"):
        stream = io.BytesIO()
        large.save(stream, kind)
        encoded[kind] = stream.getvalue()
    return encoded


@contextmanager
def client(port: int) -> Iterator[Ask]:
    """Yield a function that sends requests over one connection.

    It parses only the necessary headers: Python's own client takes half a millisecond
    more, which would be counted as the server's.
    """
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        connection.makefile("rb") as answers,
    ):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def ask(path: str, body: str, accept: str) -> bytes:
            content = body.encode()
            head = (
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                f"Content-Type: {JSON}\r\nAccept: {accept}\r\n"
                f"Content-Length: {len(content)}\r\n\r\n"
            )
            connection.sendall(head.encode() + content)
            status = answers.readline()
            length = 0
            while line := answers.readline().strip():
                name, _, value = line.lower().partition(b":")
                if name == b"content-length":
                    length = int(value)
            answer = answers.read(length)
            if b" 200 " not in status:
                raise RuntimeError(f"{path}: {status!r} {answer[:200]!r}")
            return answer

        yield ask
