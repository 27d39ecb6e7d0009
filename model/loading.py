"""Data sets from the disk or the network: found, downloaded, checked."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path

from model.data import DigitImages
from model.datasets import TEST, TRAINING, Dataset

# What torchvision raises when files are missing or not of MNIST's format: some checks
# of its own are assertions.
_UNREADABLE = (
    AssertionError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class DataError(Exception):
    """The data set is missing or broken; the message says what to do."""


def load_part(dataset: Dataset, folder: Path, *, train: bool) -> DigitImages:
    """Read the training or the test part.

    Args:
        dataset: which.
        folder: the data folder, which holds the data set's own.
        train: the training part, else the test part.

    Raises:
        DataError: nothing there, or files that are not of MNIST's format.
    """
    # Imported here: only training and evaluation need torchvision, and it is slow.
    from model.torchvision_data import read_image_file, read_label_file

    files = dataset.files_in(folder)
    images_name, labels_name = TRAINING if train else TEST
    try:
        images = read_image_file(str(files / images_name))
        labels = read_label_file(str(files / labels_name))
    except _UNREADABLE as error:
        raise DataError(_missing(dataset, folder)) from error
    if not len(images) or len(images) != len(labels):
        raise DataError(
            f"{files} must hold images and one label for each, "
            f"got {len(labels)} for {len(images)}"
        )
    return DigitImages(images, labels)


def _missing(dataset: Dataset, folder: Path) -> str:
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
    """Make sure that every file is the data set's own.

    Raises:
        DataError: one is missing or not; the message names it.
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
    """Download what is missing, showing progress, and check every file.

    Raises:
        DataError: the download failed or a file is not the data set's.
    """
    from model.torchvision_data import DOWNLOADS

    if dataset.downloaded_as is None:
        raise DataError(_missing(dataset, folder))
    title = dataset.title_in(folder)
    try:
        DOWNLOADS[dataset.downloaded_as](str(folder), download=True)
    except _UNREADABLE as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise DataError(
            f"could not download {title} into {folder}: {reason}. Try again when this "
            f"machine is online, or put {title}'s four files into {dataset.place} there"
        ) from error
    check_files(dataset, folder)


def broken_files(dataset: Dataset, folder: Path) -> Iterator[str]:
    """Yield the names of the files that are missing or not the data set's.

    Of a data set whose files' MD5 are not known, a file is right that is what its
    archive unpacks to, if the archive beside it has the MD5 that torchvision knows. Of
    your own data nothing is known: any file will do.
    """
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
    """Return the MD5 of what an archive holds; None if it is not the data set's."""
    from model.torchvision_data import DOWNLOADS

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
