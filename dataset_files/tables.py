"""Images in CSV files: a line for each, its label and its pixels.

As Kaggle's MNIST has them, with or without a header; the label is the first column, the
last one, or the one whose header says so. Files of two parts say so in their names.
Where there is one file with labels, every fifth image of a class is for the test.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.arranging import Part, part_of
from capsnet_explorer.dataset_files.arrays import Labelled, as_images, halved, squared
from capsnet_explorer.dataset_files.emnist import is_emnist, upright
from capsnet_explorer.dataset_files.idx import BrokenFile
from capsnet_explorer.dataset_files.text import encoding_of, wide_encoding

AT_ONCE = 2000  # lines
LOOKED_AT = 200  # lines, to tell which column is the label
ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
LABELS = ("label", "labels", "class", "target", "y", "character", "letter", "digit")
NOT_PIXELS = ("id", "index", "", "unnamed: 0", "usage", "image_id")
MOST_LOOKED_AT = 2 << 30  # bytes, to tell the encoding; a small file may unpack to more
LONGEST_LINE = 1 << 20  # characters


@dataclass(frozen=True, slots=True)
class Layout:
    """How a CSV file is laid out.

    Attributes:
        separator: between the columns.
        has_header: whether the first line names them.
        label: the label's column; None if there is none.
        pixels: the pixels' columns.
    """

    separator: str
    has_header: bool
    label: int | None
    pixels: tuple[int, ...]


def table_files(folder: Path) -> dict[Part | None, Path]:
    """Return the CSV files by part; None is for one that has no parts.

    Only files with labels count: Kaggle's test file has none.

    Raises:
        BrokenFile: a file is damaged, or there are several that might be meant.
    """
    found: dict[Part | None, Path] = {}
    others = []
    for path in [folder] if folder.is_file() else sorted(_files(folder)):
        name = path.name.lower()
        if not name.endswith(ENDINGS):
            continue
        part = _part_named(re.split(r"[^a-z]+", name.partition(".")[0]))
        if layout_of(path).label is None:
            continue
        if part is None:
            others.append(path)
        else:
            found.setdefault(part, path)
    if not found and len(others) > 1:
        raise BrokenFile(
            "of several CSV files, names must say which is for training and which for "
            f"the test, got {others[0].name} and {others[1].name}"
        )
    if not found and others:
        found[None] = others[0]
    return found


def _part_named(words: Iterable[str]) -> Part | None:
    for word in words:
        if (part := part_of(word)) is not None:
            return part
    return None


def _files(folder: Path) -> list[Path]:
    return (
        [each for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []
    )


def has_tables(folder: Path) -> bool:
    """Tell whether there is a CSV file to train on."""
    try:
        found = table_files(folder)
    except (OSError, BrokenFile):
        return False
    return "training" in found or None in found


def read_table(
    folder: Path, part: Part, size: tuple[int, int] | None = None
) -> Labelled | None:
    """Read one part; None if there is none.

    Args:
        folder: contains the files; or the one file itself.
        part: which.
        size: rows and columns of the images; None takes squares.

    Raises:
        FileNotFoundError: there is no file with labels.
        BrokenFile: a file is damaged; the message names the line.
    """
    found = table_files(folder)
    if "training" not in found:
        if None not in found:
            raise FileNotFoundError(f"{folder} must hold a CSV file with labels")
        if part == "validation":
            return None
        return halved(read_csv(found[None], size), part)
    if "test" not in found:
        if part == "validation":
            return None
        if part == "test":
            part = "validation"
        if "validation" not in found:
            own: Part = "test" if part == "validation" else part
            return halved(read_csv(found["training"], size), own)
    path = found.get(part)
    return None if path is None else read_csv(path, size)


def read_csv(path: Path, size: tuple[int, int] | None = None) -> Labelled:
    """Read a file of images and labels.

    Raises:
        BrokenFile: a line is damaged; the message names it.
    """
    layout = layout_of(path)
    if layout.label is None:
        raise BrokenFile(f"{path.name} must have a column of labels")
    labels: list[str] = []
    pixels: list[NDArray[Any]] = []
    with _opened(path) as file:
        if layout.has_header:
            file.readline()
        number = 1 + layout.has_header
        while lines := [line for line in islice(file, AT_ONCE) if line.strip()]:
            some = _labels_of(lines, layout, path, number)
            pixels.append(_pixels_of(lines, layout, path, number))
            labels += some
            number += len(lines)
    if not labels:
        raise BrokenFile(f"{path.name} must have a line for each image, got none")
    try:
        images = as_images(squared(np.concatenate(pixels), size))
    except BrokenFile as error:
        raise BrokenFile(f"{path.name}: {error}") from None
    return Labelled(upright(images) if is_emnist(path.name) else images, _typed(labels))


def _pixels_of(
    lines: list[str], layout: Layout, path: Path, first: int
) -> NDArray[Any]:
    try:
        found = np.loadtxt(
            lines,
            np.float32,
            delimiter=layout.separator,
            usecols=layout.pixels,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        place = re.search(r"row (\d+)", str(error))
        # NumPy counts rows from 1 where there are too few columns, and else from 0.
        before = "column index" in str(error)
        line = f", line {first + int(place[1]) - before}" if place else ""
        raise BrokenFile(
            f"{path.name}{line} must have {len(layout.pixels)} numbers beside its label"
        ) from None
    if not (np.isfinite(found).all() and (found >= 0).all()):
        raise BrokenFile(
            f"{path.name}, lines {first} to {first + len(lines) - 1}, must have "
            "numbers from 0 on"
        )
    is_whole = (found == np.rint(found)).all() and found.max(initial=0) <= 255
    is_small = found.max(initial=0) <= 1
    return found.astype(np.uint8) if is_whole and not is_small else found


def _labels_of(lines: list[str], layout: Layout, path: Path, first: int) -> list[str]:
    assert layout.label is not None
    found = []
    for place, line in enumerate(lines):
        cells = line.rstrip("\r\n").split(layout.separator, layout.label + 1)
        label = (
            cells[layout.label].strip().strip('"') if len(cells) > layout.label else ""
        )
        if not label:
            raise BrokenFile(f"{path.name}, line {first + place}, must have a label")
        found.append(label)
    return found


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
    with _opened(path) as file:
        lines = [line for line in _short_lines(file, path) if line.strip()]
    if not lines:
        raise BrokenFile(f"{path.name} must have a line for each image, got none")
    separator = max(",;\t", key=lines[0].count)
    rows = list(csv.reader(lines, delimiter=separator))
    first = rows[0]
    numbers = sum(_is_number(cell) for cell in first)
    has_header = numbers < len(first) / 2
    columns = range(len(first))
    if has_header:
        names = [cell.strip().lower() for cell in first]
        label = next((place for place in columns if names[place] in LABELS), None)
        pixels = tuple(
            place
            for place in columns
            if place != label and names[place] not in NOT_PIXELS
        )
        return Layout(separator, True, label, pixels)
    if not _is_square(len(first) - 1) and _is_square(len(first)):
        return Layout(separator, False, None, tuple(columns))
    label = 0
    if len(first) > 1 and _only(rows, 0) and not _only(rows, -1):
        label = len(first) - 1
    pixels = tuple(place for place in columns if place != label)
    return Layout(separator, False, label, pixels)


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


def _opened(path: Path) -> TextIO:
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
    left = MOST_LOOKED_AT
    while left > 0 and (line := file.readline(LONGEST_LINE)):
        yield line
        left -= len(line) if len(line) < LONGEST_LINE else left


def _bytes_of(path: Path) -> BinaryIO:
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    return cast(BinaryIO, opener(path, "rb"))
