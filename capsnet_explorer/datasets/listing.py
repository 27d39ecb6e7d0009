"""Tables that say of which class each picture is: a file and its label, a line each.

They lie beside the pictures, whatever folders these are in, as CSV, TSV, text, JSON or
JSON lines. The names of files may lack their folders and their endings, or have folders
before them that are not there. In place of a label there can be a column for each
class, with a single 1 in each line. A further column can say the part.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from pathlib import PurePosixPath
from typing import Any

from capsnet_explorer.datasets.arranging import Arranged, Named, arranged
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.left import Left, ending_of, leave, merged
from capsnet_explorer.datasets.naming import (
    Part,
    class_name,
    first_part,
    in_order,
    is_left_by_a_system,
    is_picture,
    part_of,
    part_within,
    steps_of,
    words_of,
)
from capsnet_explorer.datasets.tables import LABELS
from capsnet_explorer.datasets.text import counted

LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv", ".txt", ".json", *LINES)
GUESSES = "submission"  # in the name of a table that shows how to hand in guesses
MOST_BYTES = 64 << 20  # of a table
ENOUGH = 0.9  # of the pictures are listed where a table counts for more than folders
FILES = ("file", "filename", "image", "imageid", "id", "name", "path", "imagepath")
NAMED = (
    *(*LABELS, "classname", "labelname", "category", "classid", "labelid"),
    *("categoryid", "tag", "tags", "breed", "species"),
)
PARTED = ("split", "part", "set", "subset", "partition", "phase", "usage")
BOXES = ("xmin", "bbox", "bboxx", "x1", "boxes")
BETWEEN_TAGS = ("|", ";", ", ", ",", " ")

Places = Mapping[str, str]
"""Each picture by a name that a table may give it; empty where several have it."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table: its name, its rows of one width, and the numbers of other lines."""

    name: str
    rows: list[list[str]]
    others: list[int]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns of a table say what.

    Attributes:
        file: of the pictures' names.
        before: folders before these names that are not there.
        label: of the classes; None where each class has a column.
        classes: the columns of the classes where each has one.
        part: of the parts, if there is one.
        has_header: whether the first row names the columns.
        is_named: whether it names files and labels as usual.
    """

    file: int
    before: str
    label: int | None
    classes: Sequence[int]
    part: int | None
    has_header: bool
    is_named: bool


@dataclass(slots=True)
class _Listed:
    """The pictures that tables list.

    Attributes:
        labels: the class of each picture.
        parts: the part of each picture, if any is said.
        tables: the names of the tables that list any.
        is_named: whether the headers of all of them name files and labels.
        left: pictures that are listed without a label.
        lines: sentences on what was strange.
    """

    labels: dict[str, str] = field(default_factory=dict)
    parts: dict[str, Part | None] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    is_named: bool = True
    left: Left = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        """The names of the classes."""
        return set(self.labels.values())

    def arranged(self) -> dict[Part | None, Named]:
        """Return the pictures of each class, by part."""
        named: dict[Part | None, Named] = {}
        for picture in sorted(self.labels):
            classes = named.setdefault(self.parts[picture], {})
            classes.setdefault(self.labels[picture], []).append(picture)
        return {
            part: {name: classes[name] for name in in_order(classes)}
            for part, classes in named.items()
        }


def is_list(name: str) -> bool:
    """Tell whether a file may be such a table, by its name."""
    steps = steps_of(name)
    return (
        bool(steps)
        and not is_left_by_a_system(steps)
        and steps[-1].lower().endswith(TABLES)
        and GUESSES not in words_of(steps[-1])
    )


def arranged_with(
    names: Iterable[str],
    tables: Mapping[str, str],
    closed: Collection[str] = (),
    folders: Folders | None = None,
) -> Arranged:
    """Arrange files by what tables say of them, or else by their names.

    A table counts where its header names files and labels and it lists nearly all
    pictures, or where folders tell no two classes. Where they do, it may still say of
    which class pictures are that lie in no class's folder.

    Args:
        names: paths within the folder or archive.
        tables: the text of each table, by its path.
        closed: names of folders that are not looked through, as other data sets'.
        folders: what the outermost folders are; None lets their names tell.

    Raises:
        BrokenFile: folders tell no two classes, and it is not clear which column of a
            table has the labels, or it gives a picture several.
    """
    every = list(names)
    usual = arranged(every, closed, folders)
    if folders == "classes" or not tables:
        return usual
    pictures = [name for name in every if _is_visible_picture(name)]
    known = [*usual.parts.get("training", usual.whole)]
    is_told_by_folders = not usual.unclear and len(known) > 1
    listed = _listed(pictures, tables, known)
    if len(listed.classes) < 2 and not is_told_by_folders:
        return usual
    is_whole = listed.is_named and len(listed.labels) >= ENOUGH * len(pictures)
    if folders is None and (not is_told_by_folders or (listed.tables and is_whole)):
        return _by_tables(usual, listed, pictures)
    return _with_test_tables(usual, listed)


def _is_visible_picture(name: str) -> bool:
    steps = steps_of(name)
    return bool(steps) and not is_left_by_a_system(steps) and is_picture(steps[-1])


def _by_tables(usual: Arranged, listed: _Listed, pictures: Collection[str]) -> Arranged:
    """Arrange pictures by tables alone."""
    left = _without(
        {what: some for what, some in usual.left.items() if "pictures " not in what},
        listed.tables,
    )
    left = merged(left, listed.left)
    told = {*listed.labels, *(name for some in listed.left.values() for name in some)}
    leave(left, "pictures that no table lists", *(x for x in pictures if x not in told))
    verb = "list" if len(listed.tables) > 1 else "lists"
    lines = [f"Classes are those that {', '.join(sorted(listed.tables))} {verb}."]
    lines += listed.lines
    parts = listed.arranged()
    if set(parts) == {None}:
        return Arranged({}, parts[None], left, lines)
    named: dict[Part, Named] = {}
    for part, classes in parts.items():
        for name, files in classes.items():
            named.setdefault(part or "training", {}).setdefault(name, []).extend(files)
    return Arranged(named, {}, left, lines)


def _without(left: Mapping[str, list[str]], names: Collection[str]) -> Left:
    """Return what is left out, but for files that are used."""
    kept = {what: [x for x in some if x not in names] for what, some in left.items()}
    return {what: some for what, some in kept.items() if some}


def _with_test_tables(usual: Arranged, listed: _Listed) -> Arranged:
    """Add pictures for test and validation that tables list and folders do not."""
    training = usual.parts.get("training", usual.whole)
    by_folders = {
        picture
        for classes in (*usual.parts.values(), usual.whole)
        for files in classes.values()
        for picture in files
    }
    classes = {_as_number(name): name for name in training}
    added: dict[Part, Named] = {}
    for picture, label in sorted(listed.labels.items()):
        part, name = listed.parts[picture], classes.get(_as_number(label))
        if picture not in by_folders and name and part in ("test", "validation"):
            added.setdefault(part, {}).setdefault(name, []).append(picture)
    if not added:
        return usual
    parts: dict[Part, Named] = dict(usual.parts) or {"training": dict(usual.whole)}
    for part, named in added.items():
        parts[part] = {
            name: [*parts.get(part, {}).get(name, ()), *named.get(name, ())]
            for name in in_order({*parts.get(part, {}), *named})
        }
    used = {x for named in added.values() for files in named.values() for x in files}
    tables = ", ".join(sorted(listed.tables))
    lines = [
        *usual.lines,
        *(
            f"Classes of pictures for {part} are those that {tables} "
            f"{'list' if len(listed.tables) > 1 else 'lists'}."
            for part in added
        ),
    ]
    left = _without(usual.left, {*used, *listed.tables})
    return changed(usual, parts=parts, whole={}, left=left, lines=lines)


def _as_number(label: str) -> str:
    """Return a label without zeros before it: folders have `00020`, tables 20."""
    return str(int(label)) if label.isascii() and label.isdigit() else label


def _listed(
    pictures: Collection[str], tables: Mapping[str, str], known: Collection[str]
) -> _Listed:
    """Return the pictures that tables list.

    Args:
        pictures: all of them.
        tables: the text of each table, by its path.
        known: classes that folders tell; with two or more, a table that is not clear
            is none.

    Raises:
        BrokenFile: it is not clear which column has the labels, or a picture has
            several.
    """
    everywhere = _places(pictures)
    listed = _Listed()
    for name, text in sorted(tables.items()):
        if (table := _table_of(name, text)) is None:
            continue
        stem = PurePosixPath(name).stem
        part = part_of(stem) or part_within(stem)
        near = part or _part_around(name)
        beside = _places(x for x in pictures if near and _part_around(x) == near)
        try:
            for places in (beside, everywhere):
                columns = _columns_of(table, places, known) if places else None
                if columns is not None:
                    _take(listed, table, columns, places, part)
                    break
        except BrokenFile:
            if len(known) < 2:  # folders do not tell either
                raise
    return listed


def _take(
    listed: _Listed,
    table: _Table,
    columns: _Columns,
    places: Places,
    part: Part | None,
) -> None:
    """Add what a table says of pictures to what others say.

    Raises:
        BrokenFile: it gives a picture several labels.
    """
    body = table.rows[columns.has_header :]
    labels = _labels_of(table, columns, body)
    mine: dict[str, str] = {}
    missing, unlabelled = [], []
    for row, label in zip(body, labels, strict=True):
        picture = _picture(row[columns.file], columns.before, places)
        if not picture:
            missing.append(row[columns.file].strip())
            continue
        if not label:
            unlabelled.append(picture)
            continue
        if mine.setdefault(picture, class_name(label)) != class_name(label):
            raise _several(table, f"{mine[picture]} and {label} for {picture}")
        said = None if columns.part is None else part_of(row[columns.part])
        listed.parts.setdefault(picture, said or part or _part_around(picture))
    bare = [picture for picture in unlabelled if picture not in mine]
    leave(listed.left, "pictures without a label in their table", *bare)
    other = [x for x in mine if listed.labels.get(x, mine[x]) != mine[x]]
    listed.labels = mine | listed.labels
    listed.tables.append(table.name)
    listed.is_named = listed.is_named and columns.is_named
    listed.lines += _strange(table, missing, other)


def _strange(table: _Table, missing: Sequence[str], other: Sequence[str]) -> list[str]:
    """Say what of a table is not used."""
    lines = []
    if missing:
        lines.append(
            f"{table.name} lists {counted(len(missing), 'picture')} that cannot be "
            f"found here, such as {missing[0]}."
        )
    if other:
        lines.append(
            f"{table.name} gives {counted(len(other), 'picture')} another class than "
            f"tables before it, which count; such as {other[0]}."
        )
    if table.others:
        lines.append(
            f"Left out of {table.name}: {counted(len(table.others), 'line')} with "
            "another number of columns than the first, such as line "
            f"{table.others[0]}."
        )
    return lines


def _labels_of(
    table: _Table, columns: _Columns, body: Sequence[Sequence[str]]
) -> list[str]:
    """Return the label of each row.

    Raises:
        BrokenFile: some have several.
    """
    if columns.label is None:
        header = table.rows[0]
        return [
            next(header[x].strip() for x in columns.classes if _number(row[x]) == 1)
            for row in body
        ]
    labels = [row[columns.label].strip() for row in body]
    header = _plain_header(table.rows[0][columns.label]) if columns.has_header else ""
    if several := _with_several_tags(labels, header):
        raise _several(table, several)
    if labels and all(re.fullmatch(r"\d+\.0", label) for label in labels):
        return [label.removesuffix(".0") for label in labels]
    return labels


def _with_several_tags(labels: Sequence[str], header: str) -> str:
    """Return a label that is several, if any: words that stand alone elsewhere."""
    distinct = {label for label in labels if label}
    for sign in BETWEEN_TAGS:
        tags = {
            label: [tag.strip() for tag in label.split(sign)]
            for label in sorted(distinct)
            if sign in label
        }
        counts = Counter(tag for some in tags.values() for tag in {*some})
        is_usual = sign in ("|", ";") or header in ("tags", "labels", "classes")
        for label, some in tags.items():
            is_alone = all(tag in distinct for tag in some)
            is_shared = all(counts[tag] > 1 or tag in distinct for tag in some)
            if is_alone or (is_usual and is_shared):
                return label
    return ""


def _several(table: _Table, label: str) -> BrokenFile:
    return BrokenFile(
        f"{table.name} gives some pictures several labels ({label}), and a network "
        "here names one class of each picture: keep one label for each, or write the "
        "images as four files in MNIST's format, whose labels may be several"
    )


def _part_around(picture: str) -> Part | None:
    """Return the part that one of a picture's folders says, if any."""
    return first_part(steps_of(picture)[:-1])


