"""`python -m benchmarks.crowd`: many people at once at the real server."""

import argparse
import http.client
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from benchmarks.server import ROOT, running_server
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.app.engines.torch import load_engines
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.pictures.reading import Overrides, read_digit

Array = NDArray[np.float32]

# How often the page asks for each, a second: while one draws, looks at images, drags.
RATES_HZ = {"reads": 6, "traces": 10, "slider steps": 30}
BOUT_S = 2  # duration of each
EACH = 24  # questions of each kind and person: together more than the cache holds
PATIENCE_S = 30  # the page's timeout
BUSY = {429, 503}
ROUNDING = 1e-3  # largest difference between images computed together and separately
LEVELS = (50, 95, 99)

# What the page requests while somebody draws, in any view.
NAMES = (
    "conv1.glimpse",
    "primary.lengths",
    "routing.types",
    "digits.capsules",
    "digits.lengths",
    "reconstruction",
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A request, and what its answer must hold.

    Attributes:
        path, body: of the POST request; a picture, or else JSON.
        tensor: name of the tensor that identifies the answer.
        expected: that tensor.
    """

    path: str
    body: bytes
    tensor: str
    expected: Array

    def is_granted(self, answer: bytes) -> bool:
        """Return whether an answer, a safetensors file, belongs to this request."""
        return is_near(load(answer)[self.tensor], self.expected)


@dataclass(slots=True)
class Report:
    """The answers to all people.

    Attributes:
        times_s: time of each answer, in seconds, by what was asked.
        refused: for how long, in seconds, busy servers told whom to wait.
        errors: messages of failed requests, and of answers to another request.
        memory: the server's, at the start, half way and at the end, in bytes.
    """

    times_s: dict[str, list[float]] = field(
        default_factory=lambda: {kind: [] for kind in RATES_HZ}
    )
    refused: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    def text(self, seconds: float) -> str:
        """Return the outcome of so many seconds for people."""
        lines = [f"errors: {len(self.errors)}; refused as busy: {len(self.refused)}"]
        for kind, times in self.times_s.items():
            percentiles = np.percentile(times, LEVELS) * 1000 if times else []
            levels = zip(LEVELS, percentiles, strict=False)
            words = "".join(f", p{level} {ms:.0f} ms" for level, ms in levels)
            lines.append(f"{kind}: {len(times) / seconds:.0f} a second{words}")
        memory = ", ".join(f"{size / 2**20:.0f}" for size in self.memory)
        lines.append(f"server's memory at start, middle, end: {memory} MiB")
        return "\n".join([*lines, *self.errors[:10]])


def crowd(
    people: int, seconds: float, weights: Path, *, workers: int = 0, each: int = EACH
) -> Report:
    """Have people draw, look at images and drag by turns, each checking the answers.

    Args:
        people: at once.
        seconds: for which they go on.
        weights: of the server; its first network is asked.
        workers: of gunicorn; 0 is the server as `run_visualization.py` starts it.
        each: questions of each kind and person, who repeats them.
    """
    engine = next(iter(load_engines(weights).values()))
    wishes = [
        wishes_of(engine, np.random.default_rng(seed), each) for seed in range(people)
    ]
    report = Report()
    with (
        running_server(weights, workers=workers) as server,
        ThreadPoolExecutor(people) as threads,
    ):
        report.memory.append(server.memory())
        end = time.monotonic() + seconds
        work = [
            threads.submit(_work, server.port, questions, person, end, report)
            for person, questions in enumerate(wishes)
        ]
        time.sleep(seconds / 2)
        report.memory.append(server.memory())
        for each_work in work:
            each_work.result()
        report.memory.append(server.memory())
    return report


def wishes_of(
    engine: Engine, random: np.random.Generator, count: int
) -> dict[str, list[Wish]]:
    """Return `count` questions of each kind, with their answers computed one by one."""
    samples = [sample.image for sample in load_samples()]
    address = f"/api/models/{engine.info.id}"
    wishes: dict[str, list[Wish]] = {kind: [] for kind in RATES_HZ}

    def capsules(image: Array) -> Array:
        question = Question(image, engine.options({}), ("digits.capsules",), half=True)
        return engine.trace(question).tensors["digits.capsules"]

    for _ in range(count):
        sample = samples[random.integers(len(samples))]
        pressed = 255 * sample[0] * (0.4 + 0.6 * random.random(sample[0].shape))
        large = np.kron(pressed.round().astype(np.uint8), np.ones((10, 10), np.uint8))
        pgm = b"P5\n%d %d\n255\n" % large.shape + large.tobytes()
        read = capsules(read_digit(pgm, Overrides(ink="light")).image)
        path = f"{address}/read?ink=light&tensors=digits.capsules"
        wishes["reads"].append(Wish(path, pgm, "digits.capsules", read))

        specks = random.random(sample.shape) * (random.random(sample.shape) < 0.1)
        image = np.maximum(sample, specks).round(3).astype(np.float32)
        request = {"image": image.astype(float).round(3).tolist(), "tensors": NAMES}
        body = json.dumps(request).encode()
        wishes["traces"].append(
            Wish(f"{address}/trace", body, "digits.capsules", capsules(image))
        )

        digit = int(random.integers(engine.info.classes))
        pose = random.normal(0, 0.3, engine.info.details["pose_dim"]).round(3)
        drawn = engine.reconstruct(digit, pose[None].astype(np.float32))[:, 0]
        body = json.dumps({"digit": digit, "poses": [pose.tolist()]}).encode()
        wishes["slider steps"].append(
            Wish(f"{address}/reconstruct", body, "images", drawn)
        )
    return wishes


def is_near(one: Array, other: Array) -> bool:
    """Return whether two tensors are equal up to rounding."""
    return one.shape == other.shape and bool((abs(one - other) < ROUNDING).all())


def _work(
    port: int, wishes: dict[str, list[Wish]], first: int, end: float, report: Report
) -> None:
    """Do each for a while, always for the newest state, as the page does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    kinds = [*RATES_HZ]
    turn = first
    while (start := time.monotonic()) < end:
        kind = kinds[turn % len(kinds)]
        turn += 1
        step = -1
        while (now := time.monotonic()) < min(end, start + BOUT_S):
            newest = int((now - start) * RATES_HZ[kind])
            if newest == step:
                time.sleep(max(0, start + (step + 1) / RATES_HZ[kind] - now))
                continue
            step = newest
            _ask(connection, wishes[kind][newest % len(wishes[kind])], kind, report)
    connection.close()


def _ask(
    connection: http.client.HTTPConnection, wish: Wish, kind: str, report: Report
) -> None:
    kind_of = {b"P5": "image/x-portable-graymap"}.get(wish.body[:2], "application/json")
    headers = {"Content-Type": kind_of, "Accept": "application/x-safetensors"}
    start = time.perf_counter()
    try:
        connection.request("POST", wish.path, wish.body, headers)
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        report.errors.append(f"{type(error).__name__}: {error}")
        connection.close()  # the next request opens another
        return
    if answer.status in BUSY and (wait := answer.headers.get("retry-after")):
        report.refused.append(float(wait))
        time.sleep(report.refused[-1])
    elif answer.status != http.HTTPStatus.OK:
        report.errors.append(f"{answer.status}: {body[:200]!r}")
    elif not wish.is_granted(body):
        report.errors.append(f"{wish.path}: the answer to another request")
    else:
        report.times_s[kind].append(time.perf_counter() - start)


def main() -> int:
    """Print what people met with; return 1 if any request failed or was mixed up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument(
        "--workers", type=int, default=0, help="of gunicorn; 0: the default server"
    )
    options = parser.parse_args()
    seconds = options.seconds
    report = crowd(options.people, seconds, options.weights, workers=options.workers)
    print(f"{options.people} people, {seconds:.0f} s\n{report.text(seconds)}")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
