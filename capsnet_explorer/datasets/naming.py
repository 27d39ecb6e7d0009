"""What names of files and folders say: parts, classes, pictures, or no label."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from PIL import Image

from capsnet_explorer.datasets.text import some_of
from capsnet_explorer.pictures.decoding.kinds import HEIF, READ

Part = Literal["training", "validation", "test"]

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
# Words of folders whose pictures have no label, or wait for one.
NO_LABEL = (
    *("unknown", "predict", "prediction", "predictions", "inference", "submission"),
    *("todo", "unsup", "trash", "rejected", "unbekannt", "inconnu", "inconnus"),
    *("desconocido", "desconhecido", "sconosciuto", "vorhersage"),
)
# So are those that say in one word or two that a label is not there, or yet to come:
# `unlabeled`, `to_sort`, `sin etiqueta`, `nicht zugeordnet`, `à classer`.
NOT_YET = (
    *("un", "no", "not", "non", "ohne", "nicht", "noch", "sans", "pas", "sin", "sem"),
    *("senza", "without", "to", "a", "da", "por", "para", "zu"),
)
TO_LABEL = (
    *("label", "gelabel", "etiket", "etiquet", "etichett", "rotul", "sort", "trie"),
    *("class+if", "clasif", "klassif", "class?er", "clas+es?$", "klasse$", "annot"),
    *("anot", "tag(ged)?$", "categor", "kategor", "zugeordn", "zuordn", "benannt"),
    *("do$", "fare$"),
)
# Words of folders that divide pictures by chance: `fold_1`, `split-2`.
DIVISIONS = ("fold", "cv", "split", "subset", "batch", "chunk", "shard")
HIDDEN = (".", "__MACOSX")
LEFT_BY_SYSTEMS = ("thumbs.db", "desktop.ini", "$recycle.bin")
LONGEST_NAME = 80  # characters of a class's name
# Formats that run other programs, or hold documents and data rather than pictures.
NOT_READ = ("EPS", "MPEG", "HDF5", "GRIB", "BUFR", "WMF", "FITS", "PDF")

_NUMBERED = re.compile(r"([^0-9]*)([0-9]{1,9})([^0-9]*)")
# As systems call a folder that nobody has named.
_UNNAMED = re.compile(
    r"(new|untitled|neuer|nouveau|nueva|nova|nuova)[ _]"
    r"(folder|ordner|dossier|carpeta|pasta|cartella)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NO_LABEL = re.compile(rf"(^|_)({'|'.join(NOT_YET)})_?({'|'.join(TO_LABEL)})")
_PART_WORDS: dict[str, Part] = {word: part for part in ORDER for word in PARTS[part]}


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of classes in their order: numbers by what they count.

    Names may have the same words around their numbers: `class_2` is before `class_10`.
    """
    every = list(names)
    numbered = [_NUMBERED.fullmatch(name) for name in every]
    around = {(match[1], match[3]) if match else None for match in numbered}
    if len(around) != 1 or None in around:
        return sorted(every)
    numbers = {match.string: int(match[2]) for match in numbered if match}
    return sorted(every, key=lambda name: (numbers[name], name))


