"""Which part and class each picture of a folder or an archive belongs to, by its name.

The classes are folders, in `train`, `val` and `test`, or in none of these; or each has
folders of these names. Folders that hold nothing but the data set's folder are looked
through. Hidden files, and what systems leave beside pictures, are passed over. A name
that may mean a part, or pictures without a label, is a class only if people say so.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.naming import (
    ORDER,
    Part,
    class_name,
    classes_in_names,
    in_order,
    is_division,
    is_left_by_a_system,
    is_picture,
    part_of,
    part_within,
    parts_among,
    says_no_label,
    spelt_twice,
    steps_of,
)
from capsnet_explorer.datasets.text import some_of
from capsnet_explorer.datasets.unused import LOOSE, Unused, ending_of, leave

Named = dict[str, list[str]]
"""The files of each class, in the order of their names."""
Picture = tuple[tuple[str, ...], str]
"""The folders and the file that a name goes through, and the name itself."""

EVERY = 5  # of these pictures of a class, one is for the test

_PART_AND_CLASS = re.compile(r"([A-Z]?[a-z]+)(?:[_ -]+|(?=[A-Z0-9]))(.+)")
_CLASS_AND_PART = re.compile(r"(.+?)[_ -]+([A-Z]?[a-z]+)")


@dataclass(frozen=True, slots=True)
class Arranged:
    """The pictures of a folder or an archive.

    Attributes:
        parts: the pictures of each class, by part; empty where there are none.
        whole: those of each class where there are no parts.
        unused: files that are no pictures of a class, by what they are.
        lines: sentences on what was taken for what.
        unclear: why folders could be parts as well as classes; empty where they
            could not. `parts` and `whole` are empty then.
    """

    parts: Mapping[Part, Named]
    whole: Named
    unused: Unused
    lines: list[str] = field(default_factory=list)
    unclear: str = ""


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is told of an arrangement: files that are left out, and sentences."""

    unused: Unused = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def whole(self, pictures: Iterable[Picture]) -> Arranged:
        """Return pictures whose outermost folders are classes."""
        classes = _classes(pictures)
        return Arranged({}, classes, self.unused, self.lines)

    def unclear(self, why: str) -> Arranged:
        """Return a question."""
        return Arranged({}, {}, self.unused, unclear=why)


def arranged(
    names: Iterable[str],
    closed: Collection[str] = (),
    folders: Folders | None = None,
) -> Arranged:
    """Arrange files by their names.

    Args:
        names: paths within the folder or archive.
        closed: names of folders that are not looked through, as other data sets'.
        folders: what the outermost folders are; None lets their names tell.
    """
    notes = _Notes()
    pictures = _unwrap(_pictures_among(names, notes.unused), notes.unused, closed)
    folder_names = (step for steps, _ in pictures for step in steps[:-1])
    notes.lines.extend(spelt_twice(folder_names))
    if folders == "classes":
        return notes.whole(pictures)
    named = parts_among({steps[0] for steps, _ in pictures})
    if not named:
        turned = _parts_within_classes(pictures)
        turned = turned or _parts_in_names(pictures, notes.lines)
        if turned is None:
            return _without_parts(pictures, notes, folders)
        pictures, named = turned
    by_part, others = _by_part(pictures, named, notes.unused, closed)
    if folders == "parts":
        by_part, others = _as_training(by_part, others, notes)
    elif (answer := _doubtful(pictures, by_part, others, notes)) is not None:
        return answer
    outside = f"pictures outside of {', '.join(sorted(named))}"
    leave(notes.unused, outside, *(name for _, name in others))
    return _of_parts(by_part, notes)


def _pictures_among(names: Iterable[str], unused: Unused) -> list[Picture]:
    pictures: list[Picture] = []
    for name in sorted(names):
        steps = steps_of(name)
        if not steps or is_left_by_a_system(steps):
            continue
        if is_picture(steps[-1]):
            pictures.append((steps, name))
        else:
            leave(unused, ending_of(steps[-1]), name)
    return pictures


