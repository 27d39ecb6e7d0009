"""Labelled images to browse: test sets in the files of MNIST's format."""

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
IMAGES = "t10k-images-idx3-ubyte"
LABELS = "t10k-labels-idx1-ubyte"
HOW_TO_GET = (
    "MNIST's test set is not here. Download it with `python -m model data`, or put "
    f"{IMAGES} and {LABELS}, as they are or with .gz, into MNIST/raw of the "
    "data folder; then start the server again."
)

Bytes = NDArray[np.uint8]


class DatasetError(ValueError):
    """A data file is broken; the message names it and says how."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a data set's test images may lie.

    Attributes:
        dataset: its name, as cards of networks trained on it say it.
        title: for people; `{folder}` stands for the data folder's name.
        folder: inside the data folder, where torchvision puts it.
    """

    dataset: str
    title: str
    folder: Path


MNIST = Place("mnist", "MNIST test set", Path("MNIST", "raw"))
PLACES = (
    MNIST,
    Place("fashion-mnist", "Fashion-MNIST test set", Path("FashionMNIST", "raw")),
    Place("kmnist", "Kuzushiji-MNIST test set", Path("KMNIST", "raw")),
    Place("idx", "Test set in {folder}", Path()),
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled images that nothing changes.

    Attributes:
        id: names the data set in addresses.
        dataset: whose test set it is, as cards of networks trained on it say it.
        title: for people.
        images: (count, rows, columns), ink 0..255.
        labels: (count).
    """

    id: str
    dataset: str
    title: str
    images: Bytes
    labels: Bytes

    def __len__(self) -> int:
        return len(self.labels)

    def label_counts(self) -> list[int]:
        """Count the images of each label from 0 to the largest; digits go to 9."""
        least = 10 if self.dataset == MNIST.dataset else 0
        return np.bincount(self.labels, minlength=least).tolist()

    def image(self, index: int) -> NDArray[np.float32]:
        """Return one image: (rows, columns), ink in [0, 1]."""
        return self.images[index].astype(np.float32) / 255

    def indexes(self, label: int | None) -> NDArray[np.intp]:
        """Return the places of all images, or of those with one label."""
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
    datasets: dict[str, Dataset] = {}
    broken: list[str] = []
    for place in PLACES:
        try:
            found = open_test_set(data_folder, place)
        except FileNotFoundError:
            continue
        except DatasetError as error:
            log.warning("%s: %s", place.dataset, error)
            broken.append(f"{_title(place, data_folder)} cannot be read: {error}.")
        else:
            datasets[found.id] = found
    if broken:
        return Shelf(datasets, " ".join(broken))
    return Shelf(datasets, None if datasets else HOW_TO_GET)


def open_test_set(data_folder: Path, place: Place = MNIST) -> Dataset:
    """Open a test set; its images stay on disk until they are looked at.

    Raises:
        FileNotFoundError: a file is not there.
        DatasetError: a file is broken, or the two do not belong together.
    """
    folder = data_folder / place.folder
    images = read_idx(_find(folder / IMAGES), dimensions=3)
    labels = read_idx(_find(folder / LABELS), dimensions=1)
    if len(images) != len(labels):
        raise DatasetError(
            f"{LABELS} must have one label per image, "
            f"got {len(labels)} for {len(images)} images"
        )
    return Dataset(
        id=f"{place.dataset}-test",
        dataset=place.dataset,
        title=_title(place, data_folder),
        images=images,
        labels=labels,
    )


def _title(place: Place, data_folder: Path) -> str:
    return place.title.format(folder=data_folder.resolve().name)


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
