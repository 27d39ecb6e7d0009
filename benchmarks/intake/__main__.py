"""`python -m benchmarks.intake`: how many handwritten digits are read."""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from benchmarks.intake.pictures import MANIFEST, Picture, drawings, photographs
from capsnet_explorer.app.content.datasets import open_test_set
from capsnet_explorer.model import load
from capsnet_explorer.model.measuring.shares import wilson_interval
from capsnet_explorer.pictures.reading import Refusal

ROOT = Path(__file__).parent.parent.parent
HEAD = (
    "| pictures | right | of | % | 95 % interval | misread ones that "
    "say a doubt | right ones that do | median, ms |\n|---|---|---|---|---|---|---|---|"
)

# What a picture says, and how many doubts there are.
Read = Callable[[bytes], tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a picture was read.

    Attributes:
        picture: that was read.
        text: what was read; "" where nothing was.
        doubts: how many were said.
        ms: wall-clock time.
    """

    picture: Picture
    text: str
    doubts: int
    ms: float

    @property
    def is_right(self) -> bool:
        """Whether all of it was read right."""
        return self.text == self.picture.says


def main() -> None:
    """Read all pictures and print a table."""
    options = parse_options()
    torch.set_num_threads(options.threads)
    network = load(options.network)

    def read_one(file: bytes) -> tuple[str, int]:
        trace = network.trace(file)
        return trace.name, len(trace.doubts)

    print(HEAD, flush=True)
    if (options.data / "drawings" / MANIFEST).exists():
        for kind, pictures in drawings(options.data / "drawings").items():
            _tell(kind, [_read(read_one, photo) for photo in pictures], options.list)
    if options.count:
        mnist = open_test_set(options.data)
        pictures = photographs(mnist, options.count, options.seed)
        readings = [_read(read_one, photo) for photo in pictures]
        _tell("photographs of a digit", readings, options.list)


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.intake", description=__doc__
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("CAPSNET_DATA", ROOT / "data")),
        help=f"the folder that contains MNIST, and drawings/{MANIFEST}, if any",
    )
    parser.add_argument("--network", default="efficient-mnist")
    parser.add_argument("--count", type=int, default=200, help="photographs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="list what is misread")
    return parser.parse_args()


def _read(read: Read, picture: Picture) -> Reading:
    began = time.perf_counter()
    try:
        text, doubts = read(picture.file)
    except Refusal:
        text, doubts = "", 0
    return Reading(picture, text, doubts, 1000 * (time.perf_counter() - began))


def _tell(kind: str, readings: list[Reading], listed: bool) -> None:
    """Print the row of a kind, and what of it is misread."""
    right = [reading for reading in readings if reading.is_right]
    wrong = [reading for reading in readings if not reading.is_right]
    count = len(readings)
    low, high = wilson_interval(len(right) / count, count)
    ms = statistics.median(reading.ms for reading in readings)
    print(
        f"| {kind} | {len(right)} | {count} | {100 * len(right) / count:.1f} "
        f"| {100 * low:.1f} to {100 * high:.1f} % "
        f"| {sum(case.doubts > 0 for case in wrong)} of {len(wrong)} "
        f"| {sum(case.doubts > 0 for case in right)} of {len(right)} | {ms:.0f} |",
        flush=True,
    )
    if listed:
        for reading in wrong:
            picture = reading.picture
            print(f"  {picture.name}: {picture.says!r} read as {reading.text!r}")


if __name__ == "__main__":
    main()
