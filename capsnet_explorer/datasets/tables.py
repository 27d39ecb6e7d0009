"""Images in CSV files: a line for each, its label and its pixels.

As Kaggle's MNIST has them, with or without a header; the label is the first column, the
last one, or the one whose header says so. Files of two parts say so in their names.
Where there is one file with labels, every fifth image of a class is for the test.
"""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.arrays import with_test
from capsnet_explorer.datasets.data_files import files_in
from capsnet_explorer.datasets.emnist import is_emnist, upright
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.naming import Part, first_part, is_picture
from capsnet_explorer.datasets.pixels import (
    RANGES,
    Labelled,
    Range,
    as_images,
    beyond_words,
    range_of,
    squared,
)
from capsnet_explorer.datasets.text import encoding_of, wide_encoding

AT_ONCE = 2000  # lines
LOOKED_AT = 200  # lines, to tell which column is the label
ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
LABELS = ("label", "labels", "class", "target", "y", "character", "letter", "digit")
NOT_PIXELS = ("id", "index", "", "unnamed: 0", "usage", "image_id")
MOST_LOOKED_AT = 2 << 30  # bytes, to tell the encoding; a small file may unpack to more
LONGEST_LINE = 1 << 20  # characters
LOWEST = min(black for black, _ in RANGES)
HIGHEST = max(white for _, white in RANGES)
LEAST_COUNTED = 16  # columns of a header of numbers


@dataclass(frozen=True, slots=True)
class Layout:
    """How a CSV file is laid out.

    Attributes:
        separator: between the columns.
        width: number of columns.
        has_header: whether the first line names them.
        label: the label's column; None if there is none.
        pixels: the pixels' columns.
        is_image_lost: whether the header was an image, as pandas takes a first line.
    """

    separator: str
    width: int
    has_header: bool
    label: int | None
    pixels: tuple[int, ...]
    is_image_lost: bool = False


def table_files(folder: Path) -> dict[Part | None, Path]:
    """Return the CSV files by part; None is for one that has no parts.

    Only files with labels count: Kaggle's test file has none.

    Raises:
        BrokenFile: a file is damaged, or there are several that might be meant.
    """
    tables: dict[Part | None, Path] = {}
    others = []
    for path, role in files_in(folder):
        name = path.name.lower()
        if not name.endswith(ENDINGS) or layout_of(path).label is None:
            continue
        part = first_part(re.split(r"[^a-z]+", name.partition(".")[0])) or role
        if part is None:
            others.append(path)
        else:
            tables.setdefault(part, path)
    if not tables and len(others) > 1:
        raise BrokenFile(
            "of several CSV files, names must say which is for training and which for "
            f"the test, got {others[0].name} and {others[1].name}"
        )
    if not tables and others:
        tables[None] = others[0]
    return tables


def has_tables(folder: Path) -> bool:
    """Tell whether there is a CSV file to train on."""
    try:
        tables = table_files(folder)
    except (OSError, BrokenFile):
        return False
    return "training" in tables or None in tables


def read_table(
    folder: Path, size: tuple[int, int] | None = None
) -> dict[Part, Labelled]:
    """Read all parts; one for validation only where there is one.

    Args:
        folder: contains the files; or the one file itself.
        size: rows and columns of the images; None takes squares.

    Raises:
        FileNotFoundError: there is no file with labels.
        BrokenFile: a file is damaged; the message names the line.
    """
    tables = table_files(folder)
    whole: Part | None = "training" if "training" in tables else None
    if whole not in tables:
        raise FileNotFoundError(f"{folder} must hold a CSV file with labels")
    training = read_csv(tables[whole], size)
    others: dict[Part, Labelled] = {
        part: read_csv(tables[part], size, training.range)
        for part in ("validation", "test")
        if whole is not None and part in tables
    }
    return with_test(training, others)


def read_csv(
    path: Path, size: tuple[int, int] | None = None, span: Range | None = None
) -> Labelled:
    """Read a file of images and labels.

    Args:
        path: the file.
        size: rows and columns of the images; None takes squares.
        span: what stands for black and for white; None lets the numbers tell.

    Raises:
        BrokenFile: a line is damaged; the message names it.
    """
    layout = layout_of(path)
    if layout.label is None:
        raise BrokenFile(f"{path.name} must have a column of labels")
    labels: list[str] = []
    pixels: list[NDArray[Any]] = []
    with damage_told(path), _open(path) as file:
        if layout.has_header:
            file.readline()
        number = 1 + layout.has_header
        while lines := [line for line in islice(file, AT_ONCE) if line.strip()]:
            labels += _labels_of(lines, layout, path, number)
            pixels.append(_pixels_of(lines, layout, path, number))
            number += len(lines)
    if not labels:
        raise BrokenFile(f"{path.name} must have a line for each image, got none")
    try:
        numbers = squared(np.concatenate(pixels), size)
        span = span or range_of(numbers)
        images = as_images(numbers, span)
    except BrokenFile as error:
        raise BrokenFile(f"{path.name}: {error}") from None
    upturned = upright(images) if is_emnist(path.name) else images
    beyond = beyond_words(numbers, span, path.name)
    remarks = _remarks(layout, path.name)
    return Labelled(upturned, _typed(labels), span, remarks, beyond)


