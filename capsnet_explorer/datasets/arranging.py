"""Which part and class each picture of a folder or an archive belongs to, by its name.

The classes are folders, in `train`, `val` and `test`, or in none of these; or each has
folders of these names. Folders that hold nothing but the data set's folder are looked
through. Hidden files, and what systems leave beside pictures, are passed over.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from PIL import Image

from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.text import some_of

Part = Literal["training", "validation", "test"]
Named = dict[str, list[str]]
"""The files of each class, in the order of their names."""
Picture = tuple[tuple[str, ...], str]
"""The folders and the file that a name goes through, and the name itself."""

ORDER: tuple[Part, ...] = ("training", "validation", "test")
PARTS: dict[Part, tuple[str, ...]] = {
    "training": (
        *("train", "training", "trn", "tr"),
        *("entrainement", "apprentissage", "entrenamiento", "treino", "addestramento"),
    ),
    "validation": (
        *("val", "valid", "validation", "validate", "dev", "eval", "evaluation"),
        *("validierung", "validacion", "validacao", "validazione"),
    ),
    "test": ("test", "testing", "tst", "holdout", "prueba", "teste", "prova"),
}
# Words that stand beside a part's and say nothing: `dataset_train`, `test-images`.
BESIDE = (
    *("set", "sets", "data", "dataset", "datasets", "split", "folder", "files"),
    *("image", "images", "img", "imgs", "picture", "pictures", "pics", "photos"),
    *("daten", "datos", "dados", "donnees", "bilder", "imagenes"),
)
# Words of folders that divide pictures by chance: `fold_1`, `split-2`.
DIVISIONS = ("fold", "cv", "split", "subset", "batch", "chunk", "shard")
HIDDEN = (".", "__MACOSX")
LEFT_BY_SYSTEMS = ("thumbs.db", "desktop.ini", "$recycle.bin")
EVERY = 5  # of these pictures of a class, one is for the test
LONGEST_NAME = 80  # characters of a class's name
# Formats that run other programs, or hold documents and data rather than pictures.
NOT_READ = ("EPS", "MPEG", "HDF5", "GRIB", "BUFR", "WMF", "FITS", "PDF")

_NUMBERED = re.compile(r"([^0-9]*)([0-9]{1,9})([^0-9]*)")
_PART_AND_CLASS = re.compile(r"([A-Z]?[a-z]+)(?:[_ -]+|(?=[A-Z0-9]))(.+)")
_BEGINNING = re.compile(r"([^\W\d_]{2,})[ ._-]*\(?\d+\)?")  # of `cat.12.jpg`
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Arranged:
    """The pictures of a folder or an archive.

    Attributes:
        parts: the pictures of each class, by part; empty where there are none.
        whole: those of each class where there are no parts.
        skipped: how many files are no pictures of a class, by what they are.
        lines: sentences on what was taken for what.
        unclear: why folders could be parts as well as classes; empty where they
            could not. `parts` and `whole` are empty then.
    """

    parts: Mapping[Part, Named]
    whole: Named
    skipped: Counter[str]
    lines: list[str] = field(default_factory=list)
    unclear: str = ""


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
    skipped: Counter[str] = Counter()
    pictures: list[Picture] = []
    for name in sorted(names):
        steps = steps_of(name)
        if not steps or is_left_by_a_system(steps):
            continue
        if is_picture(steps[-1]):
            pictures.append((steps, name))
        else:
            skipped[PurePosixPath(steps[-1]).suffix.lower() or "no ending"] += 1
    pictures = _unwrapped(pictures, skipped, closed)
    named = parts_among({steps[0] for steps, _ in pictures})
    lines: list[str] = []
    if folders == "classes" or not named:
        turned = None
        if folders != "classes":
            turned = _parts_within_classes(pictures)
            turned = turned or _parts_in_names(pictures, lines)
        if turned is None:
            return _without_parts(pictures, skipped, folders)
        pictures, named = turned
    by_part, others = _by_part(pictures, named, skipped, closed)
    if folders == "parts" and "training" not in by_part and _is_deep(others):
        tops = {steps[0] for steps, _ in others}
        lines.append(f"Taken for the training part: {some_of(tops)}.")
        own: dict[Part, list[Picture]] = {
            "training": [(steps[1:], name) for steps, name in others]
        }
        by_part = own | by_part
        others = []
    if folders is None:
        has_classes: list[Part] = [
            part for part, own in by_part.items() if _is_deep(own)
        ]
        if not has_classes and others:
            return Arranged({}, _classes(pictures), skipped)  # a class called train
        unclear = _unclear(by_part, has_classes, others)
        if unclear:
            return Arranged({}, {}, skipped, unclear=unclear)
        if "training" not in has_classes and others:
            return _without_parts(pictures, skipped, folders)
        if others and len(by_part) == 1:
            return Arranged({}, _classes(pictures), skipped)
    if others:
        skipped[f"pictures outside of {', '.join(sorted(named))}"] += len(others)
    return _of_parts(by_part, skipped, lines)


def _without_parts(
    pictures: list[Picture], skipped: Counter[str], folders: Folders | None
) -> Arranged:
    """Arrange pictures in folders that no names of parts stand for.

    Where each folder has the same folders in it, either could be the classes.
    """
    tops = {steps[0] for steps, _ in pictures}
    shared = _shared(pictures) if folders is None else set()
    is_divided = bool(shared) and all(_is_division(top) for top in tops)
    if (folders == "parts" and _is_deep_everywhere(pictures)) or is_divided:
        inner: list[Picture] = [(steps[1:], name) for steps, name in pictures]
        line = f"{some_of(tops)} divide the pictures: classes are the folders in them."
        return Arranged({}, _classes(inner), skipped, [line])
    if shared:
        why = f"{some_of(tops)} each have the folders {some_of(shared)} in them"
        return Arranged({}, {}, skipped, unclear=why)
    return Arranged({}, _classes(pictures), skipped, _folders_within(pictures))


def _folders_within(pictures: Iterable[Picture]) -> list[str]:
    """Say which classes have several folders in them."""
    inner: dict[str, set[str]] = {}
    for steps, _ in pictures:
        inner.setdefault(class_name(steps[0]), set()).update(steps[1:-1][:1])
    return [
        f"All pictures in the folders of {name} ({some_of(own)}) are of the class "
        f"{name}."
        for name, own in sorted(inner.items())
        if len(own) > 1
    ][:3]


def _shared(pictures: list[Picture]) -> set[str]:
    """Return the folders that all outermost ones have in them, if these are most."""
    inner: dict[str, set[str]] = {}
    for steps, _ in pictures:
        inner.setdefault(steps[0], set()).update(steps[1:-1][:1])
    if len(inner) < 2:
        return set()
    common = set.intersection(*inner.values())
    every = set.union(*inner.values())
    return common if len(common) > 1 and 2 * len(common) >= len(every) else set()


def _is_deep_everywhere(pictures: list[Picture]) -> bool:
    return all(len(steps) > 2 for steps, _ in pictures)


def _is_division(folder: str) -> bool:
    """Tell whether a folder's name says that chance put pictures into it."""
    is_numbered = re.search(r"\d|[_ -][a-zA-Z]$", folder) is not None
    return is_numbered and any(word in DIVISIONS for word in words_of(folder))


