"""Which arrays are images and which labels, in files of NumPy, MATLAB and CIFAR.

Keras' `mnist.npz` has `x_train` and `y_train`, MedMNIST `train_images`, `train_labels`
and a part for validation, Kuzushiji-49 files of one array each, SVHN `X` and `y` in a
file for each part, Quick, Draw! an array for each class. Without parts, every fifth
image of a class is for the test.
"""

import re
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.arranging import is_for_test
from capsnet_explorer.datasets.batches import (
    batch_files,
    batches_folder,
    read_batches,
)
from capsnet_explorer.datasets.data_files import files_in
from capsnet_explorer.datasets.form import require_sides
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.matlab import matlab_arrays
from capsnet_explorer.datasets.naming import Part, first_part, is_division, part_of
from capsnet_explorer.datasets.pixels import (
    Labelled,
    Range,
    as_images,
    as_labels,
    beyond_words,
    count_first,
    range_of,
)
from capsnet_explorer.datasets.text import some_of

Role = Literal["images", "labels"]
Source = tuple[
    Path, str | None
]  # a file, and the name of an array in it, if it has any
Sources = dict[tuple[Part | None, Role], Source]
Classes = dict[Part | None, dict[str, Source]]

ENDINGS = (".npz", ".npy", ".mat")
SVHN = {(".mat", "X"), (".mat", "y")}  # its label 10 is the digit 0
LEAST_PIXELS = 64  # of an image: an array of shorter rows is none of images

_PART = re.compile(r"(train)(?:ing)?|(test)(?:ing)?|(val)(?:id(?:ation)?)?")
_ROLES: dict[Role, tuple[str, ...]] = {
    "images": ("x", "image", "images", "img", "imgs", "data", "pixels", "features"),
    "labels": ("y", "label", "labels", "target", "targets", "class", "classes"),
}
_NAMES = re.compile(r"(class|label|target|category)(es|s)?[^a-z]*names")


def role_of(name: str) -> tuple[Part | None, Role] | None:
    """Return what an array's name says; None if it says nothing known."""
    lower = name.lower()
    match = _PART.search(lower)
    part: Part | None = None
    if match is not None:
        parts: tuple[Part, ...] = ("training", "test", "validation")
        part = next(
            part for part, group in zip(parts, match.groups(), strict=True) if group
        )
        lower = lower[: match.start()] + "_" + lower[match.end() :]
    words = [word for word in re.split(r"[^a-z]+", lower) if word]
    if "names" in words:  # of classes, as `names_of` reads, or of files
        return None
    for role, names in _ROLES.items():
        if any(word in names for word in words):
            return part, role
    return None


def array_files(folder: Path) -> list[Path]:
    """Return the files of arrays in a folder, or the one file itself."""
    if (batches := batches_folder(folder)) is not None:
        return [file for files in batch_files(batches).values() for file in files]
    return [path for path, _ in files_in(folder) if path.suffix.lower() in ENDINGS]


def arrays_in(folder: Path) -> Sources:
    """Return where each part's images and labels are.

    Where an array's name says no part, its file's name or folder may.

    Raises:
        BrokenFile: a file is damaged.
    """
    if batches_folder(folder) is not None:
        return {}
    roles = dict(files_in(folder))
    sources: Sources = {}
    named = [
        (name.lower() == "classes", name, source) for name, source in _arrays_of(folder)
    ]
    for _, name, source in sorted(named, key=lambda entry: entry[0]):
        if (role := role_of(name)) is not None:
            path = source[0]
            words = re.split(r"[^a-z]+", path.stem.lower())
            part = role[0] or roles.get(path) or first_part(words)
            sources.setdefault((part, role[1]), source)
    return sources or ({} if arrays_of_classes(folder) else _by_shape(folder))


def _arrays_of(folder: Path) -> list[tuple[str, Source]]:
    """Return all arrays, each with the name that may say what it is."""
    named: list[tuple[str, Source]] = []
    for path in array_files(folder):
        for key in _keys(path):
            is_alone = key is None or re.fullmatch(r"arr_\d+", key)
            named.append((path.stem if is_alone or key is None else key, (path, key)))
    return named


def unused_arrays(folder: Path) -> list[str]:
    """Return the names of arrays that are neither images, labels nor names of these.

    Raises:
        BrokenFile: a file is damaged.
    """
    if batches_folder(folder) is not None:
        return []
    by_class = arrays_of_classes(folder)
    used = {*arrays_in(folder).values()}
    used |= {source for sources in by_class.values() for source in sources.values()}
    return [
        f"{path.name}: {key}" if key else path.name
        for name, (path, key) in _arrays_of(folder)
        if (path, key) not in used
        and not _NAMES.search(name.lower())
        and name.lower() != "classes"
    ]


