"""Labelled images to browse: test sets, and drawn digits."""

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from flask import current_app
from numpy.typing import NDArray

from capsnet_explorer.datasets import catalogue
from capsnet_explorer.datasets.digits import writing
from capsnet_explorer.datasets.idx import BrokenFile, Bytes
from capsnet_explorer.datasets.parts import Images, read_part

EXTENSION = "capsnet-library"  # of an app
_FILES = (*catalogue.TEST, *(f"{name}.gz" for name in catalogue.TEST))

log = logging.getLogger(__name__)

MNIST = catalogue.DATASETS["mnist"]
HOW_TO_GET = (
    "MNIST's test set is missing. Download it with `python -m capsnet_explorer data`, "
    f"or put {' and '.join(catalogue.TEST)}, unpacked or as .gz files, into "
    f"{MNIST.place} in the data folder."
)


class Written:
    """The drawn test digits, which are drawn when the first is asked for.

    Attributes:
        shape: (count, channels, rows, columns).
    """

    shape = (writing.COUNTS["test"], 1, writing.IMAGE_SIDE, writing.IMAGE_SIDE)

    def __getitem__(self, index: Any) -> Bytes:
        return self._images[index]

    @cached_property
    def _images(self) -> Bytes:
        return writing.written("test")[:, None]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled images; read-only.

    Attributes:
        id: names the data set in URLs.
        dataset: the name that cards of networks trained on it use.
        title: for people.
        images: (count, channels, rows, columns), 0..255; read when they are asked for.
        labels: (count); None where nobody has said what the images show.
        stands_for: the name of a data set whose test images these are for, where the
            folder has none; "" for nothing.
    """

    id: str
    dataset: str
    title: str
    images: Images | Written
    labels: Bytes | None
    stands_for: str = ""

    def __len__(self) -> int:
        return self.images.shape[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """Channels, rows and columns of an image."""
        return self.images.shape[1:]

    def label_counts(self) -> list[int]:
        """Count the images of each label from 0 to the largest; for MNIST up to 9."""
        if self.labels is None:
            return []
        least = 10 if self.dataset == MNIST.name else 0
        return np.bincount(self.labels, minlength=least).tolist()

    def image(self, index: int) -> NDArray[np.float32]:
        """Return one image: (channels, rows, columns) in [0, 1]."""
        return self.images[index].astype(np.float32) / np.float32(255)

    def indexes(self, label: int | None) -> NDArray[np.intp]:
        """Return the indexes of all images, or of those with one label."""
        if label is None or self.labels is None:
            return np.arange(len(self))
        return np.flatnonzero(self.labels == label)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The available data sets by id, and a message on what is missing, if anything."""

    datasets: Mapping[str, Dataset]
    missing: str | None = None


class Library:
    """The data sets of a folder; what comes or changes later is found, too.

    They are opened when somebody first asks: to find 60 000 pictures takes a second.

    Args:
        folder: contains data sets.
        sets: returns the folders of the sets of one's own that are ready, by their ids.
        labelled: images that described networks were checked on.
        read_as: in which form a network reads the pictures of a data set, by its name.
    """

    def __init__(
        self,
        folder: Path,
        sets: Callable[[], Mapping[str, Path]] = dict,
        labelled: Sequence[Dataset] = (),
        read_as: Mapping[str, catalogue.Dataset] = MappingProxyType({}),
    ) -> None:
        self._folder = folder
        self._read_as = read_as
        self._sets = sets
        self._labelled = tuple(labelled)
        self._lock = threading.Lock()
        self._stamps: _Signature | None = None
        self._shelf = Shelf({})

    @property
    def shelf(self) -> Shelf:
        """What is there now."""
        with self._lock:
            signature = self._signature()
            if signature != self._stamps:
                shelf = open_shelf(self._folder, self._sets(), self._read_as)
                datasets = dict(shelf.datasets)
                for dataset in self._labelled:
                    placed = _in_place(dataset, datasets)
                    datasets[placed.id] = placed
                self._shelf, self._stamps = replace(shelf, datasets=datasets), signature
            return self._shelf

    def _signature(self) -> "_Signature":
        """Return what changes with the files of any test set; none need be there."""
        places = {entry.files_in(self._folder) for entry in catalogue.DATASETS.values()}
        places |= set(self._sets().values())
        stamps = []
        for path in (folder / name for folder in sorted(places) for name in _FILES):
            try:
                status = path.stat()
            except OSError:
                stamps.append(None)
            else:
                stamps.append((status.st_size, status.st_mtime_ns))
        return tuple(stamps)


