"""`python -m benchmarks.intake`: how many digits are read right in which conditions."""

import argparse
import os
import statistics
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch

from benchmarks.intake.conditions import BY_NAME, Condition
from benchmarks.intake.digits import MANIFEST, Mnist, load_drawings
from benchmarks.intake.reading import Reader, Reading
from benchmarks.intake.sheet import save_sheet

ROOT = Path(__file__).parent.parent.parent
HEAD = (
    "| pictures | right | of | % | refused | the digits themselves, % | median, ms |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Read all pictures and print a table."""
    options = parsed()
    torch.set_num_threads(options.threads)
    reader = Reader(options.weights)
    wrong: list[Reading] = []
    print(HEAD, flush=True)
    if options.drawings:
        wrong += read_drawings(reader, options.drawings)
    if options.per_condition:
        mnist = Mnist(options.data)
        for name in options.conditions:
            condition = BY_NAME[name]
            wrong += read_condition(
                reader, condition, mnist, options.per_condition, options.seed
            )
    if options.list:
        print(*("", *map(line_of, wrong)), sep="\n")
    if options.sheet:
        save_sheet(options.sheet, wrong)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.intake", description=__doc__
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("CAPSNET_DATA", ROOT / "data")),
        help="the folder that contains MNIST",
    )
    parser.add_argument(
        "--drawings",
        type=Path,
        help=f"a folder with real pictures and a {MANIFEST}; default: drawings in the "
        "data folder, if any",
    )
    parser.add_argument("--per-condition", type=int, default=200, metavar="N")
    parser.add_argument(
        "--conditions",
        nargs="+",
        default=list(BY_NAME),
        choices=BY_NAME,
        metavar="NAME",
        help=", ".join(BY_NAME),
    )
    parser.add_argument(
        "--weights", type=Path, default=ROOT / "weights" / "capsnet-mnist.safetensors"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="list the misread pictures")
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE.png", help="draw the misread pictures"
    )
    options = parser.parse_args()
    if not options.drawings and (options.data / "drawings" / MANIFEST).exists():
        options.drawings = options.data / "drawings"
    return options


def read_drawings(reader: Reader, folder: Path) -> list[Reading]:
    """Print a row for each kind of real picture; return the misread ones."""
    drawings = load_drawings(folder)
    readings = reader.read([(each.name, each.label, each.file) for each in drawings])
    groups = sorted({each.group for each in drawings})
    for group in groups:
        pairs = zip(drawings, readings, strict=True)
        print(row(group, [reading for each, reading in pairs if each.group == group]))
    return [reading for reading in readings if not reading.is_right]


def read_condition(
    reader: Reader, condition: Condition, mnist: Mnist, count: int, seed: int
) -> list[Reading]:
    """Print the row of a condition; return the misread pictures."""
    key = (seed, zlib.crc32(condition.name.encode()))
    digits = mnist.some(
        min(count, condition.most), condition.labels, np.random.default_rng(key)
    )
    pictures = [
        (
            f"{condition.name} {place}",
            label,
            condition.picture(digit, np.random.default_rng((*key, place))),
        )
        for place, label, digit in digits
    ]
    readings = reader.read(pictures)
    direct = reader.answers([digit for _, _, digit in digits])
    labels = [label for _, label, _ in digits]
    print(row(condition.name, readings, share(direct, labels)), flush=True)
    return [reading for reading in readings if not reading.is_right]


def row(name: str, readings: list[Reading], directly: float | None = None) -> str:
    """Return a row of the table."""
    right = sum(reading.is_right for reading in readings)
    refused = sum(reading.image is None for reading in readings)
    ms = statistics.median(reading.ms for reading in readings)
    alone = "–" if directly is None else f"{100 * directly:.1f}"
    percent = f"{100 * right / len(readings):.1f}"
    return (
        f"| {name} | {right} | {len(readings)} | {percent} | {refused} | {alone} "
        f"| {ms:.1f} |"
    )


def share(answers: Iterable[int], labels: Iterable[int]) -> float:
    """Return the share of right answers, in [0, 1]."""
    return statistics.mean(
        answer == label for answer, label in zip(answers, labels, strict=True)
    )


def line_of(reading: Reading) -> str:
    """Describe the reading of one picture."""
    answer = "refused" if reading.answer is None else f"read as {reading.answer}"
    return f"{reading.name}: {reading.label} {answer}"


if __name__ == "__main__":
    main()
