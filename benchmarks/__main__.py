"""`python -m benchmarks`: print the table shown in benchmarks/README.md."""

import argparse
import platform
import sys
from pathlib import Path

import torch

from benchmarks.browser.figures import Figure, table, worst
from benchmarks.browser.scenes import DIGITS, measure
from benchmarks.passes import passes
from benchmarks.site import beside
from benchmarks.starting import starting

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Measure everything and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--rounds", type=int, default=10, help="of each measurement")
    options = parser.parse_args()
    weights = options.weights
    digits = weights / f"{DIGITS}.safetensors" if weights.is_dir() else weights
    processor = platform.processor() or platform.machine()
    threads = torch.get_num_threads()
    print(f"{processor}, {threads} threads, torch {torch.__version__}\n")
    figures = passes(digits, 20 * options.rounds)
    figures += starting(options.weights, options.rounds)
    figures += worst(measure(options.weights, options.rounds))
    figures += _of_a_site(options.weights, options.rounds)
    print(table(figures))


def _of_a_site(weights: Path, rounds: int) -> list[Figure]:
    """Return the figures of a site; none where what writes it is missing."""
    try:
        return beside(weights, rounds)
    except (ImportError, FileNotFoundError, ValueError) as error:
        print(f"site: left out, {error}", file=sys.stderr)
        return []


if __name__ == "__main__":
    main()
