"""`python -m benchmarks`: print the table that benchmarks/README.md keeps."""

import argparse
import platform
from pathlib import Path

import torch

from benchmarks.serving import compare_serving
from benchmarks.timing import table
from benchmarks.training import compare_training
from model.training import RunFolder

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Run every comparison and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--rounds", type=int, default=10, help="of each comparison")
    options = parser.parse_args()
    rows = compare_serving(options.weights, 5 * options.rounds)
    rows += compare_training(RunFolder(ROOT / "runs" / "benchmark"), options.rounds)
    processor = platform.processor() or platform.machine()
    threads = torch.get_num_threads()
    print(f"{processor}, {threads} threads, torch {torch.__version__}\n")
    print(table(rows))


if __name__ == "__main__":
    main()
