"""`python -m benchmarks`: print the table shown in benchmarks/README.md."""

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks.browser.costs import costs
from benchmarks.browser.figures import Figure, worst
from benchmarks.browser.figures import rows as page_rows
from benchmarks.browser.scenes import DIGITS, measure
from benchmarks.passes import compare_passes
from benchmarks.site import beside
from benchmarks.starting import starting
from benchmarks.timing import table
from benchmarks.training import compare_training

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Run every comparison and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--rounds", type=int, default=10, help="of each comparison")
    options = parser.parse_args()
    weights = options.weights
    digits = weights / f"{DIGITS}.safetensors" if weights.is_dir() else weights
    rows = compare_passes(digits, 5 * options.rounds)
    rows += compare_training(options.rounds)
    processor = platform.processor() or platform.machine()
    threads = torch.get_num_threads()
    print(f"{processor}, {threads} threads, torch {torch.__version__}\n")
    print(table(rows))
    print(page_rows(starting(options.weights, options.rounds)))
    print(page_rows(worst(measure(options.weights, options.rounds))))
    print(page_rows(_unless_missing("costs", lambda: costs(weights))))
    print(page_rows(_unless_missing("site", lambda: beside(weights, options.rounds))))


def _unless_missing(name: str, play: Callable[[], list[Figure]]) -> list[Figure]:
    """Return figures; none where what they need is missing."""
    try:
        return play()
    except (ImportError, FileNotFoundError, ValueError) as error:
        print(f"{name}: left out, {error}", file=sys.stderr)
        return []


if __name__ == "__main__":
    main()
