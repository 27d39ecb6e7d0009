"""Arrays of images and labels in NumPy's files, as they are usually called.

Keras' `mnist.npz` has `x_train` and `y_train`, MedMNIST `train_images`, `train_labels`
and a part for validation, Kuzushiji-49 files of one array each. Without parts, every
fifth image of a class is for the test.
"""

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.arranging import Part
from capsnet_explorer.dataset_files.form import COLOUR, GREY, LARGEST_SIDE
from capsnet_explorer.dataset_files.idx import BrokenFile, Bytes
from capsnet_explorer.dataset_files.text import encoding_of

Role = Literal["images", "labels"]
Source = tuple[
    Path, str | None
]  # a file, and the name of an array in it, if it has any

_PART = re.compile(r"(train)(?:ing)?|(test)(?:ing)?|(val)(?:id(?:ation)?)?")
_ROLES: dict[Role, tuple[str, ...]] = {
    "images": ("x", "image", "images", "img", "imgs", "data", "pixels", "features"),
    "labels": ("y", "label", "labels", "target", "targets", "class", "classes"),
}
EVERY = 5  # of these images of a class, one is for the test


@dataclass(frozen=True, slots=True)
class Labelled:
    """The images of one part.

    Attributes:
        images: (count, channels, rows, columns).
        labels: (count), whole numbers or words, as the file has them.
    """

    images: Bytes
    labels: NDArray[Any]


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
    for role, names in _ROLES.items():
        if any(word in names for word in words):
            return part, role
    return None


def array_files(folder: Path) -> list[Path]:
    """Return NumPy's files in a folder, or the one file itself."""
    found = [folder] if folder.is_file() else sorted(_files(folder))
    return [each for each in found if each.suffix.lower() in (".npz", ".npy")]


def _files(folder: Path) -> list[Path]:
    return (
        [each for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []
    )


def arrays_in(folder: Path) -> dict[tuple[Part | None, Role], Source]:
    """Return where each part's images and labels are.

    Raises:
        BrokenFile: a file is damaged.
    """
    found: dict[tuple[Part | None, Role], Source] = {}
    for path in array_files(folder):
        keys = [None] if path.suffix.lower() == ".npy" else _keys(path)
        for key in keys:
            alone = key is None or re.fullmatch(r"arr_\d+", key)
            role = role_of(path.stem if alone or key is None else key)
            if role is not None:
                found.setdefault(role, (path, key))
    return found


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


def read_arrays(folder: Path, part: Part) -> Labelled | None:
    """Read one part; None if there is none.

    Raises:
        FileNotFoundError: there are no images and labels.
        BrokenFile: a file is damaged, or its arrays are no images and labels.
    """
    found = arrays_in(folder)
    if ("training", "images") in found:
        if part == "test" and ("test", "images") not in found:
            part = "validation"
        elif part == "validation" and ("test", "images") not in found:
            return None  # it is for the test
        if (part, "images") in found and (part, "labels") in found:
            return _read(found, part)
        if part == "training":
            raise BrokenFile("the training images must have labels, got none")
        if ("validation", "images") in found or part == "validation":
            return None
        return halved(_read(found, "training"), "test") if part == "test" else None
    if (None, "images") not in found or (None, "labels") not in found:
        raise FileNotFoundError(
            f"{folder} must hold arrays such as x_train and y_train, or images and "
            "labels"
        )
    return None if part == "validation" else halved(_read(found, None), part)


def _read(found: Mapping[Any, Source], part: Part | None) -> Labelled:
    images, labels = (_loaded(found[part, role]) for role in ("images", "labels"))
    made = as_images(images)
    classes = as_labels(labels)
    if len(made) != len(classes):
        raise BrokenFile(
            f"there must be one label for each image, got {len(classes)} for "
            f"{len(made)}"
        )
    return Labelled(made, classes)


def _loaded(source: Source) -> NDArray[Any]:
    path, key = source
    name = path.name if key is None else f"{key} in {path.name}"
    try:
        loaded = np.load(path, allow_pickle=False)
        array = loaded if key is None else loaded[key]
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
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
        if len(own) < EVERY:
            is_test[own[1:][-1:]] = True
        else:
            is_test[own[EVERY - 1 :: EVERY]] = True
    chosen = is_test if part == "test" else ~is_test
    return Labelled(whole.images[chosen], whole.labels[chosen])


def as_images(array: NDArray[Any]) -> Bytes:
    """Return an array of pictures as bytes: (count, channels, rows, columns).

    Numbers are taken for shares of 1, for bytes or for 16 bits, the first of these that
    holds them all.

    Args:
        array: (count, rows, columns), or with channels after or before these, or
            (count, pixels) of square images.

    Raises:
        BrokenFile: it has another form, or numbers that are no brightness.
    """
    array = _arranged(array)
    if array.dtype == np.uint8:
        return array
    if array.dtype == bool:
        return array.astype(np.uint8) * np.uint8(255)
    if not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise BrokenFile(f"images must be numbers, got {array.dtype}")
    if not array.size:
        return array.astype(np.uint8)
    low, high = float(array.min()), float(array.max())
    if not (np.isfinite(low) and np.isfinite(high)) or low < 0 or high > 65535:
        raise BrokenFile(
            "images must have numbers from 0 to 1, 255 or 65535, got "
            f"{low:g} to {high:g}"
        )
    top = 1 if high <= 1 else 255 if high <= 255 else 65535
    return np.rint(array * (255 / top)).astype(np.uint8)


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
