"""Reading and writing idx files, MNIST's format for images and labels."""

import gzip
import math
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

UBYTE = 0x08  # idx type code of unsigned bytes

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
    images = read_idx(_find(folder / names[0]), dimensions=(3, 4))
    labels = read_idx(_find(folder / names[1]), dimensions=(1, 2))
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


def _find(path: Path) -> Path:
    packed = path.with_name(path.name + ".gz")
    return packed if packed.exists() and not path.exists() else path


def read_idx(path: Path, *, dimensions: Sequence[int]) -> Bytes:
    """Read an idx file of bytes; an uncompressed one is mapped, not loaded.

    Args:
        path: the file; one that ends in .gz is unpacked.
        dimensions: numbers of dimensions that the file may have.

    Raises:
        FileNotFoundError: the file does not exist.
        BrokenFile: it is not an idx file of bytes with such a number of dimensions, or
            its length does not match its header.
    """
    data = _unpack(path) if path.suffix == ".gz" else _map(path)
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