def _in_place(dataset: Dataset, there: Mapping[str, Dataset]) -> Dataset:
    """Return labelled images in the place that they stand for, if it is free."""
    name = dataset.stands_for
    if not name or any(other.dataset == name for other in there.values()):
        return dataset
    return replace(dataset, id=f"{name}-test", dataset=name, stands_for="")


_Signature = tuple[tuple[int, int] | None, ...]  # size and time of each file


def labelled_by(engines: Mapping[str, Any]) -> list[Dataset]:
    """Return the images that described networks were checked on, as data sets."""
    sets = []
    for engine in engines.values():
        images, labels = getattr(engine, "own_images", (None, None))
        if images is None:
            continue
        name = engine.info.card["dataset"]
        stands_for = ""
        if name in catalogue.DATASETS:
            stands_for = name if labels is not None else ""
            name = f"described-{engine.info.id}"
        title = f"Your {len(images)} images for {engine.info.title}"
        sets.append(Dataset(f"{name}-test", name, title, images, labels, stands_for))
    return sets


def read_by(engines: Mapping[str, Any]) -> dict[str, catalogue.Dataset]:
    """Return data sets of pictures in the form in which the first network reads them.

    Pictures in folders have no form of their own.
    """
    datasets: dict[str, catalogue.Dataset] = {}
    for engine in engines.values():
        card = engine.info.card
        name = card.get("dataset")
        if name in catalogue.DATASETS:
            dataset = catalogue.dataset_of(card)
            if dataset.form is not None:
                datasets.setdefault(name, dataset)
    return datasets


def current_library() -> Library:
    """Return the library of the current app."""
    return cast(Library, current_app.extensions[EXTENSION])


def open_shelf(
    data_folder: Path,
    sets: Mapping[str, Path] | None = None,
    read_as: Mapping[str, catalogue.Dataset] = MappingProxyType({}),
) -> Shelf:
    """Open the data sets in a folder; damaged files are logged and left out.

    Args:
        data_folder: contains data sets.
        sets: the folders of sets of one's own, by their ids.
        read_as: data sets in the form in which a network reads them, by their names.
    """
    datasets: dict[str, Dataset] = {}
    broken: list[str] = []
    for dataset in catalogue.DATASETS.values():
        # Digits that overlap are on the shelf as MNIST's. Reading
        # tables takes too long at the start. Symbols are their owner's.
        if dataset.overlaps or dataset.is_written:
            continue
        if dataset.format in ("csv", "npz", "symbols"):
            continue
        try:
            entry = read_as.get(dataset.name, dataset)
            opened = open_test_set(data_folder, entry)
        except FileNotFoundError:
            continue
        except BrokenFile as error:
            log.warning("%s: %s", dataset.name, error)
            broken.append(f"{_title(dataset, data_folder)} cannot be read: {error}.")
        else:
            datasets[opened.id] = opened
    missing = None if datasets else HOW_TO_GET
    for id, folder in (sets or {}).items():
        # One that was deleted a moment ago, or is read again, is none.
        with contextlib.suppress(OSError, BrokenFile):
            dataset = catalogue.dataset_named(f"set:{id}")
            opened = open_test_set(folder, dataset)
            datasets[opened.id] = opened
    drawn = _drawn_test_set()
    datasets[drawn.id] = drawn
    return Shelf(datasets, " ".join(broken) or missing)


def open_test_set(data_folder: Path, dataset: catalogue.Dataset = MNIST) -> Dataset:
    """Open a test set; its images stay on disk until they are read.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, images and labels differ in number, or images
            have several labels.
    """
    images, labels = read_part(dataset, data_folder, train=False)
    if labels.ndim > 1:
        raise BrokenFile(f"{catalogue.TEST[1]} must have one label for each image")
    return Dataset(
        id=f"{catalogue.file_name(dataset.name)}-test",
        dataset=dataset.name,
        title=_title(dataset, data_folder),
        images=images,
        labels=labels,
    )


def _drawn_test_set() -> Dataset:
    dataset = catalogue.DATASETS["drawn"]
    return Dataset(
        id=f"{dataset.name}-test",
        dataset=dataset.name,
        title="Test digits that this project draws",
        images=Written(),
        labels=writing.labels_of("test"),
    )


def _title(dataset: catalogue.Dataset, data_folder: Path) -> str:
    title = dataset.title_in(data_folder)
    is_folder = title != dataset.title  # the folder's name is its own
    return f"Test set in {title}" if is_folder else f"{title} test set"