def arrays_of_classes(folder: Path) -> Classes:
    """Return the array of each class, where each has one and there are no labels.

    So has Quick, Draw!: `full_numpy_bitmap_cat.npy`. Names may say parts, too.

    Raises:
        BrokenFile: a file is damaged.
    """
    named = _arrays_of(folder)
    if len(named) < 2 or any(role_of(name) is not None for name, _ in named):
        return {}
    shapes = {_load(source).shape[1:] for _, source in named}
    pixels = [int(np.prod(shape)) for shape in shapes]
    if len(shapes) != 1 or pixels[0] < LEAST_PIXELS:
        return {}
    start = _common_start([name for name, _ in named])
    classes: Classes = {}
    folders = dict(files_in(folder))
    for name, source in named:
        words = re.findall(r"[^\W\d_]+|\d+", name.removeprefix(start))
        part = part_of(words[0]) if words else None
        label = " ".join(words[1:] if part else words)
        part = part or folders.get(source[0])
        if not label or is_division(name):
            return {}
        classes.setdefault(part, {})[label] = source
    is_whole = None in classes and len(classes) == 1
    return classes if is_whole or "training" in classes else {}


def _common_start(names: Collection[str]) -> str:
    """Return the words before the last of their signs that all names begin with."""
    first, last = min(names), max(names)
    same = next((k for k, sign in enumerate(first) if sign != last[k]), len(first))
    return first[: 1 + max(first.rfind("_", 0, same), first.rfind("-", 0, same))]


def names_of(folder: Path, labels: Collection[int]) -> dict[int, str]:
    """Return the names that an array gives to labels; none where no array does.

    It is called `class_names` or the like, or `classes` beside other labels. Its first
    name is that of 0, or of 1 where labels begin there and are as many.

    Raises:
        BrokenFile: it does not name them all.
    """
    taken = arrays_in(folder).values()
    if {(path.suffix, key) for path, key in taken} == SVHN and min(labels) > 0:
        return {label: str(label % 10) for label in labels if label <= 10}
    for name, source in _arrays_of(folder):
        is_second = name.lower() == "classes" and source not in taken
        if not is_second and not _NAMES.search(name.lower()):
            continue
        names = [str(name) for name in as_labels(_load(source)).tolist()]
        if len(set(names)) < len(names):  # one for each image
            continue
        first = int(min(labels) == 1 and max(labels) == len(names))
        if not 0 <= min(labels) - first <= max(labels) - first < len(names):
            raise BrokenFile(
                f"{name} must name the labels {min(labels)} to {max(labels)}, got "
                f"{len(names)} names"
            )
        return {label: names[label - first] for label in labels}
    return {}


def _by_shape(folder: Path) -> dict[tuple[Part | None, Role], Source]:
    """Return where images and labels are among arrays whose names say nothing.

    Images have rows and columns, labels a number for each; two pairs are the training
    part and, of fewer images, the test.
    """
    shapes: dict[Source, tuple[int, ...]] = {}
    for name, source in _arrays_of(folder):
        if "names" not in name.lower():  # of classes or files
            shapes[source] = _load(source).shape
    images = [source for source, shape in shapes.items() if len(shape) in (3, 4)]
    labels = [source for source, shape in shapes.items() if len(shape) == 1]
    if not images:  # rows of pixels
        images = [source for source, shape in shapes.items() if len(shape) == 2]
    pairs = [
        (image, label)
        for image in images
        for label in labels
        if shapes[image][0] == shapes[label][0]
    ]
    counts = sorted((shapes[image][0] for image, _ in pairs), reverse=True)
    is_clear = len(pairs) == len(images) == len(labels) and len(set(counts)) == len(
        counts
    )
    if not is_clear or not 1 <= len(pairs) <= 2:
        if not images or not labels:
            return {}
        listed = ", ".join(
            f"{key or path.name} ({' x '.join(map(str, shape))})"
            for (path, key), shape in shapes.items()
        )
        raise BrokenFile(
            "arrays must have names such as x_train and y_train where their shapes do "
            f"not tell which is which, got {listed}"
        )
    pairs.sort(key=lambda pair: -shapes[pair[0]][0])
    parts: list[Part | None] = [None] if len(pairs) == 1 else ["training", "test"]
    return {
        (part, role): source
        for part, pair in zip(parts, pairs, strict=True)
        for role, source in zip(("images", "labels"), pair, strict=True)
    }


def _keys(path: Path) -> list[str | None]:
    """Return the names of the arrays in a file; None is for one that has no name."""
    if path.suffix.lower() == ".npy":
        return [None]
    if path.suffix.lower() == ".mat":
        return [*matlab_arrays(path)]
    try:
        with zipfile.ZipFile(path) as archive:
            return [name.removesuffix(".npy") for name in archive.namelist()]
    except (zipfile.BadZipFile, OSError) as error:
        raise BrokenFile(f"{path.name} must be NumPy's npz file, got {error}") from None


def has_arrays(folder: Path) -> bool:
    """Tell whether there are images and labels to train on."""
    if batches_folder(folder) is not None:
        return True
    try:
        sources = arrays_in(folder)
        if arrays_of_classes(folder):
            return True
    except BrokenFile:
        return False
    return any(
        (part, "images") in sources and (part, "labels") in sources
        for part in ("training", None)
    )


