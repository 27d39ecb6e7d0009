"""Timing two ways of doing the same, in turn, so that both meet the same machine."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of the table.

    Attributes:
        what: what was done.
        ours_ms: median of our way, in milliseconds.
        plain_ms: median of the plain way.
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
    ours: Callable[[], object],
    plain: Callable[[], object],
    *,
    rounds: int,
    warmup: int = 2,
) -> Comparison:
    """Run both ways `rounds` times, in turn, and return their medians."""
    for _ in range(warmup):
        ours()
        plain()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for run, found in zip((ours, plain), times, strict=True):
            start = time.perf_counter()
            run()
            found.append(1000 * (time.perf_counter() - start))
    return Comparison(what, statistics.median(times[0]), statistics.median(times[1]))


def table(rows: list[Comparison]) -> str:
    """Return the comparisons as a Markdown table."""
    lines = ["| what | ours, ms | plain, ms | times faster |", "|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.ours_ms:.2f} | {row.plain_ms:.2f} | {row.ratio:.2f} |"
        for row in rows
    ]
    return "\n".join(lines)
