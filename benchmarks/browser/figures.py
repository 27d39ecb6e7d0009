"""The measurements of scenes, and their limits."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number of the page.

    Attributes:
        what: the action and the meaning of the number.
        view: the view in which it was measured; empty if irrelevant.
        value: the median of several measurements.
        unit: such as `ms`; written after the number.
        limit: the target; None without one.
        at_least: whether the limit is a minimum rather than a maximum.

    Raises:
        ValueError: the page did nothing that could be measured.
    """

    what: str
    view: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False

    def __post_init__(self) -> None:
        if math.isnan(self.value) or (self.at_least and self.value == 0):
            raise ValueError(
                f"{self.words[0]}: nothing was seen that could be measured"
            )

    @property
    def is_kept(self) -> bool:
        """Whether the number is within its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def words(self) -> tuple[str, str, str]:
        """The cells of a table: measurement, number and limit."""
        where = f", {self.view}" if self.view else ""
        missed = "" if self.is_kept else " (missed)"
        limit = "–"
        if self.limit is not None:
            limit = f"{'≥' if self.at_least else '≤'} {self.limit:g}"
        return f"{self.what}{where}", f"{self.value:.3g} {self.unit}{missed}", limit


def worst(figures: Iterable[Figure]) -> list[Figure]:
    """Keep only the worst view among figures that differ in nothing else."""
    kept: dict[str, Figure] = {}
    for figure in figures:
        before = kept.get(figure.what)
        sign = 1 if figure.at_least else -1
        if before is None or sign * figure.value < sign * before.value:
            kept[figure.what] = figure
    return list(kept.values())


def medians(figures: Iterable[Figure]) -> list[Figure]:
    """Return one figure for each thing that was measured several times."""
    same: dict[str, list[Figure]] = {}
    for figure in figures:
        same.setdefault(figure.words[0], []).append(figure)
    return [
        replace(first, value=median([first.value, *(other.value for other in others)]))
        for first, *others in same.values()
    ]


def beside(pairs: Iterable[tuple[Figure, Figure]]) -> str:
    """Return figures of two versions as a table; above 1 the first is better."""
    lines = ["| what | this | the other | times better | limit |"]
    lines.append("|---|---|---|---|---|")
    for ours, other in pairs:
        what, value, limit = ours.words
        high, low = ours.value, other.value
        if not ours.at_least:
            high, low = low, high
        ratio = f"{high / low:.2f}" if low else "–"
        lines.append(f"| {what} | {value} | {other.value:.3g} | {ratio} | {limit} |")
    return "\n".join(lines)


def median(values: Sequence[float]) -> float:
    """Return the median; NaN without values."""
    return statistics.median(values) if values else float("nan")


def rows(figures: Iterable[Figure]) -> str:
    """Return the figures as additional rows for the table of comparisons."""
    words = (figure.words for figure in figures)
    return "\n".join(
        f"| {what} | {value} | – | – | {limit} |" for what, value, limit in words
    )


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| what | measured | limit |", "|---|---|---|"]
    lines += [f"| {' | '.join(figure.words)} |" for figure in figures]
    return "\n".join(lines)
