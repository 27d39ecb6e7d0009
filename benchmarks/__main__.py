"""`python -m benchmarks`: print the table shown in benchmarks/README.md."""

import argparse
import platform
from pathlib import Path

import torch

from benchmarks.batches import compare_batches
from benchmarks.browser.figures import rows as page_rows
from benchmarks.browser.figures import worst
from benchmarks.browser.scenes import measure
from benchmarks.laboratory import compare_laboratory
from benchmarks.matrix import compare_matrix_passes, compare_matrix_training
from benchmarks.networks import compare_networks, weight_file
from benchmarks.passes import compare_passes
from benchmarks.serving import compare_serving
from benchmarks.starting import starting
from benchmarks.timing import table
from benchmarks.training import compare_training
from benchmarks.watching import compare_beside_a_run

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Run every comparison and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--rounds", type=int, default=10, help="of each comparison")
    options = parser.parse_args()
    rows = compare_passes(weight_file(options.weights), 5 * options.rounds)
    rows += compare_networks(options.weights, 5 * options.rounds)
    rows += compare_matrix_passes(options.weights, 5 * options.rounds)
    rows += compare_serving(options.weights, 5 * options.rounds)
    rows += compare_batches(options.weights, 5 * options.rounds)
    rows += compare_laboratory(options.weights, 5 * options.rounds)
    rows += compare_beside_a_run(options.weights, 5 * options.rounds)
    rows += compare_training(options.rounds)
    rows += compare_matrix_training(options.rounds)
    processor = platform.processor() or platform.machine()
    threads = torch.get_num_threads()
    print(f"{processor}, {threads} threads, torch {torch.__version__}\n")
    print(table(rows))
    print(page_rows(starting(options.weights, options.rounds)))
    print(page_rows(worst(measure(options.weights, options.rounds))))


if __name__ == "__main__":
    main()
