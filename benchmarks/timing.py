"""Timing two ways of doing the same, in turn, so that both meet the same machine."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Action = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Limit:
    """What the machine cannot beat.

    Attributes:
        run: the fastest known use of the machine.
        share: how much of its work the least way of doing the task needs.
    """

    run: Action
    share: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of the table.

    Attributes:
        what: what was done.
        ours_ms: median of our way, in milliseconds.
        plain_ms: median of the plain way.
        limit_ms: what the machine cannot beat, measured in the same turns, if known.
    """

    what: str
    ours_ms: float
    plain_ms: float
    limit_ms: float | None = None

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
    limit: Limit | None = None,
) -> Comparison:
    """Run both ways `rounds` times, in turn, and return their medians.

    Args:
        what: is done.
        ours: our way.
        plain: the other.
        rounds: how often each is timed; rounded up to whole turns.
        warmup: how often each runs before.
        in_a_row: how often each runs when it has its turn. Once, and each finds in the
            processor's cache what the other has left there; many times, its own.
        limit: takes its turn as well.
    """
    actions = [ours, plain, *([limit.run] if limit else [])]
    for _ in range(warmup):
        for run in actions:
            run()
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(-(-rounds // in_a_row)):
        for run, found in zip(actions, times, strict=True):
            for _ in range(in_a_row):
                start = time.perf_counter()
                run()
                found.append(1000 * (time.perf_counter() - start))
    ours_ms, plain_ms, *rest = map(statistics.median, times)
    return Comparison(what, ours_ms, plain_ms, limit.share * rest[0] if limit else None)


def table(rows: list[Comparison]) -> str:
    """Return the comparisons as a Markdown table."""
    lines = [
        "| what | ours, ms | plain, ms | times faster | limit, ms |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.ours_ms:.2f} | {row.plain_ms:.2f} | {row.ratio:.2f} | "
        f"{'–' if row.limit_ms is None else format(row.limit_ms, '.2f')} |"
        for row in rows
    ]
    return "\n".join(lines)