def _by_part(
    pictures: Iterable[Picture],
    named: Mapping[str, Part],
    skipped: Counter[str],
    closed: Collection[str],
) -> tuple[dict[Part, list[Picture]], list[Picture]]:
    """Return the pictures of each part, below its folder, and those of none."""
    own: dict[Part, list[Picture]] = {}
    others = []
    for steps, name in pictures:
        part = named.get(steps[0])
        if part is None:
            others.append((steps, name))
        else:
            own.setdefault(part, []).append((steps[1:], name))
    by_part: dict[Part, list[Picture]] = {}
    for part in ORDER:
        if (found := own.get(part)) is not None:
            is_deep = _is_deep(found)
            by_part[part] = (
                _unwrapped(found, skipped, closed, part) if is_deep else found
            )
    return by_part, others


def _of_parts(
    by_part: Mapping[Part, list[Picture]], skipped: Counter[str], lines: list[str]
) -> Arranged:
    """Arrange parts by the classes of their folders; one without any is left out."""
    parts: dict[Part, Named] = {}
    known: list[str] = []
    for part, own in by_part.items():
        if not _is_deep(own):
            skipped[f"pictures for {part} in folders of no class"] += len(own)
            continue
        classes = _classes(own)
        if part == "training":
            known = list(classes)
            lines += _folders_within(own)
        found, taken = _as_known(classes, known)
        if known and not found.keys() & set(known):  # such as `test/unknown`
            skipped[f"pictures for {part} of no class that is trained on"] += len(own)
            continue
        parts[part] = found
        lines += [
            f"{name} in the {part} part is taken for {own}." for name, own in taken
        ]
    return Arranged(parts, {}, skipped, lines)