def _places(pictures: Iterable[str]) -> dict[str, str]:
    """Return each picture by all names that a table may give it, if by it alone.

    A name of two pictures stands for neither: its value is an empty text.
    """
    places: dict[str, str] = {}
    for picture in pictures:
        steps = steps_of(picture)
        names = ["/".join(steps[start:]) for start in range(len(steps))]
        bare = [str(PurePosixPath(name).with_suffix("")) for name in names]
        for plain in {_plain(name) for name in (*names, *bare)}:
            places[plain] = picture if places.get(plain, picture) == picture else ""
    return places


def _plain(file: str) -> str:
    return file.strip().replace("\\", "/").removeprefix("./").lower()


def _plain_header(cell: str) -> str:
    return re.sub(r"[\W_]", "", cell.lower())


def _columns_of(
    table: _Table, places: Places, known: Collection[str]
) -> _Columns | None:
    """Return which columns say what of pictures; None where the table lists none.

    Raises:
        BrokenFile: it lists pictures, and it is not clear which column has the labels.
    """
    rows = table.rows
    names = [_plain_header(cell) for cell in rows[0]]
    columns = range(len(rows[0]))
    around = [_folders_before(rows, column, places) for column in columns]
    counts = [
        len({_picture(row[column], before, places) for row in rows} - {""})
        for column, before in zip(columns, around, strict=True)
    ]
    file = max(columns, key=counts.__getitem__)
    pictures = len({*places.values()} - {""})
    if counts[file] < min(len(rows), pictures) / 2 or not counts[file]:
        return None
    has_header = not _picture(rows[0][file], around[file], places)
    others = [column for column in columns if column != file]
    part = next((x for x in others if _says_parts(names[x], rows[1:], x)), None)
    left = [x for x in others if x != part]
    label = _label_among(rows[has_header:], names if has_header else [], left, known)
    classes: Sequence[int] = ()
    if label is None:
        unnamed = [x for x in left if not has_header or names[x] not in FILES]
        classes = _classes_among(table, rows[has_header:], unnamed, names)
    is_named = has_header and label is not None and names[label] in NAMED
    return _Columns(
        *(file, around[file], label, classes, part, has_header),
        is_named=is_named and names[file] in FILES,
    )


