"""The rows of a table: of CSV, TSV or text, of JSON, or of a record of JSON a line."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from capsnet_explorer.datasets.unused import ending_of

LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, its rows of one width, and the numbers of other lines."""

    name: str
    rows: list[list[str]]
    others: list[int]


def table_of(name: str, text: str) -> Table | None:
    """Return the rows of a table that are as wide as its first.

    Args:
        name: of its file, whose ending says how it is written.
        text: its content.

    Returns:
        The table; None where the text is none of two columns or more.
    """
    is_json = ending_of(name) in (".json", *LINES)
    numbered = _json_rows(name, text) if is_json else _cells(text)
    width = len(numbered[0][1]) if numbered else 0
    if width < 2:
        return None
    rows = [row for _, row in numbered if len(row) == width]
    return Table(name, rows, [line for line, row in numbered if len(row) != width])


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each line, with its number from 1."""
    lines = {
        number: line
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    }
    first = next(iter(lines.values()), "")
    separator = max(",;\t", key=first.count)
    if separator not in first:
        return [(number, line.split()) for number, line in lines.items()]
    try:
        rows = list(csv.reader(lines.values(), delimiter=separator))
    except csv.Error:
        return []
    if len(rows) < len(lines):  # a quoted cell has several lines
        return list(enumerate(rows, start=1))
    return list(zip(lines, rows, strict=True))


def _json_rows(name: str, text: str) -> list[tuple[int, list[str]]]:
    try:
        if ending_of(name) in LINES:
            content = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return list(enumerate(_rows_of(content), start=1))


def _rows_of(content: Any) -> list[list[str]]:
    """Return pairs of files and labels, or records of them, as rows."""
    if isinstance(content, dict):
        nested = [x for x in content.values() if isinstance(x, dict | list)]
        if len(nested) == 1 and (isinstance(nested[0], dict) or len(content) == 1):
            return _rows_of(nested[0])
        return _texts(
            (key, item)
            for key, value in content.items()
            for item in (value if isinstance(value, list) else [value])
        )
    if not isinstance(content, list):
        return []
    records = [record for record in content if record and isinstance(record, dict)]
    if not records:
        return _texts(pair for pair in content if isinstance(pair, list))
    names = [
        name
        for name in records[0]
        if not any(isinstance(record.get(name), dict) for record in records)
    ]
    return [names, *_texts([record.get(name) for name in names] for record in records)]


def _texts(rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    """Return the texts of cells; rows with objects in them are none."""
    flat = (row for row in rows if not any(isinstance(cell, dict) for cell in row))
    return [[_text(cell) for cell in row] for row in flat]


def _text(cell: Any) -> str:
    if isinstance(cell, list):
        return " | ".join(map(str, cell))
    return "" if cell is None else str(cell)
