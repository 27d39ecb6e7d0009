"""What a scene measured, and the limit it should keep."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number of the page.

    Attributes:
        what: what was done, and what the number says.
        view: where it was done; empty where that makes no difference.
        value: the median where there were many.
        unit: such as `ms`; written after the number.
        limit: what is aimed at; None where nothing is.
        at_least: whether the limit is the least, and not the most.
    """

    what: str
    view: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether the number keeps its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def words(self) -> tuple[str, str, str]:
        """What was measured, the number, and its limit, for a table."""
        where = f", {self.view}" if self.view else ""
        missed = "" if self.is_kept else " (missed)"
        limit = "–"
        if self.limit is not None:
            limit = f"{'≥' if self.at_least else '≤'} {self.limit:g}"
        return f"{self.what}{where}", f"{self.value:.3g} {self.unit}{missed}", limit


def worst(figures: Iterable[Figure]) -> list[Figure]:
    """Of figures that differ in their view only, keep the one of the worst view."""
    kept: dict[str, Figure] = {}
    for figure in figures:
        before = kept.get(figure.what)
        sign = 1 if figure.at_least else -1
        if before is None or sign * figure.value < sign * before.value:
            kept[figure.what] = figure
    return list(kept.values())


def median(values: Sequence[float]) -> float:
    """Return the median; NaN of nothing."""
    return statistics.median(values) if values else float("nan")


def share(values: Sequence[float], percent: int) -> float:
    """Return the value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    if not ordered:
        return float("nan")
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def rows(figures: Iterable[Figure]) -> str:
    """Return the figures as further rows of the table of comparisons."""
    words = (figure.words for figure in figures)
    return "\n".join(
        f"| {what} | {value} | – | – | {limit} |" for what, value, limit in words
    )


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| what | measured | limit |", "|---|---|---|"]
    lines += [f"| {' | '.join(figure.words)} |" for figure in figures]
    return "\n".join(lines)