def _as_training(
    by_part: dict[Part, list[Picture]], others: list[Picture], notes: _Notes
) -> tuple[dict[Part, list[Picture]], list[Picture]]:
    """Take folders beside parts for the training part, where no name says it."""
    if "training" in by_part or not _is_deep(others):
        return by_part, others
    tops = {steps[0] for steps, _ in others}
    notes.lines.append(f"Taken for the training part: {some_of(tops)}.")
    training: dict[Part, list[Picture]] = {
        "training": [(steps[1:], name) for steps, name in others]
    }
    return training | by_part, []


def _doubtful(
    pictures: list[Picture],
    by_part: Mapping[Part, list[Picture]],
    others: Collection[Picture],
    notes: _Notes,
) -> Arranged | None:
    """Return what folders are that have a part's name and may be none; else None."""
    has_classes: list[Part] = [part for part, some in by_part.items() if _is_deep(some)]
    if not has_classes and others and not _is_lonely_part(by_part, others):
        return notes.whole(pictures)  # a class called train
    if why := _unclear(by_part, has_classes, others):
        return notes.unclear(why)
    if "training" not in has_classes and others:
        return _without_parts(pictures, notes, None)
    if others and len(by_part) == 1:
        return notes.whole(pictures)
    return None


def _is_lonely_part(
    by_part: Mapping[Part, list[Picture]], others: Collection[Picture]
) -> bool:
    """Tell whether a folder beside classes may be a part without folders of classes.

    So may `test` beside `cat` and `dog`; a train is a thing, too.
    """
    tops = {steps[0] for steps, _ in others if len(steps) > 1}
    return "training" not in by_part and len(tops) > 1


def _without_parts(
    pictures: list[Picture], notes: _Notes, folders: Folders | None
) -> Arranged:
    """Arrange pictures in folders that no names of parts stand for.

    Where each folder has the same folders in it, either could be the classes.
    """
    tops = {steps[0] for steps, _ in pictures}
    shared = _shared_folders(pictures) if folders is None else set()
    is_divided = bool(shared) and all(is_division(top) for top in tops)
    is_deep = all(len(steps) > 2 for steps, _ in pictures)
    if (folders == "parts" and is_deep) or is_divided:
        inner: list[Picture] = [(steps[1:], name) for steps, name in pictures]
        notes.lines.append(
            f"{some_of(tops)} divide the pictures: classes are the folders in them."
        )
        return notes.whole(inner)
    if shared:
        return notes.unclear(
            f"{some_of(tops)} each have the folders {some_of(shared)} in them"
        )
    if folders == "parts":
        return notes.whole(_leave_unlabelled(pictures, notes, _is_no_class))
    if why := _no_class(tops):
        return notes.unclear(why)
    notes.lines.extend(_folders_within(pictures))
    return notes.whole(pictures)


def _leave_unlabelled(
    pictures: Iterable[Picture], notes: _Notes, odd: Callable[[str], bool]
) -> list[Picture]:
    """Leave out pictures whose folder is odd: its name says that it is no class."""
    kept = []
    for steps, name in pictures:
        if odd(steps[0]):
            leave(notes.unused, f"pictures in {steps[0]}, which names no class", name)
        else:
            kept.append((steps, name))
    return kept


def _is_no_class(folder: str) -> bool:
    return says_no_label(folder) or part_within(folder) is not None


def _no_class(folders: Collection[str]) -> str:
    """Return why some folders may be no classes; else an empty text."""
    parts = {name for name in folders if part_within(name) is not None}
    if parts:
        return (
            f"the names of some folders beside others mean parts ({some_of(parts)}): "
            "taken for classes, they are learnt; taken for parts, they are left out"
        )
    unlabelled = {name for name in folders if says_no_label(name)}
    if unlabelled and len(folders) > 1:
        is_one = len(unlabelled) == 1
        return (
            f"{some_of(unlabelled)} {'is' if is_one else 'are'} called as pictures "
            "without a label are: taken for "
            f"{'a class, it is' if is_one else 'classes, they are'} learnt; otherwise "
            f"{'it is' if is_one else 'they are'} left out"
        )
    return ""


def _folders_within(pictures: Iterable[Picture]) -> list[str]:
    """Say which classes have several folders in them."""
    inner: dict[str, set[str]] = {}
    for steps, _ in pictures:
        inner.setdefault(class_name(steps[0]), set()).update(steps[1:-1][:1])
    return [
        f"All pictures in the folders of {name} ({some_of(folders)}) are of the class "
        f"{name}."
        for name, folders in sorted(inner.items())
        if len(folders) > 1
    ][:3]


