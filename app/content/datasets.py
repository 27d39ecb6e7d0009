"""Labelled images to browse: test sets in MNIST's file format."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dataset_files import catalogue
from dataset_files.idx import BrokenFile, Bytes, read_labelled

log = logging.getLogger(__name__)

MNIST = catalogue.DATASETS["mnist"]
HOW_TO_GET = (
    "MNIST's test set is missing. Download it with `python -m model data`, or put "
    f"{' and '.join(catalogue.TEST)}, unpacked or as .gz files, into {MNIST.place} in "
    "the data folder. Then restart the server."
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled images; read-only.

    Attributes:
        id: names the data set in URLs.
        dataset: the name that cards of networks trained on it use.
        title: for people.
        images: (count, channels, rows, columns), 0..255.
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
        """Count the images of each label from 0 to the largest; for MNIST up to 9."""
        least = 10 if self.dataset == MNIST.name else 0
        return np.bincount(self.labels, minlength=least).tolist()

    def image(self, index: int) -> NDArray[np.float32]:
        """Return one image: (channels, rows, columns) in [0, 1]."""
        return self.images[index].astype(np.float32) / 255

    def indexes(self, label: int | None) -> NDArray[np.intp]:
        """Return the indexes of all images, or of those with one label."""
        if label is None:
            return np.arange(len(self))
        return np.flatnonzero(self.labels == label)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The available data sets by id, and a message on what is missing, if anything."""

    datasets: Mapping[str, Dataset]
    missing: str | None = None


def open_shelf(data_folder: Path) -> Shelf:
    """Open the data sets in a folder; damaged files are logged and left out."""
    datasets: dict[str, Dataset] = {}
    broken: list[str] = []
    for dataset in catalogue.DATASETS.values():
        if dataset.overlaps or dataset.is_symbols:
            continue  # MNIST's digits are on the shelf; drawings are their owner's
        try:
            found = open_test_set(data_folder, dataset)
        except FileNotFoundError:
            continue
        except BrokenFile as error:
            log.warning("%s: %s", dataset.name, error)
            broken.append(f"{_title(dataset, data_folder)} cannot be read: {error}.")
        else:
            datasets[found.id] = found
    if broken:
        return Shelf(datasets, " ".join(broken))
    return Shelf(datasets, None if datasets else HOW_TO_GET)


def open_test_set(data_folder: Path, dataset: catalogue.Dataset = MNIST) -> Dataset:
    """Open a test set; its images stay on disk until they are read.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, images and labels differ in number, or images
            have several labels.
    """
    images, labels = read_labelled(dataset.files_in(data_folder), catalogue.TEST)
    if labels.ndim > 1:
        raise BrokenFile(f"{catalogue.TEST[1]} must have one label for each image")
    return Dataset(
        id=f"{dataset.name}-test",
        dataset=dataset.name,
        title=_title(dataset, data_folder),
        images=images,
        labels=labels,
    )


def _title(dataset: catalogue.Dataset, data_folder: Path) -> str:
    title = dataset.title_in(data_folder)
    return f"{title} test set" if dataset.downloaded_as else f"Test set in {title}"
