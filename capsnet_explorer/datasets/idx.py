"""Reading and writing idx files, MNIST's format for images and labels."""

import gzip
import math
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.storage.regular import require_file

UBYTE = 0x08  # idx type code of unsigned bytes
GZIP = b"\x1f\x8b"  # begins such a file
# As MNIST's files are called by its authors, and by browsers that unpack them.
_NAME = re.compile(
    r"(?P<before>.*?)(?P<part>train|t10k|test)[-_.](?P<what>images|labels)"
    r"[-_.]idx(?P<dimensions>\d)[-_.]ubyte(?:\.gz)?",
    re.IGNORECASE,
)

Bytes = NDArray[np.uint8]


class BrokenFile(ValueError):
    """A data file is damaged; the message names the file and the fault."""


def read_labelled(folder: Path, names: tuple[str, str]) -> tuple[Bytes, Bytes]:
    """Read images and their labels.

    Images of one channel have three dimensions in MNIST's format; images of several
    have a fourth, of the channels, after the first. Labels of one class each have one
    dimension; where images can show several classes or none, labels have two, and 1
    stands for each class that is present, 0 for every other.

    Args:
        folder: contains the files, which may be compressed as .gz files.
        names: file names of the images and the labels, without .gz.

    Returns:
        Images (count, channels, rows, columns), and labels (count) or (count, classes).

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, images and labels differ in number, or labels of
            several classes are neither 0 nor 1.
    """
    files = []
    for name in names:
        file = find_idx(folder, name)
        if file is None:
            raise FileNotFoundError(f"{folder / name} is missing")
        files.append(file)
    images = read_idx(files[0], dimensions=(3, 4))
    labels = read_idx(files[1], dimensions=(1, 2))
    if images.ndim == 3:
        images = images[:, None]
    if len(images) != len(labels):
        raise BrokenFile(
            f"{names[1]} must have one label per image, "
            f"got {len(labels)} for {len(images)} images"
        )
    if labels.ndim == 2 and labels.size and labels.max() > 1:
        raise BrokenFile(
            f"{names[1]} must hold 0 and 1 for each class, got {labels.max()}"
        )
    return images, labels


def find_idx(folder: Path, name: str) -> Path | None:
    """Return the file that stands for one of MNIST's, under any of its usual names.

    It may be compressed, have a dot for the hyphen before `idx`, be called `test` for
    `t10k`, and lie in a folder of its own name, as archives leave it.

    Args:
        folder: contains it.
        name: MNIST's own, perhaps with something before it, as EMNIST's have.
    """
    for usual in (folder / name, folder / f"{name}.gz"):
        if usual.is_file():
            return usual
    wanted = _meaning(name)
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return None
    matching = [
        inner
        for entry in entries
        if wanted is not None and _meaning(entry.name) == wanted
        for inner in (sorted(entry.iterdir()) if entry.is_dir() else [entry])
        if inner.is_file() and _meaning(inner.name) == wanted
    ]
    return min(matching, key=lambda path: path.suffix == ".gz", default=None)


def idx_sets(folder: Path) -> list[str]:
    """Return what stands before the names of the training images, such as `emnist-`.

    A folder with several has several data sets.
    """
    beginnings = set()
    for entry in folder.iterdir() if folder.is_dir() else ():
        match = _NAME.fullmatch(entry.name)
        if match and match["part"] == "train" and match["what"] == "images":
            beginnings.add(match["before"])
    return sorted(beginnings)


def _meaning(name: str) -> tuple[str, str, str] | None:
    """Return what a file's name says: what is before, the part, images or labels."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    part = "train" if match["part"].lower() == "train" else "test"
    return match["before"].lower(), part, match["what"].lower()


def read_idx(path: Path, *, dimensions: Sequence[int]) -> Bytes:
    """Read an idx file of bytes; an uncompressed one is mapped, not loaded.

    Args:
        path: the file; a compressed one is unpacked.
        dimensions: numbers of dimensions that the file may have.

    Raises:
        FileNotFoundError: the file does not exist.
        BrokenFile: it is not an idx file of bytes with such a number of dimensions, or
            its length does not match its header.
    """
    require_file(path)
    data = _unpack(path) if _is_packed(path) else _map(path)
    magic = bytes(data[:4])
    known = {bytes([0, 0, UBYTE, number]): 4 + 4 * number for number in dimensions}
    start = known.get(magic)
    if start is None or len(data) < start:
        numbers = " or ".join(map(str, dimensions))
        raise BrokenFile(
            f"{path.name} must be an idx file of bytes with {numbers} dimensions, "
            f"got one that starts with {magic.hex(' ') or 'nothing'}"
        )
    shape = [int(size) for size in np.frombuffer(data[4:start].tobytes(), ">u4")]
    if len(data) - start != math.prod(shape):
        raise BrokenFile(
            f"{path.name} must hold {math.prod(shape)} bytes after its header, "
            f"got {len(data) - start}"
        )
    return data[start:].reshape(shape)


def _is_packed(path: Path) -> bool:
    """Tell whether a file is compressed; its name may be wrong, as browsers unpack."""
    with path.open("rb") as file:
        start = file.read(4)
    is_idx = start[:3] == bytes([0, 0, UBYTE])
    return start[:2] == GZIP or (path.suffix == ".gz" and not is_idx)


def _map(path: Path) -> Bytes:
    if path.stat().st_size == 0:  # an empty file cannot be mapped
        return np.empty(0, np.uint8)
    return np.memmap(path, np.uint8, mode="r")


def _unpack(path: Path) -> Bytes:
    try:
        with gzip.open(path) as file:
            return np.frombuffer(file.read(), np.uint8)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BrokenFile(f"{path.name} must be a gzip file, got {error}") from error


def write_images(path: Path, images: Bytes) -> None:
    """Write images (count, channels, rows, columns); a single channel gets no axis."""
    write_idx(path, images[:, 0] if images.shape[1] == 1 else images)


def write_idx(path: Path, array: NDArray[np.integer[Any]]) -> None:
    """Write an idx file of bytes, and the folders above it.

    Args:
        path: the file.
        array: values from 0 to 255, of any shape.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(idx_header(array.shape) + array.astype(np.uint8).tobytes())


def idx_header(shape: Sequence[int]) -> bytes:
    """Return what stands before the bytes of an array in its idx file."""
    return bytes([0, 0, UBYTE, len(shape)]) + np.array(shape, ">u4").tobytes()