def _shared_folders(pictures: list[Picture]) -> set[str]:
    """Return the folders that all outermost ones have in them, if these are most."""
    inner: dict[str, set[str]] = {}
    for steps, _ in pictures:
        inner.setdefault(steps[0], set()).update(steps[1:-1][:1])
    if len(inner) < 2:
        return set()
    common = set.intersection(*inner.values())
    every = set.union(*inner.values())
    return common if len(common) > 1 and 2 * len(common) >= len(every) else set()


def _by_part(
    pictures: Iterable[Picture],
    named: Mapping[str, Part],
    unused: Unused,
    closed: Collection[str],
) -> tuple[dict[Part, list[Picture]], list[Picture]]:
    """Return the pictures of each part, below its folder, and those of none."""
    below: dict[Part, list[Picture]] = {}
    others = []
    for steps, name in pictures:
        part = named.get(steps[0])
        if part is None:
            others.append((steps, name))
        else:
            below.setdefault(part, []).append((steps[1:], name))
    by_part: dict[Part, list[Picture]] = {
        part: _unwrap(below[part], unused, closed, part)
        if _is_deep(below[part])
        else below[part]
        for part in ORDER
        if part in below
    }
    return by_part, others


def _of_parts(by_part: Mapping[Part, list[Picture]], notes: _Notes) -> Arranged:
    """Arrange parts by the classes of their folders; one without any is left out."""
    parts: dict[Part, Named] = {}
    known: list[str] = []
    for part, pictures in by_part.items():
        names = [name for _, name in pictures]
        if not _is_deep(pictures):
            leave(notes.unused, f"pictures for {part} in folders of no class", *names)
            continue
        if part == "training":
            # A class that other parts have too is one, whatever it is called.
            others = (steps[0] for x in ORDER[1:] for steps, _ in by_part.get(x, ()))
            tested = {class_name(folder) for folder in others}
            pictures = _leave_unlabelled(
                pictures,
                notes,
                lambda top, tested=tested: (
                    says_no_label(top) and class_name(top) not in tested
                ),
            )
            notes.lines.extend(_folders_within(pictures))
        classes = _classes(pictures)
        known = known or list(classes)
        classes, renamed = _as_known(classes, known)
        if not classes.keys() & set(known):  # such as `test/unknown`
            what = f"pictures for {part} of no class that is trained on"
            leave(notes.unused, what, *names)
            continue
        parts[part] = classes
        notes.lines.extend(
            f"{name} in the {part} part is taken for {usual}."
            for name, usual in renamed
        )
    return Arranged(parts, {}, notes.unused, notes.lines)


def _as_known(
    named: Named, known: Collection[str]
) -> tuple[Named, list[tuple[str, str]]]:
    """Call classes as the training part does where only capitals differ."""
    usual = {name.casefold(): name for name in known}
    files: Named = {}
    renamed = []
    for name, some in named.items():
        label = name if name in known else usual.get(name.casefold(), name)
        if label != name:
            renamed.append((name, label))
        files.setdefault(label, []).extend(some)
    return files, renamed


def _is_deep(pictures: Iterable[Picture]) -> bool:
    """Tell whether pictures below a part's folder are in folders of classes."""
    return any(len(steps) > 1 for steps, _ in pictures)


def _unclear(
    by_part: Mapping[Part, list[Picture]],
    has_classes: Collection[Part],
    others: Collection[Picture],
) -> str:
    """Return why folders could be parts as well as classes; else an empty text."""
    training = by_part.get("training", ())
    if not has_classes:
        words = classes_in_names(name for _, name in training)
        return (
            f"folders have the names of parts ({', '.join(by_part)}), and the pictures "
            "in them are in no folders of classes" + (f" ({words})" if words else "")
        )
    folders = {steps[0] for steps, _ in training if len(steps) > 1}
    if others and len(by_part) == 1 and len(folders) > 1:
        beside = sorted({steps[0] for steps, _ in others})
        return (
            f"a folder is called as the training part and has folders in it "
            f"({some_of(folders)}), and {some_of(beside)} stand beside it"
        )
    return ""


