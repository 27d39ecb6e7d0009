"""Tables and sizes as commands print them."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table in columns, a rule under the first."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *others = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return [head, "  ".join("-" * width for width in widths), *others]


def size_words(shape: Sequence[int]) -> str:
    """Return a shape such as 10×16; 1 for that of a number."""
    return "×".join(map(str, shape)) or "1"
