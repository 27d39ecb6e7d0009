"""`python -m benchmarks.intake.numbers`: how many numbers are read right.

MNIST's test digits stand well apart, in lines, on noisy paper. A number counts as right
only if every digit, space and line is.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from benchmarks.intake.digits import Mnist
from benchmarks.intake.files import jpeg
from benchmarks.intake.papers import WHITE, paper
from benchmarks.intake.scene import Plane, Scene
from capsnet_explorer.intake.errors import IntakeError
from capsnet_explorer.model import load
from capsnet_explorer.model.measuring.shares import wilson_interval

ROOT = Path(__file__).parent.parent.parent
HEAD = (
    "| pictures | right | of | % | 95 % interval | misread ones that "
    "say a doubt | right ones that do | median, ms |\n|---|---|---|---|---|---|---|---|"
)
BOX = 20 / 28  # of an image of MNIST, its digit's longer side
DIGIT = (70, 130)  # px, range of a digit's height
GAP = (0.3, 0.7)  # of the height, between the ink of two digits
WIDE_GAP = (1.8, 2.4)  # a space
LEADING = (0.7, 1.1)  # of the height, between two lines
MARGIN = 0.8  # of the height, of paper around all
SCALE, LIFT = 0.08, 0.06  # deviations from the line's own size and place
INK = (0.05, 0.35)  # brightness
GRAIN, NOISE = 0.03, 0.03  # standard deviations of the paper's, and of the camera's
SHADE = 0.25  # largest share of light that one side lacks

Numbers = Callable[[np.random.Generator], list[list[int]]]  # lines of groups' lengths


def one_number(random: np.random.Generator) -> list[list[int]]:
    """Return the lengths of the groups of each line: one of 3 to 7 digits."""
    return [[int(random.integers(3, 8))]]


def two_numbers(random: np.random.Generator) -> list[list[int]]:
    """Return two numbers in a line, a space between them."""
    return [[int(random.integers(2, 5)), int(random.integers(2, 5))]]


def date(random: np.random.Generator) -> list[list[int]]:
    """Return a day, a month and a year, with spaces."""
    return [[2, 2, 4]]


def table(random: np.random.Generator) -> list[list[int]]:
    """Return three or four lines of a table, a number in each."""
    return [[int(random.integers(3, 6))] for _ in range(random.integers(3, 5))]


KINDS: dict[str, Numbers] = {
    "numbers of 3 to 7 digits": one_number,
    "two numbers with a space": two_numbers,
    "dates, 2 2 4 digits": date,
    "3 or 4 lines of a table": table,
}


@dataclass(frozen=True, slots=True)
class Read:
    """How a picture was read.

    Attributes:
        expected, text: what it says and what was read; "" where nothing was.
        doubts: digits that say a doubt.
        ms: wall-clock time.
    """

    expected: str
    text: str
    doubts: int
    ms: float

    @property
    def is_right(self) -> bool:
        """Whether all of it was read right."""
        return self.text == self.expected


def enlarged(digit: Plane, height: float) -> Plane:
    """Return the ink of a digit of MNIST, (28, 28) in [0, 1], at another height."""
    side = max(8, round(height / BOX))
    image = Image.fromarray((255 * digit).astype(np.uint8))
    large = image.resize((side, side), Image.Resampling.BICUBIC)
    ink = np.asarray(large, np.float32) / 255
    rows, columns = (np.flatnonzero(ink.max(axis=axis) > 0.2) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def picture_of(
    lines: list[list[int]], mnist: Mnist, random: np.random.Generator
) -> tuple[str, bytes]:
    """Write random digits of MNIST on paper; return what it says, and the JPEG file."""
    height = random.uniform(*DIGIT)
    count = sum(map(sum, lines))
    digits = mnist.some(count, tuple(range(10)), random)
    order = iter(digits)
    strips, words = [], []
    for groups in lines:
        placed: list[tuple[float, Plane, float]] = []
        at, text = 0.0, ""
        for number, length in enumerate(groups):
            text += " " * bool(number)
            at += bool(number) * random.uniform(*WIDE_GAP) * height
            for place in range(length):
                _, label, digit = next(order)
                at += bool(place) * random.uniform(*GAP) * height
                ink = enlarged(
                    np.squeeze(digit), height * (1 + random.normal(0, SCALE))
                )
                placed.append((at, ink, random.normal(0, LIFT) * height))
                at += ink.shape[1]
                text += str(label)
        strips.append((placed, at))
        words.append(text)
    margin = round(MARGIN * height)
    steps = [height * (1 + random.uniform(*LEADING)) for _ in lines]
    size = (
        round(sum(steps)) + 2 * margin,
        round(max(width for _, width in strips)) + 2 * margin,
    )
    ink = np.zeros(size, np.float32)
    middle = margin + height / 2
    for (placed, _), step in zip(strips, steps, strict=True):
        for left, own, lift in placed:
            top = round(max(0, middle + lift - own.shape[0] / 2))
            start = margin + round(left)
            room = ink[top : top + own.shape[0], start : start + own.shape[1]]
            np.maximum(room, own[: room.shape[0], : room.shape[1]], out=room)
        middle += step
    scene = paper(WHITE, texture=GRAIN)(
        Scene(np.zeros((*size, 3), np.float32), height / 8, random)
    )
    written = (
        scene.picture * (1 - ink[..., None]) + random.uniform(*INK) * ink[..., None]
    )
    shade = 1 - np.linspace(0, random.uniform(0, SHADE), size[1], dtype=np.float32)
    seen = written * shade[None, :, None] + random.normal(0, NOISE, written.shape)
    return "\n".join(words), jpeg(80, 95)(scene.showing(np.clip(seen, 0, 1)))


def main() -> None:
    """Read numbers of each kind, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("CAPSNET_DATA", ROOT / "data")),
        help="the folder that contains MNIST",
    )
    parser.add_argument("--network", default="efficient-mnist")
    parser.add_argument("--count", type=int, default=200, help="pictures of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="list what is misread")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    network, mnist = load(options.network), Mnist(options.data)
    print(HEAD, flush=True)
    for place, (name, lines) in enumerate(KINDS.items()):
        reads = []
        for number in range(options.count):
            random = np.random.default_rng((options.seed, place, number))
            expected, file = picture_of(lines(random), mnist, random)
            began = time.perf_counter()
            try:
                found = network.read(file)
                text, doubts = found.text, sum(bool(d.doubts) for d in found.digits)
            except IntakeError:
                text, doubts = "", 0
            ms = 1000 * (time.perf_counter() - began)
            reads.append(Read(expected, text, doubts, ms))
        print(row(name, reads), flush=True)
        if options.list:
            for each in reads:
                if not each.is_right:
                    print(f"  {each.expected!r} read as {each.text!r}, {each.doubts}")


def row(name: str, reads: list[Read]) -> str:
    """Return a row of the table."""
    right = [each for each in reads if each.is_right]
    wrong = [each for each in reads if not each.is_right]
    low, high = wilson_interval(len(right) / len(reads), len(reads))
    ms = statistics.median(each.ms for each in reads)
    return (
        f"| {name} | {len(right)} | {len(reads)} | {100 * len(right) / len(reads):.1f} "
        f"| {100 * low:.1f} to {100 * high:.1f} % "
        f"| {sum(each.doubts > 0 for each in wrong)} of {len(wrong)} "
        f"| {sum(each.doubts > 0 for each in right)} of {len(right)} | {ms:.0f} |"
    )


if __name__ == "__main__":
    main()