def _as_known(
    named: Named, known: Collection[str]
) -> tuple[Named, list[tuple[str, str]]]:
    """Call classes as the training part does where only capitals differ."""
    usual = {name.casefold(): name for name in known}
    found: Named = {}
    taken = []
    for name, files in named.items():
        own = name if name in known else usual.get(name.casefold(), name)
        if own != name:
            taken.append((name, own))
        found.setdefault(own, []).extend(files)
    return found, taken


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
        return (
            f"folders have the names of parts ({', '.join(by_part)}), and the pictures "
            "in them are in no folders of classes" + _beginnings(training)
        )
    folders = {steps[0] for steps, _ in training if len(steps) > 1}
    if others and len(by_part) == 1 and len(folders) > 1:
        beside = sorted({steps[0] for steps, _ in others})
        return (
            f"a folder is called as the training part and has folders in it "
            f"({some_of(folders)}), and {some_of(beside)} stand beside it"
        )
    return ""


def _beginnings(pictures: Iterable[Picture]) -> str:
    """Say what the names of files begin with, where it may be their classes."""
    found = [_BEGINNING.match(steps[-1]) for steps, _ in pictures]
    words = Counter(each[1] for each in found if each)
    often = sorted(word for word, count in words.items() if count > 1)
    if len(often) < 2 or sum(words[word] for word in often) < len(found):
        return ""
    return (
        f" (files' names begin with {some_of(often)}: if these are the classes, each "
        "needs a folder)"
    )


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

    So do `trainA`, `trainB`, `testA`, and `train_cat`, `train_dog`, `test_cat`.
    """
    split: dict[str, tuple[str, str]] = {}
    for top in {steps[0] for steps, _ in pictures}:
        found = _PART_AND_CLASS.fullmatch(top)
        if found is None or part_of(found[1]) is None:
            return None
        split[top] = found[1], found[2]
    named: dict[str, Part] = {}
    for word, _ in split.values():
        if (part := part_of(word)) is not None:
            named[word] = part
    classes = {own for word, own in split.values() if named[word] == "training"}
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


def _unwrapped(
    pictures: list[Picture],
    skipped: Counter[str],
    closed: Collection[str],
    within: Part | None = None,
) -> list[Picture]:
    """Take off folders that all others are in, and pictures that are in none.

    Args:
        pictures: all of them, or those of a part.
        skipped: gets the pictures that are in no folder.
        closed: names of folders that are not taken off.
        within: the part; a folder of its name in it is taken off, too.
    """
    while True:
        inside = [each for each in pictures if len(each[0]) > 1]
        if len(inside) < len(pictures):
            skipped["pictures in no folder"] += len(pictures) - len(inside)
        pictures = inside
        tops = {steps[0] for steps, _ in pictures}
        is_wrapped = len(tops) == 1 and any(len(steps) > 2 for steps, _ in pictures)
        if not is_wrapped or (top := tops.pop()) in closed:
            return pictures
        if part_of(top) not in (None, within) and not _has_parts(pictures):
            return pictures
        pictures = [(steps[1:], name) for steps, name in pictures]


def _has_parts(pictures: Iterable[Picture]) -> bool:
    """Tell whether folders in the outermost one are the training part and another."""
    found = set(parts_among({steps[1] for steps, _ in pictures}).values())
    return len(found) > 1 and "training" in found


def _classes(pictures: Iterable[Picture]) -> Named:
    found: Named = {}
    for steps, name in pictures:
        found.setdefault(class_name(steps[0]), []).append(name)
    return {name: found[name] for name in in_order(found)}


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of classes in their order: numbers by what they count.

    Names may have the same words around their numbers: `class_2` is before `class_10`.
    """
    every = list(names)
    found = [_NUMBERED.fullmatch(name) for name in every]
    around = {(each[1], each[3]) if each else None for each in found}
    if len(around) != 1 or None in around:
        return sorted(every)
    numbers = {each.string: int(each[2]) for each in found if each}
    return sorted(every, key=lambda name: (numbers[name], name))


