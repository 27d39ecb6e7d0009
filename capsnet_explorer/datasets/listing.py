"""Tables that say of which class each picture is: a file and its label, a line each.

They lie beside the pictures, whatever folders these are in. The names of files may lack
their folders and their endings, or have folders before them that are not there. In
place of a label there can be a column for each class, with a single 1 in each line. A
further column can say the part.
"""

import csv
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from capsnet_explorer.datasets.arranging import (
    Arranged,
    Named,
    Part,
    arranged,
    class_name,
    first_part,
    in_order,
    is_left_by_a_system,
    is_picture,
    part_of,
    steps_of,
    words_of,
)
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.tables import LABELS

TABLES = (".csv", ".tsv", ".txt")
GUESSES = "submission"  # in the name of a table that shows how to hand in guesses
MOST_BYTES = 64 << 20  # of a table
ENOUGH = 0.9  # of the pictures are listed where a table counts for more than folders
FILES = ("file", "filename", "file_name", "image", "image_id", "id", "name", "path")
NAMED = (*LABELS, "class_name", "classname", "label_name", "category", "class_id")
PARTED = ("split", "part", "set", "subset", "partition", "phase", "usage")

Places = Mapping[str, str]
"""Each picture by a name that a table may give it; empty where several have it."""


def is_list(name: str) -> bool:
    """Tell whether a file may be such a table, by its name."""
    steps = steps_of(name)
    return (
        bool(steps)
        and not is_left_by_a_system(steps)
        and steps[-1].lower().endswith(TABLES)
        and GUESSES not in words_of(steps[-1])
    )


@dataclass(frozen=True, slots=True)
class _Row:
    picture: str
    label: str
    part: Part | None


def arranged_with(
    names: Iterable[str],
    tables: Mapping[str, str],
    closed: Collection[str] = (),
    folders: Folders | None = None,
) -> Arranged:
    """Arrange files by what tables say of them, or else by their names.

    A table counts where its header names files and labels and it lists nearly all
    pictures, or where folders tell no two classes.

    Args:
        names: paths within the folder or archive.
        tables: the text of each table, by its path.
        closed: names of folders that are not looked through, as other data sets'.
        folders: what the outermost folders are; None lets their names tell.

    Raises:
        BrokenFile: folders tell no two classes, and it is not clear which column of a
            table has the labels.
    """
    every = list(names)
    usual = arranged(every, closed, folders)
    if folders is not None or not tables:
        return usual
    pictures = [
        name
        for name in every
        if (steps := steps_of(name))
        and not is_left_by_a_system(steps)
        and is_picture(steps[-1])
    ]
    classes = usual.parts.get("training", usual.whole)
    is_told_by_folders = not usual.unclear and len(classes) > 1
    try:
        parts, count, is_headed, used = _listed(pictures, tables)
    except BrokenFile:
        if is_told_by_folders:
            return usual
        raise
    if len({name for own in parts.values() for name in own}) < 2:
        return usual
    if is_told_by_folders and not (is_headed and count >= ENOUGH * len(pictures)):
        return usual
    skipped = usual.skipped.copy()
    for what in [each for each in skipped if each.startswith("pictures ")]:
        del skipped[what]
    for table in used:
        skipped[PurePosixPath(table).suffix.lower()] -= 1
    if count < len(pictures):
        skipped["pictures that no table lists"] = len(pictures) - count
    verb = "list" if len(used) > 1 else "lists"
    lines = [f"Classes are those that {', '.join(sorted(used))} {verb}."]
    if set(parts) == {None}:
        return Arranged({}, parts[None], +skipped, lines)
    known: dict[Part, Named] = {}
    for part, own in parts.items():
        for name, files in own.items():
            known.setdefault(part or "training", {}).setdefault(name, []).extend(files)
    return Arranged(known, {}, +skipped, lines)


def _listed(
    pictures: Collection[str], tables: Mapping[str, str]
) -> tuple[dict[Part | None, Named], int, bool, list[str]]:
    """Return the pictures that tables list, by part and class.

    Besides, how many there are, whether all headers name files and labels, and which
    tables list any.

    Raises:
        BrokenFile: it is not clear which column has the labels.
    """
    everywhere = _places(pictures)
    parts: dict[Part | None, Named] = {}
    taken: set[str] = set()
    used = []
    is_headed = True
    for table, text in sorted(tables.items()):
        own_part = part_of(PurePosixPath(table).stem)
        near = own_part or _part_around(table)
        own = [each for each in pictures if near and _part_around(each) == near]
        read = _rows(table, text, _places(own)) if own else None
        read = read or _rows(table, text, everywhere)
        if read is None:
            continue
        rows, has_header = read
        used.append(table)
        is_headed = is_headed and has_header
        for row in rows:
            if row.picture in taken or not row.label:
                continue
            taken.add(row.picture)
            part = row.part or own_part or _part_around(row.picture)
            named = parts.setdefault(part, {})
            named.setdefault(class_name(row.label), []).append(row.picture)
    ordered: dict[Part | None, Named] = {
        part: {name: sorted(own[name]) for name in in_order(own)}
        for part, own in parts.items()
    }
    return ordered, len(taken), is_headed, used


