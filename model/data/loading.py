"""Finding, downloading and checking data sets."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from dataset_files.catalogue import TEST, TRAINING, Dataset
from dataset_files.idx import BrokenFile, read_labelled
from dataset_files.norb import NAMES as NORB_NAMES
from dataset_files.norb import read_norb
from dataset_files.symbols import read_symbols
from model.data.images import LabelledImages
from model.data.overlapping import DigitPool, fixed_overlaps

# What torchvision raises when a download fails. Some of its checks are assertions.
_NOT_DOWNLOADED = (
    AssertionError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class DataError(Exception):
    """The data set is missing or broken; the message says what to do."""


def load_part(
    dataset: Dataset, folder: Path, *, train: bool, one_class: bool = True
) -> LabelledImages:
    """Read the training or the test part.

    Args:
        dataset: the data set.
        folder: the data folder, which contains the data set's folder.
        train: whether to read the training part, else the test part.
        one_class: whether each image must show exactly one class.

    Returns:
        The images. Where they are laid over each other, a `DigitPool` for training, and
        for testing `Overlaps`.

    Raises:
        DataError: a file is missing or not in the data set's format, or images show
            several classes.
    """
    files = dataset.files_in(folder)
    names = TRAINING if train else TEST
    try:
        if dataset.is_norb:
            images, labels = read_norb(files, train=train)
        elif dataset.is_symbols:
            images, labels = read_symbols(files).part(train=train)
        else:
            images, labels = read_labelled(files, names)
    except OSError as error:
        raise DataError(_missing(dataset, folder)) from error
    except BrokenFile as error:
        raise DataError(f"{files}: {error}. {_missing(dataset, folder)}") from error
    if not len(images):
        raise DataError(f"{files / names[0]} must hold images, got none")
    if one_class and labels.ndim > 1:
        raise DataError(
            f"{files / names[1]} must have one label for each image, got one for each "
            "class"
        )
    if one_class and dataset.overlaps:
        raise DataError(f"{dataset.title} show two classes: this needs images of one")
    # Copied into memory, so that training does not wait for the disk.
    found = LabelledImages(
        torch.from_numpy(np.array(images)),
        torch.from_numpy(labels.astype(np.int64)),
    )
    if not dataset.overlaps:
        return found
    if train:
        return DigitPool(found.images, found.labels)
    return fixed_overlaps(found, "test")


def _missing(dataset: Dataset, folder: Path) -> str:
    if dataset.made_by is not None:
        return (
            f"no readable {dataset.title} in {folder}: run `python -m model "
            f"{dataset.made_by}` to make them, or name a folder that holds "
            f"{dataset.place} with --data"
        )
    if dataset.is_norb:
        return (
            f"no readable {dataset.title} in {folder}: its files, such as "
            f"{NORB_NAMES[0]}-dat.mat, belong unpacked into {dataset.place} there"
        )
    if dataset.is_symbols:
        return (
            f"{folder} must hold a set of symbols, {dataset.place}: draw one in the "
            "page under Train and save it there"
        )
    if dataset.downloaded_as is None:
        return (
            f"{folder} must hold four files in MNIST's format, "
            f"{', '.join((*TRAINING, *TEST))}: name such a folder with --data"
        )
    title = dataset.title_in(folder)
    return (
        f"no readable {title} in {folder}: run `python -m model data{_named(dataset)}` "
        f"to download it, or name a folder that holds {dataset.place} with --data"
    )


def _named(dataset: Dataset) -> str:
    return "" if dataset.name == "mnist" else f" --dataset {dataset.name}"


def check_files(dataset: Dataset, folder: Path) -> None:
    """Check that every file exists and is undamaged.

    Raises:
        DataError: a file is missing or damaged; the message says which.
    """
    for name in broken_files(dataset, folder):
        path = dataset.files_in(folder) / name
        if not path.is_file():
            raise DataError(_missing(dataset, folder))
        raise DataError(
            f"{path} is damaged: its MD5 is not {dataset.title_in(folder)}'s. "
            f"Remove it and run `python -m model data{_named(dataset)}` again"
        )


def download(dataset: Dataset, folder: Path) -> None:
    """Download missing files, showing progress, and check every file.

    Raises:
        DataError: the download failed or a file is damaged.
    """
    from model.data.torchvision_files import DOWNLOADS

    if dataset.downloaded_as is None:
        raise DataError(_missing(dataset, folder))
    title = dataset.title_in(folder)
    try:
        DOWNLOADS[dataset.downloaded_as](str(folder), download=True)
    except _NOT_DOWNLOADED as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise DataError(
            f"could not download {title} into {folder}: {reason}. Try again when this "
            f"machine is online, or put {title}'s four files into {dataset.place} there"
        ) from error
    check_files(dataset, folder)


def broken_files(dataset: Dataset, folder: Path) -> Iterator[str]:
    """Yield the names of the files that are missing or damaged.

    Where the MD5 of a file is unknown, the file must equal the content of its archive,
    and the archive must have the MD5 that torchvision lists. A data set of your own has
    no known MD5, so any file passes, and so does a set of symbols.
    """
    if dataset.is_symbols:
        return  # reading it is the check
    files = dataset.files_in(folder)
    known = dict(dataset.raw_md5)
    for name in (*TRAINING, *TEST):
        path = files / name
        if not path.is_file():
            yield name
        elif dataset.downloaded_as is not None:
            expected = known.get(name) or _md5_in_archive(dataset, files / f"{name}.gz")
            if _md5_of(path) != expected:
                yield name


def _md5_in_archive(dataset: Dataset, archive: Path) -> str | None:
    """Return the MD5 of an archive's content; None if the archive is damaged."""
    from model.data.torchvision_files import DOWNLOADS

    right = dict(DOWNLOADS[str(dataset.downloaded_as)].resources)
    if not archive.is_file() or _md5_of(archive) != right[archive.name]:
        return None
    try:
        with gzip.open(archive) as file:
            return hashlib.file_digest(file, "md5").hexdigest()
    except (EOFError, OSError, zlib.error):
        return None


def _md5_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()
