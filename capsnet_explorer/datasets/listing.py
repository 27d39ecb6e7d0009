"""Tables that say of which class each picture is: a file and its label, a line each.

They lie beside the pictures, whatever folders these are in. The names of files may lack
their folders and their endings, or have folders before them that are not there. In
place of a label there can be a column for each class, with a single 1 in each line. A
further column can say the part.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from itertools import chain
from pathlib import PurePosixPath

from capsnet_explorer.datasets.arranging import Arranged, Named, arranged
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.naming import (
    Part,
    class_name,
    first_part,
    in_order,
    is_left_by_a_system,
    is_picture,
    part_of,
    part_within,
    says_no_label,
    spelt_twice,
    steps_of,
    words_of,
)
from capsnet_explorer.datasets.rows import LINES, Table, table_of
from capsnet_explorer.datasets.tables import LABELS
from capsnet_explorer.datasets.text import counted, some_of
from capsnet_explorer.datasets.unused import Unused, leave, merged

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
BETWEEN_TAGS = (r"[|;]", ",", r"\s", r"[^\w.]|_|\b(and|und|et|y|e)\b")
AROUND_TAGS = " '\"[](){}"
NO_LABEL = ("", "nan", "null", "n/a", "#n/a", "<na>")  # as programs write an empty cell

Places = Mapping[str, str]
"""Each picture by a name that a table may give it; empty where several have it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a row says: a file, the picture of that name if any, its label and part."""

    file: str
    picture: str
    label: str
    part: Part | None


@dataclass(slots=True)
class _Lists:
    """The pictures that tables list.

    Attributes:
        labels: the class of each picture.
        parts: the part of each picture, if any is said.
        tables: the names of the tables that list any.
        is_named: whether the headers of all of them name files and labels.
        unused: pictures that are listed without a label.
        lines: sentences on what was strange.
    """

    labels: dict[str, str] = field(default_factory=dict)
    parts: dict[str, Part | None] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    is_named: bool = True
    unused: Unused = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        """The names of the classes."""
        return set(self.labels.values())

    @property
    def words(self) -> str:
        """Name the tables, before what they list."""
        verb = "list" if len(self.tables) > 1 else "lists"
        return f"that {', '.join(sorted(self.tables))} {verb}."


def is_list(name: str) -> bool:
    """Tell whether a file may be such a table, by its name."""
    steps = steps_of(name)
    return (
        _is_visible(steps)
        and steps[-1].lower().endswith(TABLES)
        and GUESSES not in words_of(steps[-1])
    )


def _is_visible(steps: tuple[str, ...]) -> bool:
    return bool(steps) and not is_left_by_a_system(steps)


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
    pictures = [x for x in every if _is_visible(steps_of(x)) and is_picture(x)]
    known = [*usual.parts.get("training", usual.whole)]
    is_told_by_folders = not usual.unclear and len(known) > 1
    listed = _list_pictures(pictures, tables, known)
    if len(listed.classes) < 2 and not is_told_by_folders:
        return usual
    is_whole = listed.is_named and len(listed.labels) >= ENOUGH * len(pictures)
    if folders is None and (not is_told_by_folders or (listed.tables and is_whole)):
        return _by_tables(usual, listed, pictures)
    return _with_test_tables(usual, listed)


def _by_tables(usual: Arranged, listed: _Lists, pictures: Collection[str]) -> Arranged:
    """Arrange pictures by tables alone."""
    other = {sort: x for sort, x in usual.unused.items() if "pictures " not in sort}
    unused = merged(_without(other, listed.tables), listed.unused)
    named = {*listed.labels, *chain.from_iterable(listed.unused.values())}
    unlisted = (picture for picture in pictures if picture not in named)
    leave(unused, "pictures that no table lists", *unlisted)
    lines = [f"Classes are those {listed.words}", *listed.lines]
    if odd := {name for name in listed.classes if says_no_label(name)}:
        lines.append(f"{some_of(odd)}: called as pictures without a label, and learnt.")
    parts: dict[Part, Named] = {}
    for picture in sorted(listed.labels):
        classes = parts.setdefault(listed.parts[picture] or "training", {})
        classes.setdefault(listed.labels[picture], []).append(picture)
    parts = {part: _in_order(classes) for part, classes in parts.items()}
    if {*listed.parts.values()} == {None}:
        return Arranged({}, parts["training"], unused, lines)
    return Arranged(parts, {}, unused, lines)


def _in_order(classes: Named) -> Named:
    return {name: classes[name] for name in in_order(classes)}


def _without(unused: Mapping[str, list[str]], names: Collection[str]) -> Unused:
    """Return what is left out, but for files that are used."""
    kept = {what: [x for x in some if x not in names] for what, some in unused.items()}
    return {what: some for what, some in kept.items() if some}


def _with_test_tables(usual: Arranged, listed: _Lists) -> Arranged:
    """Add pictures for test and validation that tables list and folders do not."""
    training = usual.parts.get("training", usual.whole)
    parts: dict[Part, Named] = dict(usual.parts) or {"training": dict(usual.whole)}
    by_folders = {
        x for named in parts.values() for some in named.values() for x in some
    }
    classes = {_as_number(name): name for name in training}
    added: dict[Part, Named] = {}
    for picture, label in sorted(listed.labels.items()):
        part, name = listed.parts[picture], classes.get(_as_number(label))
        if picture not in by_folders and name and part in ("test", "validation"):
            added.setdefault(part, {}).setdefault(name, []).append(picture)
    if not added:
        return usual
    for part, named in added.items():
        there = parts.get(part, {})
        parts[part] = _in_order(
            {x: [*there.get(x, ()), *named.get(x, ())] for x in {**there, **named}}
        )
    used = {x for named in added.values() for some in named.values() for x in some}
    lines = [
        *usual.lines,
        *(f"Classes of pictures for {part} are those {listed.words}" for part in added),
    ]
    unused = _without(usual.unused, {*used, *listed.tables})
    return changed(usual, parts=parts, whole={}, unused=unused, lines=lines)


def _as_number(label: str) -> str:
    """Return a label without zeros before it: folders have `00020`, tables 20."""
    return str(int(label)) if label.isascii() and label.isdigit() else label


def _list_pictures(
    pictures: Collection[str], tables: Mapping[str, str], known: Collection[str]
) -> _Lists:
    """Return the pictures that tables list.

    Args:
        pictures: all of them.
        tables: the text of each table, by its path.
        known: classes that folders tell; with two or more, a table that is not clear
            is none.
    """
    everywhere = _places(pictures)
    listed = _Lists()
    for name, text in sorted(tables.items()):
        if (table := table_of(name, text)) is None:
            continue
        stem = PurePosixPath(name).stem
        part = part_of(stem) or part_within(stem)
        near = part or _part_around(name)
        beside = _places(x for x in pictures if near and _part_around(x) == near)
        try:
            if not _take(listed, table, beside, part, known):
                _take(listed, table, everywhere, part, known)
        except BrokenFile:
            if len(known) < 2:  # folders do not tell either
                raise
    return listed


def _take(
    listed: _Lists,
    table: Table,
    places: Places,
    part: Part | None,
    known: Collection[str],
) -> bool:
    """Add what a table says of some pictures, if it lists any; tell whether it does."""
    entries, is_named = _entries(table, places, known)
    if not entries:
        return False
    labels: dict[str, str] = {}
    here = [entry for entry in entries if entry.picture]
    for entry in here:
        name = class_name(entry.label)
        if entry.label.lower() in NO_LABEL:
            continue
        if labels.setdefault(entry.picture, name) != name:
            both = f"{labels[entry.picture]} and {entry.label} for {entry.picture}"
            raise _several(table, both)
        own_part = entry.part or part or _part_around(entry.picture)
        listed.parts.setdefault(entry.picture, own_part)
    bare = dict.fromkeys(x.picture for x in here if x.picture not in labels)
    leave(listed.unused, "pictures without a label in their table", *bare)
    missing = [entry.file for entry in entries if not entry.picture]
    other = [x for x in labels if listed.labels.get(x, labels[x]) != labels[x]]
    listed.labels = labels | listed.labels
    listed.tables.append(table.name)
    listed.lines += [
        *_strange(table, missing, other),
        *spelt_twice(entry.label for entry in entries),
    ]
    listed.is_named = listed.is_named and is_named
    return True


def _strange(table: Table, missing: Sequence[str], other: Sequence[str]) -> list[str]:
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


def _with_several_tags(labels: Collection[str], header: str) -> str:
    """Return a label that is several, if any: words that stand alone elsewhere."""
    alone = {label.strip(AROUND_TAGS) for label in labels}
    for sign in BETWEEN_TAGS:
        tags = {label: _tags(label, sign) for label in sorted({*labels})}
        counts = Counter(tag for some in tags.values() for tag in some)
        is_usual = sign == BETWEEN_TAGS[0] or header in ("tags", "labels", "classes")
        is_usual = is_usual and sign != BETWEEN_TAGS[-1]
        for label, some in tags.items():
            is_shared = all(counts[tag] > 1 or tag in alone for tag in some)
            if len(some) > 1 and (some <= alone or (is_usual and is_shared)):
                return label
    return ""


def _tags(label: str, sign: str) -> set[str]:
    """Return the words of a label between signs, brackets and quotes aside."""
    words = re.sub(sign, "\n", label).split("\n")
    return {word.strip(AROUND_TAGS) for word in words} - {""}


def _several(table: Table, label: str) -> BrokenFile:
    return BrokenFile(
        f"{table.name} gives some pictures several labels ({label}), and a network "
        "here names one class of each picture: keep one label for each, or write the "
        "images as four files in MNIST's format, whose labels may be several"
    )


def _part_around(picture: str) -> Part | None:
    """Return the part that one of a picture's folders says, if any."""
    return first_part(steps_of(picture)[:-1])