def read_arrays(folder: Path) -> dict[Part, Labelled]:
    """Read all parts; one for validation only where there is one.

    Raises:
        FileNotFoundError: there are no images and labels.
        BrokenFile: a file is damaged, or its arrays are no images and labels.
    """
    if (batches := batches_folder(folder)) is not None:
        return _of_batches(batches)
    if by_class := arrays_of_classes(folder):
        return _of_classes(by_class)
    sources = arrays_in(folder)
    whole = "training" if ("training", "images") in sources else None
    if (whole, "images") not in sources:
        raise FileNotFoundError(
            f"{folder} must hold arrays such as x_train and y_train, or images and "
            "labels"
        )
    if (whole, "labels") not in sources:
        raise BrokenFile("the training images must have labels, got none")
    training = _read(sources, whole)
    others: dict[Part, Labelled] = {
        part: _read(sources, part, training.range)
        for part in ("validation", "test")
        if (part, "images") in sources and (part, "labels") in sources
    }
    return with_test(training, others)


def _of_batches(folder: Path) -> dict[Part, Labelled]:
    """Read CIFAR's pickled batches."""
    parts = read_batches(folder)
    training, test = (Labelled(*parts[part]) for part in ("training", "test"))
    return {"training": training, "test": test}


def _of_classes(classes: Classes) -> dict[Part, Labelled]:
    """Read arrays of one class each."""
    parts: dict[Part, Labelled] = {}
    span: Range | None = None
    for part in sorted(classes, key=lambda part: part != "training"):
        arrays = {name: _load(source) for name, source in classes[part].items()}
        whole = np.concatenate([*arrays.values()])
        span = span or range_of(whole)
        labels = np.repeat([*arrays], [len(array) for array in arrays.values()])
        line = f"Each array is a class: {some_of([*arrays], 10)}."
        parts[part or "training"] = Labelled(
            as_images(whole, span),
            labels,
            span,
            (line,),
            beyond_words(whole, span, part),
        )
    return with_test(parts.pop("training"), parts)


def with_test(whole: Labelled, others: Mapping[Part, Labelled]) -> dict[Part, Labelled]:
    """Return all parts: without images for the test, those for validation are for it.

    Where there are neither, the training images are divided.

    Args:
        whole: the training images.
        others: those for validation and for the test, if there are any.
    """
    parts = dict(others)
    if not parts:
        return {part: halved(whole, part) for part in ("training", "test")}
    if "test" not in parts:
        parts["test"] = parts.pop("validation")
    return {"training": whole, **parts}


def _read(sources: Sources, part: Part | None, span: Range | None = None) -> Labelled:
    images, labels = (_load(sources[part, role]) for role in ("images", "labels"))
    path, key = sources[part, "images"]
    classes = as_labels(labels)
    images, lines = count_first(images, len(classes), key or path.stem)
    span = span or range_of(images)
    formed = as_images(images, span)
    if len(formed) != len(classes):
        raise BrokenFile(
            f"there must be one label for each image, got {len(classes)} for "
            f"{len(formed)}"
        )
    if not len(formed):
        raise BrokenFile("there must be images, got none")
    try:
        require_sides(*formed.shape[2:])
    except ValueError as error:
        raise BrokenFile(str(error)) from None
    return Labelled(formed, classes, span, lines, beyond_words(images, span, part))


def _load(source: Source) -> NDArray[Any]:
    path, key = source
    name = path.name if key is None else f"{key} in {path.name}"
    if key is not None and path.suffix.lower() == ".mat":
        return matlab_arrays(path)[key]
    try:
        loaded = np.load(path, allow_pickle=False)
        array = loaded if key is None else loaded[key]
    except MemoryError:
        raise BrokenFile(f"{name} needs more memory than there is") from None
    except (
        *(ValueError, OSError, KeyError, EOFError),
        *(zipfile.BadZipFile, zlib.error, NotImplementedError),
    ) as error:
        if "allow_pickle" in str(error):
            raise BrokenFile(
                f"{name} must be an array of numbers or words, got Python's objects, "
                "which may hold code and are never read: save it as array.astype(str)"
            ) from None
        raise BrokenFile(f"{name} must be an array of numbers, got {error}") from None
    if not isinstance(array, np.ndarray):  # as of a file that is no array at all
        raise BrokenFile(f"{name} must be an array of numbers, got other data")
    return array


def halved(whole: Labelled, part: Part) -> Labelled:
    """Return the training or the test part of images that have no parts."""
    is_test = np.zeros(len(whole.labels), bool)
    for label in np.unique(whole.labels):
        members = np.flatnonzero(whole.labels == label)
        is_test[members] = is_for_test(len(members))
    chosen = is_test if part == "test" else ~is_test
    images, labels = whole.images[chosen], whole.labels[chosen]
    return replace(whole, images=images, labels=labels)
