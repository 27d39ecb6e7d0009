"""Reading and writing idx files, MNIST's format for images and labels."""

import gzip
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

UBYTE = 0x08  # idx type code of unsigned bytes

Bytes = NDArray[np.uint8]


class BrokenFile(ValueError):
    """A data file is damaged; the message names the file and the fault."""


def read_labelled(folder: Path, names: tuple[str, str]) -> tuple[Bytes, Bytes]:
    """Read images (count, rows, columns) and their labels (count).

    Args:
        folder: contains the files, which may be compressed as .gz files.
        names: file names of the images and the labels, without .gz.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, or images and labels differ in number.
    """
    images = read_idx(_find(folder / names[0]), dimensions=3)
    labels = read_idx(_find(folder / names[1]), dimensions=1)
    if len(images) != len(labels):
        raise BrokenFile(
            f"{names[1]} must have one label per image, "
            f"got {len(labels)} for {len(images)} images"
        )
    return images, labels


def _find(path: Path) -> Path:
    packed = path.with_name(path.name + ".gz")
    return packed if packed.exists() and not path.exists() else path


def read_idx(path: Path, *, dimensions: int) -> Bytes:
    """Read an idx file of bytes; an uncompressed one is mapped, not loaded.

    Args:
        path: the file; one that ends in .gz is unpacked.
        dimensions: number of dimensions that the file must have.

    Raises:
        FileNotFoundError: the file does not exist.
        BrokenFile: it is not an idx file of bytes with that number of dimensions, or
            its length does not match its header.
    """
    data = _unpack(path) if path.suffix == ".gz" else _map(path)
    start = 4 + 4 * dimensions
    magic = bytes(data[:4])
    if len(data) < start or magic != bytes([0, 0, UBYTE, dimensions]):
        raise BrokenFile(
            f"{path.name} must be an idx file of bytes with {dimensions} dimensions, "
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


def write_idx(path: Path, array: NDArray[np.integer[Any]]) -> None:
    """Write an idx file of bytes, and the folders above it.

    Args:
        path: the file.
        array: values from 0 to 255, of any shape.
    """
    header = bytes([0, 0, UBYTE, array.ndim])
    sizes = np.array(array.shape, ">u4").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header + sizes + array.astype(np.uint8).tobytes())