def unlike_others(names: Collection[str]) -> str | None:
    """Return the one name that has no number where all others have one, if any.

    So is `misc` beside `0` to `9`, and `backup` beside `class_1`, `class_2` …; a copy
    of a class, such as `cat - Copy`, and `New folder` are unlike others, too.
    """
    around: dict[tuple[str, str] | None, list[str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        around.setdefault((match[1], match[3]) if match else None, []).append(name)
    odd = [some[0] for some in around.values() if len(some) == 1]
    if len(around) == 2 and len(odd) == 1 and len(names) > 3:
        return odd[0]
    whole = {name.casefold() for name in names}
    for name in sorted(names):
        if _UNNAMED.match(name):
            return name
        copied = re.fullmatch(r"(.+?)( - copy| copy|_copy|\(\d+\))+", name.casefold())
        if copied and copied[1].strip() in whole:
            return name
    return _far_number(names)


def _far_number(names: Collection[str]) -> str | None:
    """Return the one number far above others that follow each other, such as 255."""
    numbers = {int(name): name for name in names if re.fullmatch(r"\d{1,9}", name)}
    if len(numbers) < len(names) or len(names) < 4:
        return None
    *others, second, highest = sorted(numbers)
    are_next = second - others[0] == len(others)
    return numbers[highest] if are_next and highest - second > len(names) else None


def spelt_twice(names: Iterable[str]) -> list[str]:
    """Say which names are one, and stored in two ways: accents apart, or composed."""
    spelt: dict[str, set[str]] = {}
    for name in names:
        spelt.setdefault(class_name(name), set()).add(name.strip())
    return [
        f"{name} is stored in two ways (NFC and NFD), by its accents: both are one."
        for name, some in sorted(spelt.items())
        if len({unicodedata.is_normalized("NFC", name) for name in some}) > 1
    ]


def classes_in_names(files: Iterable[str]) -> str:
    """Say what the names of files begin or end with, where it may be their classes.

    Returns:
        Words, such as of `cat.1.png` and `dog.1.png`; empty where there are none.
    """
    spoken = [words_of(PurePosixPath(steps_of(file)[-1]).stem) for file in files]
    for which, verb in ((0, "begin"), (-1, "end")):
        counts = Counter(words[which] for words in spoken if words)
        is_each_named = counts.total() == len(spoken) and len(counts) > 1
        if is_each_named and min(counts.values()) > 1:
            return (
                f"files' names {verb} with {some_of({*counts})}: if these are the "
                "classes, each needs a folder"
            )
    return ""


def steps_of(name: str) -> tuple[str, ...]:
    """Return the folders and the file that a name goes through.

    Archives of some programs have backslashes.
    """
    parts = name.split("/") if "/" in name else name.split("\\")
    return tuple(step for step in parts if step not in ("", "."))


def is_left_by_a_system(steps: tuple[str, ...]) -> bool:
    """Tell whether a file is hidden, or a system keeps it for itself."""
    return any(
        step.startswith(HIDDEN) or step.lower() in LEFT_BY_SYSTEMS for step in steps
    )


def part_of(folder: str, beside: Collection[str] = ()) -> Part | None:
    """Return the part that a name means, if any: `Train`, `test-set`, `dataset_val`.

    Args:
        folder: the name of a folder, or of a file without its ending.
        beside: further words that say nothing, since all names around it have them.
    """
    parts = [
        word for word in words_of(folder) if word not in BESIDE and word not in beside
    ]
    return _part_of_word(parts[0]) if len(parts) == 1 else None


def first_part(names: Iterable[str]) -> Part | None:
    """Return the part that the first of some names means that means one."""
    return next((part for name in names if (part := part_of(name)) is not None), None)


def part_within(folder: str) -> Part | None:
    """Return the part that a word of a name means: `one_training`, `test cats`."""
    words = words_of(folder)
    spoken = (word for word in words[:1] + words[-1:] if len(word) > 2)
    return next((part for word in spoken if (part := _PART_WORDS.get(word))), None)


def says_no_label(folder: str) -> bool:
    """Tell whether a folder is called as pictures without a label are."""
    words = words_of(folder)
    is_said = _NO_LABEL.search("_".join(words)) is not None
    return is_said or any(word in NO_LABEL for word in words)


def is_division(folder: str) -> bool:
    """Tell whether a folder's name says that chance put pictures into it."""
    is_numbered = re.search(r"\d|[_ -][a-zA-Z]$", folder) is not None
    return is_numbered and any(word in DIVISIONS for word in words_of(folder))


def _part_of_word(word: str) -> Part | None:
    """Return the part that a word means: `test`, `testset`, `testdata`."""
    ways = (word, *(word.removesuffix(end) for end in BESIDE if word.endswith(end)))
    return next((_PART_WORDS[way] for way in ways if way in _PART_WORDS), None)


def words_of(name: str) -> list[str]:
    """Return the words of a name, in small letters; digits and signs are none.

    Accents are taken off.
    """
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
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
    if any(kind.codec == HEIF for kind in READ):  # which its package adds to Pillow
        known |= {".heic", ".heif"}
    return frozenset(known | {".jfif", ".pjpeg", ".pjp"})


def class_name(folder: str) -> str:
    """Return the name of a class, given its folder's.

    Accents are composed, since systems differ; bytes in no known encoding are read as
    Windows wrote them; what cannot be printed becomes a space.
    """
    if any("\udc80" <= sign <= "\udcff" for sign in folder):
        stored = folder.encode("utf-8", "surrogateescape")
        folder = stored.decode("cp1252", "replace")
    name = unicodedata.normalize("NFC", folder)
    name = "".join(
        " " if unicodedata.category(sign)[0] == "C" else sign for sign in name
    ).strip()
    if len(name) > LONGEST_NAME:  # the end may tell it from others
        name = f"{name[: LONGEST_NAME // 2 - 1]}…{name[-LONGEST_NAME // 2 :]}"
    return name or "?"
