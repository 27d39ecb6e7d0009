"""The laboratory over HTTP: a sweep through every network, and an attack.

A sweep is what the page asks for while a knob is turned: the digit changed to 25 values
of the knob, and each network's scores of them.
"""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.networks import weight_file
from benchmarks.serving import BINARY, Ask, bodies_of, client
from benchmarks.soak.server import running_server
from benchmarks.timing import Comparison, compare
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Array
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.laboratory.changes import Change, changed

VALUES = 25
EPSILON = 0.1
SCORES = ["scores"]


def compare_laboratory(weights: Path, rounds: int) -> list[Comparison]:
    """Compare sweeps with single images, FGSM steps too, and traces beside sweeps.

    Args:
        weights: a folder; a sweep asks all of its networks that read the samples.
        rounds: of each comparison.
    """
    sample = load_samples()[0]
    engines = {
        id: engine
        for id, engine in load_engines(weights).items()
        if engine.info.input_shape == sample.image.shape
    }
    bodies = bodies_of(sample.image)
    sweeps = _sweeps(sample.image, VALUES)
    # No traces: for a moment after each, a batch makes way for the next.
    alone_of = _sweeps(sample.image, 1)
    first = weight_file(weights).stem
    attacking = [id for id, engine in engines.items() if engine.info.can.gradient]
    asked_attack = json.dumps(
        {
            "image": sample.image.round(3).astype(float).round(3).tolist(),
            "label": sample.label,
            "method": "fgsm",
            "epsilons": [EPSILON],
        }
    )
    with (
        running_server(weights) as server,
        ExitStack() as stack,
        ThreadPoolExecutor(len(engines)) as pool,
    ):
        asks = {id: stack.enter_context(client(server.port)) for id in engines}
        ask = stack.enter_context(client(server.port))  # another tab's

        def sweep() -> None:
            body = next(sweeps)
            list(pool.map(lambda id: _batch(asks[id], id, body), engines))

        def one_by_one() -> None:
            for id in engines:
                for _ in range(VALUES):
                    _batch(asks[id], id, next(alone_of))

        def one() -> None:
            _batch(ask, first, next(alone_of))

        def trace() -> float:
            start = perf_counter()
            ask(f"/api/models/{first}/trace", next(bodies), BINARY)
            return 1000 * (perf_counter() - start)

        rows = [
            compare(
                f"{VALUES} changed images through {len(engines)} networks over HTTP: "
                "together against one by one",
                sweep,
                one_by_one,
                rounds=max(3, rounds // 5),
                warmup=1,
            )
        ]
        rows += [
            compare(
                f"FGSM step over HTTP, {id}; plain is one image in a batch",
                _attack(ask, id, asked_attack),
                one,
                rounds=rounds,
            )
            for id in attacking
        ]
        alone = [trace() for _ in range(4 * rounds)]
        with _without_end(sweep):
            beside = [trace() for _ in range(4 * rounds)]
    what = "trace over HTTP beside another tab's sweeps, median; plain is alone"
    return [*rows, Comparison(what, median(beside), median(alone))]


def _batch(ask: Ask, id: str, body: str) -> None:
    ask(f"/api/models/{id}/batch", body, BINARY)


def _attack(ask: Ask, id: str, body: str) -> Callable[[], object]:
    return lambda: ask(f"/api/models/{id}/attack", body, BINARY)


def _sweeps(image: Array, values: int) -> Iterator[str]:
    """Yield bodies of batches: the image turned, each time by other angles."""
    for number in count():
        changes = [
            Change(rotate=7.5 * (place - values // 2) + 0.01 * number)
            for place in range(values)
        ]
        images = changed(image, changes)
        rows = [each.round(3).tolist() for each in images]
        yield json.dumps({"images": rows, "tensors": SCORES})


@contextmanager
def _without_end(sweep: Callable[[], None]) -> Iterator[None]:
    """Have another tab sweep without a pause."""
    stop, first = threading.Event(), threading.Event()

    def turn() -> None:
        while not stop.is_set():
            first.set()
            sweep()

    turning = threading.Thread(target=turn)
    turning.start()
    first.wait()
    try:
        yield
    finally:
        stop.set()
        turning.join()