def _remarks(layout: Layout, name: str) -> tuple[str, ...]:
    lines = []
    if layout.is_image_lost:
        lines.append(
            f"The first line of {name} names its columns by the numbers of an image, "
            "as pandas writes it if it is told of no header: that image is lost."
        )
    if [*layout.pixels] != sorted(layout.pixels):
        lines.append(
            f"Pixels of {name} are in the order of the numbers that its first line "
            "gives their columns."
        )
    return tuple(lines)


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Raise BrokenFile, which says what is damaged, where a table cannot be read."""
    try:
        yield
    except EOFError:
        raise BrokenFile(f"{path.name} is cut off: its end is missing") from None
    except (gzip.BadGzipFile, zlib.error):
        raise BrokenFile(f"{path.name} is damaged: it cannot be unpacked") from None
    except csv.Error as error:
        raise BrokenFile(
            f"{path.name} has a cell that is too long for a table of numbers: a quote "
            f"may not be closed ({error})"
        ) from None


def _pixels_of(
    lines: list[str], layout: Layout, path: Path, first: int
) -> NDArray[Any]:
    try:
        numbers = np.loadtxt(
            lines,
            np.float32,
            delimiter=layout.separator,
            usecols=layout.pixels,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        column = re.search(r"row (\d+)", str(error))
        # NumPy counts rows from 1 where there are too few columns, and else from 0.
        before = "column index" in str(error)
        number = int(column[1]) - before if column else None
        line = "" if number is None else f", line {first + number}"
        why = "" if number is None else _why_no_numbers(lines[number], layout)
        raise BrokenFile(
            f"{path.name}{line} must have {len(layout.pixels)} numbers beside its label"
            f"{why}"
        ) from None
    is_known = (numbers >= LOWEST) & (numbers <= HIGHEST)  # of nan, neither is so
    if not is_known.all():
        row, column = np.argwhere(~is_known)[0]
        raise BrokenFile(
            f"{path.name}, line {first + row}, must have numbers from 0 on, or from "
            f"{LOWEST} to 1, and {HIGHEST} at most; got {numbers[row, column]:g}"
        )
    is_byte = (numbers == np.rint(numbers)).all() and numbers.min(initial=0) >= 0
    return (
        numbers.astype(np.uint8)
        if is_byte and numbers.max(initial=0) <= 255
        else numbers
    )


def _why_no_numbers(line: str, layout: Layout) -> str:
    """Say what is in a line in place of numbers."""
    (cells,) = csv.reader([line], delimiter=layout.separator)
    missing = len(layout.pixels) + 1 - len(cells)
    if missing > 0:
        return f", got {len(cells) - 1}"
    for column in layout.pixels:
        cell = cells[column].strip() if column < len(cells) else ""
        if not cell:
            return f": column {column + 1} is empty"
        if re.fullmatch(r"-?\d+,\d+", cell):
            return f": write {cell} with a point, {cell.replace(',', '.')}"
        if not _is_number(cell):
            return f": column {column + 1} has {cell[:20]!r}"
    return ""


def _labels_of(lines: list[str], layout: Layout, path: Path, first: int) -> list[str]:
    if layout.label is None:
        raise BrokenFile(f"{path.name} must have a column of labels")
    labels = []
    for rank, cells in enumerate(csv.reader(lines, delimiter=layout.separator)):
        label = cells[layout.label].strip() if len(cells) > layout.label else ""
        if not label:
            raise BrokenFile(f"{path.name}, line {first + rank}, must have a label")
        if any(cell.strip() for cell in cells[layout.width :]):
            raise BrokenFile(
                f"{path.name}, line {first + rank}, must have {layout.width} columns "
                f"as the first line has, got {len(cells)}"
            )
        labels.append(label)
    return labels


def _typed(labels: list[str]) -> NDArray[Any]:
    """Return labels as numbers if all are, else as words."""
    try:
        numbers = np.array([float(label) for label in labels])
    except ValueError:
        return np.array(labels)
    whole = np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all()
    return numbers.astype(np.int64) if whole else np.array(labels)


def layout_of(path: Path) -> Layout:
    """Tell how a file is laid out, from its first lines.

    Raises:
        BrokenFile: it is no table of numbers.
    """
    with damage_told(path):
        with _open(path) as file:
            lines = [line for line in _short_lines(file, path) if line.strip()]
        if not lines:
            raise BrokenFile(f"{path.name} must have a line for each image, got none")
        separator = max(",;\t", key=lines[0].count)
        rows = list(csv.reader(lines, delimiter=separator))
    first = rows[0]
    numbers = sum(_is_number(cell) for cell in first)
    is_lost = _is_mangled(first)
    has_header = numbers < len(first) / 2 or _counts_columns(first) or is_lost
    if has_header:
        label, pixels = _named_columns(
            rows, is_counted=is_lost or numbers >= len(first) / 2
        )
        return Layout(separator, len(first), True, label, pixels, is_lost)
    columns = tuple(range(len(first)))
    if not _is_square(len(first) - 1) and _is_square(len(first)):
        return Layout(separator, len(first), False, None, columns)
    label = _label_among(rows)
    pixels = tuple(column for column in columns if column != label)
    return Layout(separator, len(first), False, label, pixels)


def _named_columns(
    rows: list[list[str]], *, is_counted: bool
) -> tuple[int | None, tuple[int, ...]]:
    """Return the columns of labels and of pixels that a header names.

    Args:
        rows: the first ones.
        is_counted: whether the header is numbers, which name nothing.
    """
    names = [cell.strip().lower() for cell in rows[0]]
    columns = range(len(names))
    label = next((column for column in columns if names[column] in LABELS), None)
    not_pixels = ("",) if is_counted and label is None else NOT_PIXELS
    if label is None and is_counted:
        first = names[0] in not_pixels  # of these columns: pandas' index has no name
        label = first + _label_among([row[first:] for row in rows[1:]])
    pixels = tuple(
        column
        for column in columns
        if column != label and names[column] not in not_pixels
    )
    if not is_counted:
        pixels = _by_number(pixels, names)
    names_pictures = any(is_picture(cell) for row in rows[1:5] for cell in row)
    if names_pictures or not _hold_numbers(rows[1:], pixels):
        label = None  # what it lists is no image's pixels
    return label, pixels


def _by_number(columns: tuple[int, ...], names: list[str]) -> tuple[int, ...]:
    """Return columns in the order of the numbers in their names, if all have some."""
    numbers = {x: tuple(map(int, re.findall(r"\d+", names[x]))) for x in columns}
    is_numbered = all(numbers.values()) and len({*numbers.values()}) == len(columns)
    return tuple(sorted(columns, key=numbers.__getitem__)) if is_numbered else columns


def _is_mangled(cells: list[str]) -> bool:
    """Tell whether a line is an image's numbers that pandas took for a header.

    It tells equal names apart by a number: 0, 0.1, 0.2 …
    """
    counts: dict[str, int] = {}
    mangled = 0
    for cell in (cell.strip() for cell in cells):
        base, point, number = cell.rpartition(".")
        if point and base in counts and number == str(counts[base] + 1):
            counts[base] += 1
            mangled += 1
        counts.setdefault(cell, 0)
    return mangled >= LEAST_COUNTED


def _label_among(rows: list[list[str]]) -> int:
    """Return the column of labels that no header names: the first or the last."""
    is_last = len(rows[0]) > 1 and _only(rows, 0) and not _only(rows, -1)
    return len(rows[0]) - 1 if is_last else 0


def _counts_columns(cells: list[str]) -> bool:
    """Tell whether a line counts columns, as programs do that were told no names."""
    whole = [int(cell) for cell in cells if re.fullmatch(r" *\d+ *", cell)]
    counted = [*range(whole[0], whole[0] + len(whole))] if whole else []
    return len(whole) >= max(LEAST_COUNTED, len(cells) - 1) and whole == counted


def _hold_numbers(rows: list[list[str]], columns: tuple[int, ...]) -> bool:
    """Tell whether most cells of some columns are numbers, as pixels are."""
    cells = [row[column] for row in rows[:5] for column in columns if column < len(row)]
    return sum(map(_is_number, cells)) > len(cells) / 2


def _only(rows: list[list[str]], column: int) -> bool:
    """Tell whether a column has one value alone, as the corner of a picture."""
    return len(rows) > 1 and len({row[column] for row in rows if row}) == 1


def _is_square(pixels: int) -> bool:
    try:
        squared(np.empty((0, pixels)))
    except BrokenFile:
        return False
    return True


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _short_lines(file: TextIO, path: Path) -> Iterator[str]:
    for _ in range(LOOKED_AT):
        line = file.readline(LONGEST_LINE)
        if len(line) == LONGEST_LINE:
            raise BrokenFile(f"{path.name} must have a line for each image")
        if not line:
            return
        yield line


def _open(path: Path) -> TextIO:
    """Open a text in whatever encoding it is."""
    status = path.stat()
    encoding = _encoding_of(path, status.st_size, status.st_mtime_ns)
    raw = _bytes_of(path)
    return io.TextIOWrapper(raw, encoding, errors="replace", newline=None)  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=16)
def _encoding_of(path: Path, _size: int, _changed: int) -> str:
    with _bytes_of(path) as file:
        wide = wide_encoding(file.read(4))
        file.seek(0)
        return wide or encoding_of(_own_lines(file))


def _own_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a table; no more than one that is too long to be one's."""
    remaining = MOST_LOOKED_AT
    while remaining > 0 and (line := file.readline(LONGEST_LINE)):
        yield line
        remaining -= len(line) if len(line) < LONGEST_LINE else remaining


def _bytes_of(path: Path) -> BinaryIO:
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    return cast(BinaryIO, opener(path, "rb"))
