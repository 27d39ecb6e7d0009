"""Tables that say of which class each picture is: a file and its label, a line each.

They lie beside the pictures, whatever folders these are in. The names of files may lack
their folders and their endings.
"""

import csv
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from capsnet_explorer.dataset_files.arranging import (
    Arranged,
    Named,
    Part,
    arranged,
    class_name,
    in_order,
    is_left_by_a_system,
    is_picture,
    part_of,
    steps_of,
)
from capsnet_explorer.dataset_files.form import Folders
from capsnet_explorer.dataset_files.tables import LABELS

TABLES = (".csv", ".tsv")
MOST_BYTES = 64 << 20  # of a table
ENOUGH = 0.9  # of the pictures are listed where a table counts for more than folders
FILES = ("file", "filename", "file_name", "image", "image_id", "id", "name", "path")


def is_list(name: str) -> bool:
    """Tell whether a file may be such a table, by its name."""
    steps = steps_of(name)
    return (
        bool(steps)
        and not is_left_by_a_system(steps)
        and steps[-1].lower().endswith(TABLES)
    )


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
    listed = _listed(pictures, tables)
    if listed is None:
        return usual
    parts, count, is_headed = listed
    classes = usual.parts.get("training", usual.whole)
    is_told_by_folders = not usual.unclear and len(classes) > 1
    if is_told_by_folders and not (is_headed and count >= ENOUGH * len(pictures)):
        return usual
    skipped = usual.skipped.copy()
    for what in [each for each in skipped if each.startswith("pictures ")]:
        del skipped[what]
    for table in tables:
        skipped[PurePosixPath(table).suffix.lower()] -= 1
    if count < len(pictures):
        skipped["pictures that no table lists"] = len(pictures) - count
    lines = [f"Classes are those that {', '.join(sorted(tables))} lists."]
    if set(parts) == {None}:
        return Arranged({}, parts[None], +skipped, lines)
    known: dict[Part, Named] = {}
    for part, own in parts.items():
        for name, files in own.items():
            known.setdefault(part or "training", {}).setdefault(name, []).extend(files)
    return Arranged(known, {}, +skipped, lines)


def _listed(
    pictures: Collection[str], tables: Mapping[str, str]
) -> tuple[dict[Part | None, Named], int, bool] | None:
    """Return the pictures that tables list, by part and class; how many; and surety.

    None where they list no pictures of two classes.
    """
    places = _places(pictures)
    parts: dict[Part | None, Named] = {}
    taken: set[str] = set()
    is_headed = True
    for table, text in sorted(tables.items()):
        read = _rows(text, places)
        if read is None:
            continue
        rows, has_header = read
        is_headed = is_headed and has_header
        own_part = part_of(PurePosixPath(table).stem)
        for file, label in rows:
            picture = places.get(_plain(file))
            if not picture or picture in taken or not label:
                continue
            taken.add(picture)
            part = own_part or _part_around(picture)
            parts.setdefault(part, {}).setdefault(class_name(label), []).append(picture)
    if len({name for own in parts.values() for name in own}) < 2:
        return None
    ordered: dict[Part | None, Named] = {
        part: {name: sorted(own[name]) for name in in_order(own)}
        for part, own in parts.items()
    }
    return ordered, len(taken), is_headed


def _part_around(picture: str) -> Part | None:
    """Return the part that one of a picture's folders says, if any."""
    for step in steps_of(picture)[:-1]:
        if (part := part_of(step)) is not None:
            return part
    return None


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


def _rows(
    text: str, places: Mapping[str, str]
) -> tuple[list[tuple[str, str]], bool] | None:
    """Return the file and the label of each line, and whether a header names both.

    None where it is no such table.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    separator = max(",;\t", key=lines[0].count)
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error:
        return None
    wide = len(rows[0])
    rows = [row for row in rows if len(row) == wide]
    if wide < 2 or not rows:
        return None
    names = [cell.strip().lower() for cell in rows[0]]
    columns = range(wide)
    known = [
        sum(bool(places.get(_plain(row[place]))) for row in rows) for place in columns
    ]
    file = max(columns, key=known.__getitem__)
    if known[file] < len(rows) / 2:
        return None
    others = [place for place in columns if place != file]
    labels = [place for place in others if names[place] in LABELS]
    if labels:
        return _pairs(rows[1:], file, labels[0]), names[file] in FILES
    if len(others) > 1:
        return None
    has_header = not places.get(_plain(rows[0][file]))
    return _pairs(rows[has_header:], file, others[0]), False


def _pairs(rows: Iterable[list[str]], file: int, label: int) -> list[tuple[str, str]]:
    return [(row[file], row[label].strip()) for row in rows]
