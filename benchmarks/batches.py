"""Batches over HTTP: their speed, and the delay for traces of other clients."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from benchmarks.networks import weight_file
from benchmarks.serving import BINARY, bodies_of, client
from benchmarks.soak.server import running_server
from benchmarks.timing import Comparison, compare
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Array

IMAGES = 256
SCORES = ["scores"]


def compare_batches(weights: Path, rounds: int) -> list[Comparison]:
    """Compare a batch with traces of its images, and a trace beside batches."""
    id = weight_file(weights).stem
    images = [sample.image for sample in load_samples()]
    batch = _batch_of([images[place % len(images)] for place in range(IMAGES)])
    bodies = bodies_of(images[0])
    trace_path, batch_path = f"/api/models/{id}/trace", f"/api/models/{id}/batch"
    with running_server(weights) as server, client(server.port) as ask:

        def trace() -> float:
            start = perf_counter()
            ask(trace_path, next(bodies), BINARY)
            return 1000 * (perf_counter() - start)

        def traces_of_scores() -> None:
            for _ in range(IMAGES):
                asked = json.loads(next(bodies)) | {"tensors": SCORES}
                ask(trace_path, json.dumps(asked), BINARY)

        together = compare(
            f"scores of {IMAGES} images over HTTP: one batch against {IMAGES} traces",
            lambda: ask(batch_path, batch, BINARY),
            traces_of_scores,
            rounds=max(1, rounds // 10),
            warmup=1,
        )
        alone = [trace() for _ in range(4 * rounds)]
        with _batches_without_end(server.port, batch_path, batch):
            beside = [trace() for _ in range(4 * rounds)]
    what = "trace over HTTP beside another client's batches"
    return [
        together,
        Comparison(f"{what}, median; plain is alone", median(beside), median(alone)),
        Comparison(
            f"{what}, 99th of 100; plain is alone",
            quantiles(beside, n=100)[98],
            quantiles(alone, n=100)[98],
        ),
    ]


def _batch_of(images: list[Array]) -> str:
    rows = [image.round(3).astype(float).round(3).tolist() for image in images]
    return json.dumps({"images": rows, "tensors": SCORES})


@contextmanager
def _batches_without_end(port: int, path: str, body: str) -> Iterator[None]:
    """Have another client send batches without a pause."""
    stop, first = threading.Event(), threading.Event()

    def send() -> None:
        with client(port) as ask:
            while not stop.is_set():
                first.set()
                ask(path, body, BINARY)

    sender = threading.Thread(target=send)
    sender.start()
    first.wait()
    try:
        yield
    finally:
        stop.set()
        sender.join()