def _places(pictures: Iterable[str]) -> Places:
    """Return each picture by all names that a table may give it, if by it alone."""
    places: dict[str, str] = {}
    for picture in pictures:
        steps = steps_of(picture)
        names = ["/".join(steps[start:]) for start in range(len(steps))]
        bare = [str(PurePosixPath(name).with_suffix("")) for name in names]
        for plain in {_plain(name) for name in (*names, *bare)}:
            places[plain] = picture if places.get(plain, picture) == picture else ""
    return places


def _plain(file: str) -> str:
    plain = unicodedata.normalize("NFC", file.strip())
    return plain.replace("\\", "/").removeprefix("./").lower()


def _entries(
    table: Table, places: Places, known: Collection[str]
) -> tuple[list[_Entry], bool]:
    """Return what the rows of a table say of pictures; nothing where it lists none.

    Returns:
        An entry for each row, and whether a header names files and labels as usual.
    """
    rows, columns = table.rows, range(len(table.rows[0]))
    pictures = [_pictures_in([row[x] for row in rows], places) for x in columns]
    counts = [len({*some} - {""}) for some in pictures]
    file = max(columns, key=counts.__getitem__)
    every = len({*places.values()} - {""})
    if counts[file] < max(1, min(len(rows), every) / 2):
        return [], False
    has_header = not pictures[file][0]
    names = [re.sub(r"[\W_]", "", x.lower()) if has_header else "" for x in rows[0]]
    body = rows[has_header:]
    others = [x for x in columns if x != file]
    part = next((x for x in others if _says_parts(names[x], body, x)), None)
    others = [x for x in others if x != part and names[x] not in FILES]
    label = _label_among(body, names, others, known)
    if label is None:
        labels = _labels_of_columns(table, body, names, others)
    else:
        labels = _labels_in(table, [row[label] for row in body], names[label])
    is_named = label is not None and names[label] in NAMED and names[file] in FILES
    parts: list[Part | None] = [
        None if part is None else part_of(row[part]) for row in body
    ]
    files = [row[file].strip() for row in body]
    listed = pictures[file][has_header:]
    return list(map(_Entry, files, listed, labels, parts)), is_named


