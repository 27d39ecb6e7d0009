"""The forms that data come in: what is tried, in this order, and how it is read."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from capsnet_explorer.datasets.arrays import array_files, arrays_in, has_arrays
from capsnet_explorer.datasets.catalogue import DATASETS, Dataset, dataset_named
from capsnet_explorer.datasets.emnist import BEGINNING, PLACES, is_emnist, split_of
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import BrokenFile, idx_sets
from capsnet_explorer.datasets.parts import is_there, missing_idx
from capsnet_explorer.datasets.pictures import OneClass, survey
from capsnet_explorer.datasets.tables import has_tables, table_files
from capsnet_explorer.datasets.unpacking import unpacked

NEEDED = (
    "folders with pictures of two classes or more, CSV files with labels, arrays of "
    "images and labels, or four files in MNIST's format"
)


Holds = Callable[[Path, Folders | None], Dataset | None]
"""Returns the data set that a folder or a file holds in one form, if any."""


def _emnist(path: Path, folders: Folders | None) -> Dataset | None:
    for within in (".", *PLACES):
        for name in idx_sets(path / within):
            if is_emnist(name):
                return dataset_named(f"{BEGINNING}{split_of(name)}")
    return None


def _idx(path: Path, folders: Folders | None) -> Dataset | None:
    for dataset in sorted(DATASETS.values(), key=lambda dataset: dataset.place != "."):
        is_own = dataset.name == "idx" or dataset.place != "."
        is_meant = is_own and dataset.format == "idx" and not dataset.overlaps
        if is_meant and is_there(dataset, path):
            return dataset
    return None


def _numbers(path: Path, folders: Folders | None) -> Dataset | None:
    if has_tables(path):
        return DATASETS["csv"]
    return DATASETS["npz"] if array_files(path) and has_arrays(path) else None


def _pictures(path: Path, folders: Folders | None) -> Dataset | None:
    """Return the data set of pictures in folders."""
    try:
        survey(path, folders)
    except OneClass:
        raise
    except FileNotFoundError:
        return None
    return replace(DATASETS["folder"], folders=folders)


def _packed(path: Path, folders: Folders | None) -> Dataset | None:
    files = unpacked(path)
    return None if files == path else dataset_in(files)


READ: dict[str, Holds] = {
    "EMNIST as it is distributed": _emnist,
    "files in MNIST's format, by themselves or in a known data set's folder": _idx,
    "images in CSV files, or arrays of NumPy, MATLAB or CIFAR": _numbers,
    "pictures in folders, one for each class": _pictures,
    "any of these but pictures in an archive": _packed,
}


def dataset_in(path: Path, folders: Folders | None = None) -> Dataset | None:
    """Return the data set that a folder, or a file, holds, if any.

    Args:
        path: the folder or the file.
        folders: what the outermost folders of pictures are; None lets names tell.

    Raises:
        OneClass: there are pictures, of one class alone.
        BrokenFile: a file is damaged, or what is meant is unclear.
    """
    for holds in READ.values():
        if (dataset := holds(path, folders)) is not None:
            return dataset
    if idx_sets(path) and (missing := missing_idx(DATASETS["idx"], path)):
        raise BrokenFile(
            f"{path} must hold four files in MNIST's format, of which these are "
            f"missing: {', '.join(missing)}"
        )
    arrays_in(unpacked(path))  # what is damaged there, or unclear, is told
    table_files(unpacked(path))
    return None
