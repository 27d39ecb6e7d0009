"""Arrays of images and labels in NumPy's files, as they are usually called.

Keras' `mnist.npz` has `x_train` and `y_train`, MedMNIST `train_images`, `train_labels`
and a part for validation, Kuzushiji-49 files of one array each. Without parts, every
fifth image of a class is for the test.
"""

import re
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.arranging import Part, is_for_test
from capsnet_explorer.datasets.form import COLOUR, GREY, LARGEST_SIDE, require_sides
from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.datasets.text import encoding_of

Role = Literal["images", "labels"]
Source = tuple[
    Path, str | None
]  # a file, and the name of an array in it, if it has any

_PART = re.compile(r"(train)(?:ing)?|(test)(?:ing)?|(val)(?:id(?:ation)?)?")
_ROLES: dict[Role, tuple[str, ...]] = {
    "images": ("x", "image", "images", "img", "imgs", "data", "pixels", "features"),
    "labels": ("y", "label", "labels", "target", "targets", "class", "classes"),
}
_NAMES = re.compile(r"(class|label|target|category)(es|s)?[^a-z]*names")

Range = tuple[int, int]
BYTES: Range = (0, 255)
# What stands for black and for white, in the order in which they are tried: shares,
# the 8x8 digits of UCI's collections, centred shares, and 8, 10, 12 and 16 bits.
RANGES: tuple[Range, ...] = (
    *((0, 1), (0, 16), (-1, 1)),
    *(BYTES, (0, 1023), (0, 4095), (0, 65535)),
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The images of one part.

    Attributes:
        images: (count, channels, rows, columns).
        labels: (count), whole numbers or words, as the file has them.
        range: what stood for black and for white.
    """

    images: Bytes
    labels: NDArray[Any]
    range: Range = BYTES


def role_of(name: str) -> tuple[Part | None, Role] | None:
    """Return what an array's name says; None if it says nothing known."""
    lower = name.lower()
    found = _PART.search(lower)
    part: Part | None = None
    if found is not None:
        parts: tuple[Part, ...] = ("training", "test", "validation")
        part = next(
            each for each, group in zip(parts, found.groups(), strict=True) if group
        )
        lower = lower[: found.start()] + "_" + lower[found.end() :]
    words = [word for word in re.split(r"[^a-z]+", lower) if word]
    if "names" in words:  # of classes, as `names_of` reads, or of files
        return None
    for role, names in _ROLES.items():
        if any(word in names for word in words):
            return part, role
    return None


def files_in(folder: Path) -> list[Path]:
    """Return the files in a folder, in order, or the one file itself."""
    found = folder.iterdir() if folder.is_dir() else [folder]
    return sorted(each for each in found if each.is_file())


def array_files(folder: Path) -> list[Path]:
    """Return NumPy's files in a folder, or the one file itself."""
    kept = (".npz", ".npy")
    return [each for each in files_in(folder) if each.suffix.lower() in kept]


def arrays_in(folder: Path) -> dict[tuple[Part | None, Role], Source]:
    """Return where each part's images and labels are.

    Raises:
        BrokenFile: a file is damaged.
    """
    found: dict[tuple[Part | None, Role], Source] = {}
    named = [(name.lower() == "classes", name, own) for name, own in _named(folder)]
    for _, name, source in sorted(named, key=lambda each: each[0]):
        if (role := role_of(name)) is not None:
            found.setdefault(role, source)
    return found or _by_shape(folder)


def _named(folder: Path) -> list[tuple[str, Source]]:
    """Return all arrays, each with the name that may say what it is."""
    found: list[tuple[str, Source]] = []
    for path in array_files(folder):
        for key in [None] if path.suffix.lower() == ".npy" else _keys(path):
            alone = key is None or re.fullmatch(r"arr_\d+", key)
            found.append((path.stem if alone or key is None else key, (path, key)))
    return found


def names_of(folder: Path, labels: Collection[int]) -> dict[int, str]:
    """Return the names that an array gives to labels; none where no array does.

    It is called `class_names` or the like, or `classes` beside other labels. Its first
    name is that of 0, or of 1 where labels begin there and are as many.

    Args:
        folder: holds the arrays.
        labels: all whole numbers that stand for classes.

    Raises:
        BrokenFile: it does not name them all.
    """
    taken = arrays_in(folder).values()
    for name, source in _named(folder):
        is_second = name.lower() == "classes" and source not in taken
        if not is_second and not _NAMES.search(name.lower()):
            continue
        names = [str(each) for each in as_labels(_loaded(source)).tolist()]
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

    Raises:
        BrokenFile: it is not clear which array is which; the message lists them.
    """
    shapes: dict[Source, tuple[int, ...]] = {}
    for name, source in _named(folder):
        if "names" not in name.lower():  # of classes or files
            shapes[source] = _loaded(source).shape
    images = [each for each, shape in shapes.items() if len(shape) in (3, 4)]
    labels = [each for each, shape in shapes.items() if len(shape) == 1]
    if not images:  # rows of pixels
        images = [each for each, shape in shapes.items() if len(shape) == 2]
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


def _keys(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return [name.removesuffix(".npy") for name in archive.namelist()]
    except (zipfile.BadZipFile, OSError) as error:
        raise BrokenFile(f"{path.name} must be NumPy's npz file, got {error}") from None


def has_arrays(folder: Path) -> bool:
    """Tell whether there are images and labels to train on."""
    try:
        found = arrays_in(folder)
    except BrokenFile:
        return False
    return any(
        (part, "images") in found and (part, "labels") in found
        for part in ("training", None)
    )


def read_arrays(folder: Path) -> dict[Part, Labelled]:
    """Read all parts; one for validation only where there is one.

    Raises:
        FileNotFoundError: there are no images and labels.
        BrokenFile: a file is damaged, or its arrays are no images and labels.
    """
    found = arrays_in(folder)
    whole = "training" if ("training", "images") in found else None
    if (whole, "images") not in found:
        raise FileNotFoundError(
            f"{folder} must hold arrays such as x_train and y_train, or images and "
            "labels"
        )
    if (whole, "labels") not in found:
        raise BrokenFile("the training images must have labels, got none")
    training = _read(found, whole)
    others: dict[Part, Labelled] = {
        part: _read(found, part, training.range)
        for part in ("validation", "test")
        if (part, "images") in found and (part, "labels") in found
    }
    return with_test(training, others)


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


def _read(
    found: Mapping[Any, Source], part: Part | None, span: Range | None = None
) -> Labelled:
    images, labels = (_loaded(found[part, role]) for role in ("images", "labels"))
    own = span or range_of(images)
    made = as_images(images, own)
    classes = as_labels(labels)
    if len(made) != len(classes):
        raise BrokenFile(
            f"there must be one label for each image, got {len(classes)} for "
            f"{len(made)}"
        )
    if not len(made):
        raise BrokenFile("there must be images, got none")
    try:
        require_sides(*made.shape[2:])
    except ValueError as error:
        raise BrokenFile(str(error)) from None
    return Labelled(made, classes, own)


def _loaded(source: Source) -> NDArray[Any]:
    path, key = source
    name = path.name if key is None else f"{key} in {path.name}"
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
        own = np.flatnonzero(whole.labels == label)
        is_test[own] = is_for_test(len(own))
    chosen = is_test if part == "test" else ~is_test
    return Labelled(whole.images[chosen], whole.labels[chosen], whole.range)


def range_of(array: NDArray[Any]) -> Range:
    """Return what stands for black and for white in an array of brightnesses.

    The least of `RANGES` that holds all numbers is taken.

    Raises:
        BrokenFile: they are no numbers, or in none of these ranges.
    """
    if array.dtype == bool:
        return RANGES[0]
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise BrokenFile(f"images must be numbers, got {array.dtype}")
    low, high = (float(end) for end in (array.min(initial=0), array.max(initial=0)))
    if low == high == 0:
        return BYTES
    for black, white in RANGES:
        if black <= low and high <= white:
            return black, white
    known = ", ".join(f"{black} to {white}" for black, white in RANGES)
    raise BrokenFile(
        f"images must have numbers in a usual range ({known}), got {low:g} to {high:g}"
    )


def range_words(span: Range) -> list[str]:
    """Say what was taken for black and for white, where it is not the usual."""
    if span == BYTES:
        return []
    return [f"Numbers from {span[0]} to {span[1]} are taken as black to white."]


def as_images(array: NDArray[Any], span: Range | None = None) -> Bytes:
    """Return an array of pictures as bytes: (count, channels, rows, columns).

    Args:
        array: (count, rows, columns), or with channels after or before these, or
            (count, pixels) of square images.
        span: what stands for black and for white; None takes what `range_of` finds.
            What lies beyond becomes black or white.

    Raises:
        BrokenFile: it has another form, or numbers that are no brightness.
    """
    array = _arranged(array)
    black, white = span or range_of(array)
    if array.dtype == np.uint8 and (black, white) == BYTES:
        return array
    levels = (array.astype(np.float32) - black) * np.float32(255 / (white - black))
    return np.rint(levels.clip(0, 255)).astype(np.uint8)


def _arranged(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim == 2:
        return squared(array)
    if array.ndim == 3:
        return array[:, None]
    if array.ndim == 4 and array.shape[3] in (GREY, COLOUR):
        return np.ascontiguousarray(array.transpose(0, 3, 1, 2))
    if array.ndim == 4 and array.shape[1] in (GREY, COLOUR):
        return array
    if array.ndim == 4 and array.shape[3] == 4:
        raise BrokenFile("images must be grey or colour, got four channels")
    raise BrokenFile(
        f"images must have a number, rows and columns, and perhaps {GREY} or {COLOUR} "
        f"channels, got the shape {' x '.join(map(str, array.shape))}"
    )


def squared(array: NDArray[Any], size: tuple[int, int] | None = None) -> NDArray[Any]:
    """Return rows of pixels as images: (count, channels, rows, columns).

    Args:
        array: (count, pixels); the three numbers of a colour stand together.
        size: rows and columns; None takes squares.

    Raises:
        BrokenFile: the number of pixels does not fit.
    """
    count, pixels = array.shape
    for channels in (GREY, COLOUR):
        side = isqrt(pixels // channels)
        rows, columns = size or (side, side)
        if (
            rows * columns * channels == pixels
            and 0 < max(rows, columns) <= LARGEST_SIDE
        ):
            images = array.reshape(count, rows, columns, channels)
            return np.ascontiguousarray(images.transpose(0, 3, 1, 2))
    wanted = "square images" if size is None else f"images of {size[0]}x{size[1]}"
    raise BrokenFile(
        f"{pixels} numbers must be the pixels of {wanted}, grey or in colour"
        + ("; their size can be given" if size is None else "")
    )


def as_labels(array: NDArray[Any]) -> NDArray[Any]:
    """Return one label for each image, a whole number or a word.

    Args:
        array: (count), (count, 1), or (count, classes) with a single 1 in each row.

    Raises:
        BrokenFile: it has another form.
    """
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 2 and np.isin(array, (0, 1)).all() and (array.sum(1) == 1).all():
        return array.argmax(1)
    if array.ndim != 1:
        raise BrokenFile(
            "labels must have one number or word for each image, got the shape "
            f"{' x '.join(map(str, array.shape))}"
        )
    if array.dtype.kind == "U":
        return array
    if array.dtype.kind == "S":
        words = array.tolist()
        encoding = encoding_of(words)
        return np.array([word.decode(encoding, "replace") for word in words])
    if (
        array.dtype.kind == "f"
        and np.isfinite(array).all()
        and (array == np.rint(array)).all()
    ):
        return array.astype(np.int64)
    if array.dtype.kind not in "iub":
        raise BrokenFile(f"labels must be whole numbers or words, got {array.dtype}")
    return array.astype(np.int64)