def _part_around(picture: str) -> Part | None:
    """Return the part that one of a picture's folders says, if any."""
    return first_part(steps_of(picture)[:-1])


def _places(pictures: Iterable[str]) -> dict[str, str]:
    """Return each picture by all names that a table may give it, if by it alone.

    A name of two pictures stands for neither: its value is an empty text.
    """
    found: dict[str, str] = {}
    for picture in pictures:
        steps = steps_of(picture)
        names = ["/".join(steps[start:]) for start in range(len(steps))]
        bare = [str(PurePosixPath(name).with_suffix("")) for name in names]
        for plain in {_plain(name) for name in (*names, *bare)}:
            found[plain] = picture if found.get(plain, picture) == picture else ""
    return found


def _plain(file: str) -> str:
    return file.strip().replace("\\", "/").removeprefix("./").lower()


def _rows(table: str, text: str, places: Places) -> tuple[list[_Row], bool] | None:
    """Return what a table says of pictures, and whether a header names both columns.

    None where it is no such table.

    Raises:
        BrokenFile: it lists pictures, and it is not clear which column has the labels.
    """
    rows = _cells(text)
    if rows is None:
        return None
    wide = len(rows[0])
    names = [cell.strip().lower() for cell in rows[0]]
    columns = range(wide)
    around = [_folders_before(rows, place, places) for place in columns]
    known = [
        sum(bool(_picture(row[place], before, places)) for row in rows)
        for place, before in zip(columns, around, strict=True)
    ]
    file = max(columns, key=known.__getitem__)
    if known[file] < len(rows) / 2:
        return None
    others = [place for place in columns if place != file]
    has_header = not _picture(rows[0][file], around[file], places)
    body = rows[has_header:]
    part = next((each for each in others if _says_parts(names[each], body, each)), None)
    labels = [place for place in others if names[place] in NAMED]
    left = [each for each in others if each != part and names[each] not in FILES]
    if labels:
        body = rows[1:]
        found = [row[labels[0]].strip() for row in body]
    elif len(left) == 1:
        found = [row[left[0]].strip() for row in body]
    elif has_header and _is_one_of_each(body, left):
        found = [
            next(rows[0][each].strip() for each in left if _number(row[each]) == 1)
            for row in body
        ]
    else:
        raise BrokenFile(
            f"{table} lists pictures: call the column of their labels label, got "
            f"{', '.join(cell.strip() for cell in rows[0])}"
        )
    return [
        _Row(picture, label, None if part is None else part_of(row[part]))
        for row, label in zip(body, found, strict=True)
        if (picture := _picture(row[file], around[file], places))
    ], bool(labels) and names[file] in FILES


def _cells(text: str) -> list[list[str]] | None:
    """Return the lines of a table that are as wide as its first; None without any."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    separator = max(",;\t", key=lines[0].count)
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error:
        return None
    if len(rows[0]) < 2:
        rows = [re.split(r"\s+", line.strip()) for line in lines]
    wide = len(rows[0])
    return [row for row in rows if len(row) == wide] if wide > 1 else None


def _folders_before(rows: list[list[str]], place: int, places: Places) -> str:
    """Return the folders before the names in a column that are not there, if any.

    They are the same for all, such as those of the computer that wrote the table.
    """
    names = [_plain(row[place]) for row in rows]
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


def _says_parts(name: str, rows: list[list[str]], place: int) -> bool:
    """Tell whether a column says of which part each picture is."""
    said = sum(part_of(row[place]) is not None for row in rows)
    return name in PARTED and said > len(rows) / 2


def _is_one_of_each(rows: list[list[str]], columns: list[int]) -> bool:
    """Tell whether columns have a single 1 in each row, and zeros."""
    return len(columns) > 1 and all(
        sorted(_number(row[each]) for each in columns)
        == [*[0.0] * (len(columns) - 1), 1.0]
        for row in rows
    )


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return -1
