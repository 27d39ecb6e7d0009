"""Tables, sizes and times as commands print them."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table in columns, a rule under the first.

    Args:
        rows: the first has the names of the columns.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *others = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return [head, "  ".join("-" * width for width in widths), *others]


def size_words(shape: Sequence[int]) -> str:
    """Return a shape such as 10×16; 1 for that of a number."""
    return "×".join(map(str, shape)) or "1"


def time_words(seconds: float) -> str:
    """Return a duration in its largest unit: seconds, minutes or hours."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3600:.1f} hours"
