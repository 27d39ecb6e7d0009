"""Timing of two implementations, alternately, so that load affects both alike."""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from capsnet_explorer.model.device import leave_a_core

Action = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of the table.

    Attributes:
        what: the task.
        ours_ms: median of our implementation, in milliseconds.
        plain_ms: median of the plain one.
    """

    what: str
    ours_ms: float
    plain_ms: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.plain_ms / self.ours_ms


def compare(
    what: str,
    ours: Action,
    plain: Action,
    *,
    rounds: int,
    warmup: int = 2,
    in_a_row: int = 1,
) -> Comparison:
    """Run both implementations `rounds` times, alternately, and return their medians.

    Args:
        what: the task.
        ours: our implementation.
        plain: the plain one.
        rounds: number of timed runs of each; rounded up to whole turns.
        warmup: number of untimed runs of each before.
        in_a_row: runs in each turn. With one, each finds the other's data in the
            processor's cache; with many, its own.
    """
    actions = [ours, plain]
    for _ in range(warmup):
        for run in actions:
            run()
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(-(-rounds // in_a_row)):
        for run, readings in zip(actions, times, strict=True):
            for _ in range(in_a_row):
                start = time.perf_counter()
                run()
                readings.append(1000 * (time.perf_counter() - start))
    return Comparison(what, *map(statistics.median, times))


def table(rows: list[Comparison]) -> str:
    """Return the comparisons as a Markdown table."""
    lines = [
        "| what | ours, ms | plain, ms | times faster | limit, ms |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.ours_ms:.2f} | {row.plain_ms:.2f} | {row.ratio:.2f} | – |"
        for row in rows
    ]
    return "\n".join(lines)


@contextmanager
def server_threads() -> Iterator[int]:
    """Use the server's number of threads within the block; yields that number."""
    threads = torch.get_num_threads()
    leave_a_core()
    try:
        yield torch.get_num_threads()
    finally:
        torch.set_num_threads(threads)
