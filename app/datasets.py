"""Labelled digits to browse: reads MNIST's idx files."""

import gzip
import logging
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

UBYTE = 0x08  # idx type code of unsigned bytes
FOLDER = Path("MNIST", "raw")  # inside the data folder, where torchvision puts it
IMAGES = "t10k-images-idx3-ubyte"
LABELS = "t10k-labels-idx1-ubyte"
HOW_TO_GET = (
    "MNIST's test set is not here. Download it with `python -m model data`, or put "
    f"{IMAGES} and {LABELS}, as they are or with .gz, into {FOLDER.as_posix()} of the "
    "data folder; then start the server again."
)

Bytes = NDArray[np.uint8]


class DatasetError(ValueError):
    """A data file is broken; the message names it and says how."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled images that nothing changes.

    Attributes:
        id: names the data set in addresses.
        title: for people.
        images: (count, rows, columns), ink 0..255.
        labels: (count).
    """

    id: str
    title: str
    images: Bytes
    labels: Bytes

    def __len__(self) -> int:
        return len(self.labels)

    def label_counts(self) -> list[int]:
        """Count the digits of each label from 0 to the largest, at least 9."""
        return np.bincount(self.labels, minlength=10).tolist()

    def image(self, index: int) -> NDArray[np.float32]:
        """Return one image: (rows, columns), ink in [0, 1]."""
        return self.images[index].astype(np.float32) / 255

    def indexes(self, label: int | None) -> NDArray[np.intp]:
        """Return the places of all digits, or of those with one label."""
        if label is None:
            return np.arange(len(self))
        return np.flatnonzero(self.labels == label)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The data sets at hand, by id, and a sentence on what is missing, if anything."""

    datasets: Mapping[str, Dataset]
    missing: str | None = None


def open_shelf(data_folder: Path) -> Shelf:
    """Open what a data folder holds; broken files are logged and count as missing."""
    try:
        mnist = open_mnist_test(data_folder)
    except FileNotFoundError:
        return Shelf({}, HOW_TO_GET)
    except DatasetError as error:
        log.warning("%s", error)
        return Shelf({}, f"MNIST's test set cannot be read: {error}.")
    return Shelf({mnist.id: mnist})


def open_mnist_test(data_folder: Path) -> Dataset:
    """Open MNIST's test set; its images stay on disk until they are looked at.

    Raises:
        FileNotFoundError: a file is not there.
        DatasetError: a file is broken, or the two do not belong together.
    """
    images = read_idx(_find(data_folder / FOLDER / IMAGES), dimensions=3)
    labels = read_idx(_find(data_folder / FOLDER / LABELS), dimensions=1)
    if len(images) != len(labels):
        raise DatasetError(
            f"{LABELS} must have one label per image, "
            f"got {len(labels)} for {len(images)} images"
        )
    return Dataset("mnist-test", "MNIST test set", images, labels)


def _find(path: Path) -> Path:
    packed = path.with_name(path.name + ".gz")
    return packed if packed.exists() and not path.exists() else path


def read_idx(path: Path, *, dimensions: int) -> Bytes:
    """Read an idx file of bytes; an uncompressed one is mapped, not loaded.

    Args:
        path: the file; one that ends in .gz is unpacked.
        dimensions: how many the file must have.

    Raises:
        FileNotFoundError: there is no such file.
        DatasetError: it is not an idx file of bytes with so many dimensions, or its
            length is not what its header says.
    """
    data = _unpack(path) if path.suffix == ".gz" else _map(path)
    start = 4 + 4 * dimensions
    magic = bytes(data[:4])
    if len(data) < start or magic != bytes([0, 0, UBYTE, dimensions]):
        raise DatasetError(
            f"{path.name} must be an idx file of bytes with {dimensions} dimensions, "
            f"got one that starts with {magic.hex(' ') or 'nothing'}"
        )
    shape = [int(size) for size in np.frombuffer(data[4:start].tobytes(), ">u4")]
    if len(data) - start != math.prod(shape):
        raise DatasetError(
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
        raise DatasetError(f"{path.name} must be a gzip file, got {error}") from error