def _label_among(
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    columns: Sequence[int],
    known: Collection[str],
) -> int | None:
    """Return the column of labels, if it is clear which one it is.

    Args:
        rows: of the table, without its header.
        names: that its header gives; none without one.
        columns: that may be it.
        known: classes that folders tell.
    """
    named = [x for x in columns if names and names[x] in NAMED]
    if named:
        return named[0]
    left = [x for x in columns if not names or names[x] not in FILES]
    if len(left) == 1:
        return left[0]
    usual = {_as_number(name) for name in known}
    fitting = [
        x
        for x in left
        if rows and all(_as_number(row[x].strip()) in usual for row in rows)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _classes_among(
    table: _Table,
    rows: Sequence[Sequence[str]],
    columns: Sequence[int],
    names: Sequence[str],
) -> Sequence[int]:
    """Return the columns of classes, of which each row has one.

    Raises:
        BrokenFile: there are none.
    """
    if any(name in BOXES for name in names):
        raise BrokenFile(
            f"{table.name} lists boxes in pictures, and a network here names one class "
            "of each picture: cut the boxes out, into a folder for each class"
        )
    numbers = [[_number(row[x]) for x in columns] for row in rows]
    is_flags = len(columns) > 1 and all({*row} <= {0.0, 1.0} for row in numbers)
    if is_flags and all(sum(row) == 1 for row in numbers):
        return columns
    if is_flags:
        many = next(row for row in numbers if sum(row) != 1)
        raise _several(table, f"{sum(many):g} columns have a 1")
    raise BrokenFile(
        f"{table.name} lists pictures: call the column of their labels label, got "
        f"{', '.join(cell.strip() for cell in table.rows[0])}"
    )


def _table_of(name: str, text: str) -> _Table | None:
    """Return the rows of a table that are as wide as its first; None without any."""
    is_json = ending_of(name) in (".json", *LINES)
    numbered = _json_rows(name, text) if is_json else _cells(text)
    wide = len(numbered[0][1]) if numbered else 0
    if wide < 2:
        return None
    rows = [row for _, row in numbered if len(row) == wide]
    others = [line for line, row in numbered if len(row) != wide]
    return _Table(name, rows, others)


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each line, with its number from 1."""
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if not lines:
        return []
    first = lines[0][1]
    separator = max(",;\t", key=first.count)
    if separator not in first:
        return [(number, re.split(r"\s+", line.strip())) for number, line in lines]
    try:
        rows = list(csv.reader([line for _, line in lines], delimiter=separator))
    except csv.Error:
        return []
    if len(rows) < len(lines):  # a quoted cell has several lines
        return list(enumerate(rows, start=1))
    return [(number, row) for (number, _), row in zip(lines, rows, strict=True)]


def _json_rows(name: str, text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a table that is written as JSON or as lines of it."""
    try:
        if ending_of(name) in LINES:
            content = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return list(enumerate(_rows_of(content), start=1))


def _rows_of(content: Any) -> list[list[str]]:
    """Return JSON's pairs of files and labels, or records of them, as rows."""
    if isinstance(content, dict):
        values = [*content.values()]
        if len(values) == 1 and isinstance(values[0], list):
            return _rows_of(values[0])
        pairs = [
            (key, item)
            for key, value in content.items()
            for item in (value if isinstance(value, list) else [value])
        ]
        return _scalars(pairs)
    if isinstance(content, list) and content and isinstance(content[0], dict):
        names = [*content[0]]
        records = [[row.get(name) for name in names] for row in content if row]
        return [names, *_scalars(records)]
    if isinstance(content, list):
        return _scalars(pair for pair in content if isinstance(pair, list))
    return []


def _scalars(rows: Iterable[Sequence[Any]]) -> list[list[str]]:
    texts = []
    for row in rows:
        if not any(isinstance(cell, dict) for cell in row):
            texts.append(
                [
                    " | ".join(map(str, cell))
                    if isinstance(cell, list)
                    else ("" if cell is None else str(cell))
                    for cell in row
                ]
            )
    return texts


def _folders_before(rows: Sequence[Sequence[str]], column: int, places: Places) -> str:
    """Return the folders before the names in a column that are not there, if any.

    They are the same for all, such as those of the computer that wrote the table.
    """
    names = [_plain(row[column]) for row in rows]
    if any(places.get(name) for name in names):
        return ""
    before = ""
    for step in names[-1].split("/")[:-1]:
        before += f"{step}/"
        if any(places.get(x.removeprefix(before)) for x in names if before in x):
            return before
    return ""


def _picture(name: str, before: str, places: Places) -> str:
    return places.get(_plain(name).removeprefix(before), "")


def _says_parts(name: str, rows: Sequence[Sequence[str]], column: int) -> bool:
    """Tell whether a column says of which part each picture is."""
    said = sum(part_of(row[column]) is not None for row in rows)
    return name in PARTED and said > len(rows) / 2


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return -1
