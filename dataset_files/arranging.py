"""Which part and class each picture of a folder or an archive belongs to, by its name.

The classes are folders, in `train`, `val` and `test`, or in none of these. Folders that
hold nothing but the data set's folder are looked through, and so are hidden files and
what systems leave beside pictures.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from PIL import Image

Part = Literal["training", "validation", "test"]
Named = dict[str, list[str]]
"""The files of each class, in the order of their names."""

ORDER: tuple[Part, ...] = ("training", "validation", "test")
PARTS: dict[Part, tuple[str, ...]] = {
    "training": ("train", "training", "trainset", "train_set", "train_images"),
    "validation": ("val", "valid", "validation", "dev", "val_images"),
    "test": ("test", "testing", "testset", "test_set", "test_images"),
}
HIDDEN = (".", "__MACOSX")
LEFT_BY_SYSTEMS = ("thumbs.db", "desktop.ini", "$recycle.bin")
LONGEST_NAME = 80  # characters of a class's name
# Formats that run other programs, or hold documents and data rather than pictures.
NOT_READ = ("EPS", "MPEG", "HDF5", "GRIB", "BUFR", "WMF", "FITS", "PDF")


@dataclass(frozen=True, slots=True)
class Arranged:
    """The pictures of a folder or an archive.

    Attributes:
        parts: the pictures of each class, by part; empty where there are none.
        whole: those of each class where there are no parts.
        skipped: how many files are no pictures of a class, by what they are.
    """

    parts: Mapping[Part, Named]
    whole: Named
    skipped: Counter[str]


def arranged(names: Iterable[str], closed: Collection[str] = ()) -> Arranged:
    """Arrange files by their names.

    Args:
        names: paths within the folder or archive.
        closed: names of folders that are not looked through, as other data sets'.
    """
    skipped: Counter[str] = Counter()
    pictures: list[tuple[tuple[str, ...], str]] = []
    for name in sorted(names):
        steps = steps_of(name)
        if not steps or is_left_by_a_system(steps):
            continue
        if is_picture(steps[-1]):
            pictures.append((steps, name))
        else:
            skipped[PurePosixPath(steps[-1]).suffix.lower() or "no ending"] += 1
    pictures = _unwrapped(pictures, skipped, closed)
    tops = {steps[0] for steps, _ in pictures}
    deep = {steps[0] for steps, _ in pictures if len(steps) > 2}
    named = {top: part for top in deep if (part := part_of(top)) is not None}
    has_parts = len(named) == len(tops) or (
        "training" in named.values() and len(set(named.values())) > 1
    )
    if not named or not has_parts:
        return Arranged({}, _classes(pictures), skipped)
    parts: dict[Part, Named] = {}
    for part in PARTS:
        own = [
            (steps[1:], name) for steps, name in pictures if named.get(steps[0]) == part
        ]
        if own:
            parts[part] = _classes(_unwrapped(own, skipped, closed))
    outside = sum(steps[0] not in named for steps, _ in pictures)
    if outside:
        skipped[f"pictures outside of {', '.join(sorted(named))}"] += outside
    return Arranged(parts, {}, skipped)


def _unwrapped(
    pictures: list[tuple[tuple[str, ...], str]],
    skipped: Counter[str],
    closed: Collection[str],
) -> list[tuple[tuple[str, ...], str]]:
    """Take off folders that all others are in, and pictures that are in none."""
    while True:
        inside = [each for each in pictures if len(each[0]) > 1]
        if len(inside) < len(pictures):
            skipped["pictures in no folder"] += len(pictures) - len(inside)
        pictures = inside
        tops = {steps[0] for steps, _ in pictures}
        is_wrapped = len(tops) == 1 and any(len(steps) > 2 for steps, _ in pictures)
        if not is_wrapped or part_of(top := tops.pop()) is not None or top in closed:
            return pictures
        pictures = [(steps[1:], name) for steps, name in pictures]


def _classes(pictures: Iterable[tuple[tuple[str, ...], str]]) -> Named:
    found: Named = {}
    for steps, name in pictures:
        found.setdefault(class_name(steps[0]), []).append(name)
    return {name: found[name] for name in sorted(found)}


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


def part_of(folder: str) -> Part | None:
    """Return the part that the name of a folder means, if any."""
    name = folder.lower().replace("-", "_")
    return next((part for part in ORDER if name in PARTS[part]), None)


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
    return name[:LONGEST_NAME] or "?"