def _label_among(
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    columns: Sequence[int],
    known: Collection[str],
) -> int | None:
    """Return the column of labels, if it is clear which one it is."""
    usual = {_as_number(name) for name in known}
    for fitting in (
        [x for x in columns if names[x] in NAMED][:1],
        columns,
        [x for x in columns if {_as_number(row[x].strip()) for row in rows} <= usual],
    ):
        if len(fitting) == 1:
            return fitting[0]
    return None


def _labels_in(table: Table, cells: Iterable[str], header: str) -> list[str]:
    """Return the labels in a column."""
    labels = [cell.strip() for cell in cells]
    if several := _with_several_tags(labels, header):
        raise _several(table, several)
    if all(re.fullmatch(r"\d+\.0", label) for label in labels):
        return [label.removesuffix(".0") for label in labels]
    return labels


def _labels_of_columns(
    table: Table,
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    columns: Sequence[int],
) -> list[str]:
    """Return the label of each row, whose column has a 1."""
    if any(name in BOXES for name in names):
        raise BrokenFile(
            f"{table.name} lists boxes in pictures, and a network here names one class "
            "of each picture: cut the boxes out, into a folder for each class"
        )
    header = [cell.strip() for cell in table.rows[0]]
    numbers = [[_number(row[x]) for x in columns] for row in rows]
    if len(columns) < 2 or not all({*row} <= {0.0, 1.0} for row in numbers):
        raise BrokenFile(
            f"{table.name} lists pictures: call the column of their labels label, got "
            f"{', '.join(header)}"
        )
    for row in numbers:
        if sum(row) != 1:
            raise _several(table, f"{sum(row):g} columns have a 1")
    return [header[columns[row.index(1)]] for row in numbers]


def _pictures_in(cells: Sequence[str], places: Places) -> list[str]:
    """Return the picture that each cell names, an empty text where it names none.

    All may have the same folders before them that are not there, such as those of the
    computer that wrote the table.
    """
    names = [_plain(cell) for cell in cells]
    befores = [""]
    for step in names[-1].split("/")[:-1]:
        befores.append(f"{befores[-1]}{step}/")
    for before in befores:
        pictures = [places.get(name.removeprefix(before), "") for name in names]
        if any(x and before in name for x, name in zip(pictures, names, strict=True)):
            return pictures
    return [""] * len(names)


def _says_parts(name: str, rows: Sequence[Sequence[str]], column: int) -> bool:
    """Tell whether a column says of which part each picture is."""
    count = sum(part_of(row[column]) is not None for row in rows)
    return name in PARTED and count > len(rows) / 2


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return -1