def _parts_within_classes(
    pictures: list[Picture],
) -> tuple[list[Picture], dict[str, Part]] | None:
    """Return pictures with the part before the class, where each class has parts."""
    if len({steps[0] for steps, _ in pictures}) < 2:
        return None
    if not all(len(steps) > 2 for steps, _ in pictures):
        return None
    inner = {steps[1] for steps, _ in pictures}
    named: dict[str, Part] = {}
    for name in inner:
        if (part := part_of(name)) is not None:
            named[name] = part
    if len(named) < len(inner) or "training" not in named.values():
        return None
    turned: list[Picture] = [
        ((steps[1], steps[0], *steps[2:]), name) for steps, name in pictures
    ]
    return turned, named


def _parts_in_names(
    pictures: list[Picture], lines: list[str]
) -> tuple[list[Picture], dict[str, Part]] | None:
    """Return pictures with the part before the class, where one name says both.

    So do `trainA`, `trainB`, `testA`, and `train_cat`, `train_dog`, `test_cat`, and
    `cat_train`, `dog_train`, `cat_test`.
    """
    tops = {steps[0] for steps, _ in pictures}
    split = _split_all(tops, _PART_AND_CLASS, 1) or _split_all(tops, _CLASS_AND_PART, 2)
    named: dict[str, Part] = {}
    for word, _ in split.values():
        if (part := part_of(word)) is not None:
            named[word] = part
    classes = {name for word, name in split.values() if named[word] == "training"}
    if len(set(named.values())) < 2 or len(classes) < 2:
        return None
    first = min(top for top, (word, _) in split.items() if named[word] == "training")
    lines.append(
        f"Folders' names say part and class: {first} is {split[first][1]} in the "
        "training part."
    )
    turned: list[Picture] = [
        ((*split[steps[0]], *steps[1:]), name) for steps, name in pictures
    ]
    return turned, named


def _split_all(
    folders: Collection[str], pattern: re.Pattern[str], which: int
) -> dict[str, tuple[str, str]]:
    """Return the part's word and the class in each name; none if one lacks them."""
    split = {}
    for folder in folders:
        match = pattern.fullmatch(folder)
        if match is None or part_of(match[which]) is None:
            return {}
        split[folder] = match[which], match[3 - which]
    return split


def _unwrap(
    pictures: list[Picture],
    unused: Unused,
    closed: Collection[str],
    within: Part | None = None,
) -> list[Picture]:
    """Take off folders that all others are in, and pictures that are in none.

    Args:
        pictures: all of them, or those of a part.
        unused: gets the pictures that are in no folder.
        closed: names of folders that are not taken off.
        within: the part; a folder of its name in it is taken off, too.
    """
    while True:
        loose = [name for steps, name in pictures if len(steps) == 1]
        leave(unused, LOOSE, *loose)
        pictures = [(steps, name) for steps, name in pictures if len(steps) > 1]
        tops = {steps[0] for steps, _ in pictures}
        is_wrapped = len(tops) == 1 and any(len(steps) > 2 for steps, _ in pictures)
        if not is_wrapped or (top := tops.pop()) in closed:
            return pictures
        if part_of(top) not in (None, within) and not _has_parts(pictures):
            return pictures
        pictures = [(steps[1:], name) for steps, name in pictures]


def _has_parts(pictures: Iterable[Picture]) -> bool:
    """Tell whether folders in the outermost one are the training part and another."""
    parts = set(parts_among({steps[1] for steps, _ in pictures}).values())
    return len(parts) > 1 and "training" in parts


def _classes(pictures: Iterable[Picture]) -> Named:
    """Return the pictures of each class."""
    files: Named = {}
    for steps, name in pictures:
        files.setdefault(class_name(steps[0]), []).append(name)
    return {name: files[name] for name in in_order(files)}


def is_for_test(count: int) -> list[bool]:
    """Return which of a class's pictures are for the test where no part is.

    Every fifth is, or the last of two to four.
    """
    few = 1 < count < EVERY
    ranks = range(1, count + 1)
    return [rank % EVERY == 0 or (few and rank == count) for rank in ranks]