def steps_of(name: str) -> tuple[str, ...]:
    """Return the folders and the file that a name goes through.

    Archives of some programs have backslashes.
    """
    parts = name.split("/") if "/" in name else name.split("\\")
    return tuple(each for each in parts if each not in ("", "."))


def is_left_by_a_system(steps: tuple[str, ...]) -> bool:
    """Tell whether a file is hidden, or a system keeps it for itself."""
    return any(
        each.startswith(HIDDEN) or each.lower() in LEFT_BY_SYSTEMS for each in steps
    )


def part_of(folder: str, beside: Collection[str] = ()) -> Part | None:
    """Return the part that a name means, if any: `Train`, `test-set`, `dataset_val`.

    Args:
        folder: the name of a folder, or of a file without its ending.
        beside: further words that say nothing, since all names around it have them.
    """
    said = [
        word for word in words_of(folder) if word not in BESIDE and word not in beside
    ]
    return _part_said(said[0]) if len(said) == 1 else None


def first_part(names: Iterable[str]) -> Part | None:
    """Return the part that the first of some names means that means one."""
    return next((part for name in names if (part := part_of(name)) is not None), None)


def is_for_test(count: int) -> list[bool]:
    """Return which of a class's pictures are for the test where no part is.

    Every fifth is, or the last of two to four.
    """
    few = 1 < count < EVERY
    places = range(1, count + 1)
    return [place % EVERY == 0 or (few and place == count) for place in places]


_PART_WORDS: dict[str, Part] = {word: part for part in ORDER for word in PARTS[part]}


def _part_said(word: str) -> Part | None:
    """Return the part that a word means: `test`, `testset`, `testdata`."""
    ways = (word, *(word.removesuffix(each) for each in BESIDE if word.endswith(each)))
    return next((_PART_WORDS[each] for each in ways if each in _PART_WORDS), None)


def words_of(name: str) -> list[str]:
    """Return the words of a name, in small letters; digits and signs are none.

    Accents are taken off.
    """
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(each for each in apart if not unicodedata.combining(each))
    return [word.lower() for word in _WORD.findall(plain)]


def parts_among(names: Collection[str]) -> dict[str, Part]:
    """Return which names mean parts; words that all of them have say nothing."""
    common: set[str] = set()
    if len(names) > 1:
        common = set.intersection(*(set(words_of(name)) for name in names))
    return {name: part for name in names if (part := part_of(name, common)) is not None}


def is_picture(file: str) -> bool:
    """Tell whether a file's name ends like a picture's that can be read here."""
    return PurePosixPath(file).suffix.lower() in endings()


@cache
def endings() -> frozenset[str]:
    """Return the endings of pictures that Pillow reads here, with their dots."""
    known = {
        end
        for end, name in Image.registered_extensions().items()
        if name in Image.OPEN and name not in NOT_READ
    }
    return frozenset(known | {".jfif", ".pjpeg", ".pjp"})


def class_name(folder: str) -> str:
    """Return the name of a class, given its folder's.

    Accents are composed, since systems differ; bytes in no known encoding are read as
    Windows wrote them; what cannot be printed becomes a space.
    """
    if any("\udc80" <= each <= "\udcff" for each in folder):
        own = folder.encode("utf-8", "surrogateescape")
        folder = own.decode("cp1252", "replace")
    name = unicodedata.normalize("NFC", folder)
    name = "".join(
        " " if unicodedata.category(each)[0] == "C" else each for each in name
    ).strip()
    if len(name) > LONGEST_NAME:  # the end may tell it from others
        name = f"{name[: LONGEST_NAME // 2 - 1]}…{name[-LONGEST_NAME // 2 :]}"
    return name or "?"
