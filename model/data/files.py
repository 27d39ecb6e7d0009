"""The files of data sets: what is missing or damaged, and how it is downloaded.

Whoever checks or downloads waits for no torch.
"""

import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from capsnet_explorer.datasets import cifar
from capsnet_explorer.datasets.catalogue import TEST, TRAINING, Dataset
from capsnet_explorer.datasets.idx import BrokenFile, find_idx
from capsnet_explorer.datasets.parts import (
    idx_prefix,
    is_there,
    missing_idx,
    read_part,
)
from capsnet_explorer.datasets.pictures import has_pictures
from capsnet_explorer.model.data.fetching import Advance, NotFetched, fetch

OWN = ("pictures", "csv", "npz")  # formats of people's own data
ELSEWHERE = (
    "Name another folder, or file, with --data; `python -m capsnet_explorer data "
    "--describe FOLDER` says what is in one"
)


class DataError(Exception):
    """The data set is missing or broken; the message says what to do."""


@contextmanager
def explaining(dataset: Dataset, folder: Path) -> Iterator[None]:
    """Say what to do where a file is missing or damaged."""
    try:
        yield
    except OSError as error:
        # With a number it is the system's, whose words are about one file alone.
        words = "" if error.errno is not None or not error.args else f"{error}. "
        if dataset.format == "idx" or not words:
            raise DataError(_missing(dataset, folder)) from error
        is_told = dataset.format in OWN and str(folder) in words
        what = ELSEWHERE if is_told else _missing(dataset, folder)
        raise DataError(f"{words}{what}") from error
    except BrokenFile as error:
        describe = f"python -m capsnet_explorer data --describe {folder}"
        what = f"`{describe}` says what is understood of it"
        if dataset.format not in OWN:
            what = _missing(dataset, folder)
        raise DataError(f"{error}. {what}") from error


def _missing(dataset: Dataset, folder: Path) -> str:
    if dataset.made_by is not None:
        return (
            f"no readable {dataset.title} in {folder}: run `python -m capsnet_explorer "
            f"{dataset.made_by}` to make them, or name a folder that holds "
            f"{dataset.place} with --data"
        )
    if dataset.format == "pictures":
        return (
            f"{folder} must hold pictures in folders, one for each class, within train "
            "and test, train.zip and test.zip, or by themselves: name such a folder "
            "with --data; `python -m capsnet_explorer data --describe FOLDER` says "
            "what is in one"
        )
    if dataset.format in ("csv", "npz"):
        what = (
            "CSV files with labels" if dataset.format == "csv" else "arrays of images"
        )
        return f"{folder} must hold {what}: name such a folder, or file, with --data"
    if dataset.format == "symbols":
        return (
            f"{folder} must hold a set of symbols, {dataset.place}: draw one in the "
            "page under Train and save it there"
        )
    if not dataset.can_be_downloaded:
        before = f"emnist-{dataset.split}-" if dataset.split else ""
        names = ", ".join(before + name for name in (*TRAINING, *TEST))
        return (
            f"{folder} must hold four files in MNIST's format, {names}, unpacked or as "
            ".gz files: name such a folder with --data"
        )
    title = dataset.title_in(folder)
    return (
        f"no readable {title} in {folder}: run `python -m capsnet_explorer "
        f"data{_named(dataset)}` to download it, or name a folder that holds "
        f"{dataset.place} with --data"
    )


def _named(dataset: Dataset) -> str:
    return "" if dataset.name == "mnist" else f" --dataset {dataset.name}"


def check_files(dataset: Dataset, folder: Path) -> None:
    """Check that every file exists and is undamaged.

    Raises:
        DataError: a file is missing or damaged; the message says which.
    """
    files = dataset.files_in(folder)
    if dataset.format in OWN and not is_there(dataset, folder):
        with explaining(dataset, folder):
            for train in (True, False):  # which says what is missing
                read_part(dataset, folder, train=train)
        raise DataError(_missing(dataset, folder))
    for name in broken_files(dataset, folder):
        path = find_idx(files, name) or files / name
        if not path.is_file():
            raise DataError(_missing(dataset, folder))
        raise DataError(
            f"{path} is damaged: its MD5 is not {dataset.title_in(folder)}'s. "
            f"Remove it and run `python -m capsnet_explorer data{_named(dataset)}` "
            "again"
        )


def download(
    dataset: Dataset,
    folder: Path,
    *,
    mirror: str | None = None,
    advance: Advance = lambda fetched: None,
) -> None:
    """Download what is missing or damaged, and check every file.

    Args:
        dataset: the data set.
        folder: the data folder.
        mirror: address of a server to ask in place of the usual ones.
        advance: called with the number of bytes that have come.

    Raises:
        DataError: the download failed or a file is damaged.
        OSError: the files cannot be written.
    """
    if not dataset.can_be_downloaded:
        raise DataError(_missing(dataset, folder))
    title = dataset.title_in(folder)
    names = list(broken_files(dataset, folder))
    try:
        if dataset.format == "cifar":
            _download_cifar(dataset.files_in(folder))
        else:
            fetch(dataset, folder, names, mirror=mirror, advance=advance)
    except NotFetched as error:
        raise DataError(
            f"could not download {title}: {error}. Try again when this machine is "
            f"online, or put {title}'s files into {dataset.place} in {folder}"
        ) from error
    check_files(dataset, folder)


def _download_cifar(to: Path) -> None:
    """Download and unpack CIFAR-10's archive."""
    from capsnet_explorer.model.data.torchvision_files import (
        download_and_extract_archive,
    )

    try:
        download_and_extract_archive(cifar.ADDRESS, str(to), md5=cifar.ARCHIVE_MD5)
    except (OSError, RuntimeError, ValueError, tarfile.TarError) as error:
        raise NotFetched(str(error).partition("\n")[0].rstrip(":")) from error


def broken_files(dataset: Dataset, folder: Path) -> Iterator[str]:
    """Yield the names of the files that are missing or damaged.

    Where the MD5 of a file is unknown, the file must equal the content of its archive,
    whose MD5 is known. A data set of your own has no known MD5, so any file passes.
    """
    if dataset.is_written:
        return
    if dataset.format == "cifar" and has_pictures(dataset.files_in(folder)):
        return  # of these no MD5 is known
    files = dataset.files_in(folder)
    if dataset.format == "idx" and not dataset.can_be_downloaded:
        yield from missing_idx(dataset, files)
        return
    before = idx_prefix(dataset, files) if dataset.format == "idx" else ""
    for name in _names_of(dataset):
        path = files / name
        if dataset.format == "idx":
            path = find_idx(files, before + name) or path
        if not path.is_file() or not _is_right(dataset, name, path):
            yield name


def _is_right(dataset: Dataset, name: str, path: Path) -> bool:
    """Tell whether a file has the MD5 that is known of it, packed or unpacked."""
    known = dict(dataset.raw_md5).get(name)
    if path.suffix == ".gz":
        if _md5_of(path) == dict(dataset.archives).get(f"{name}.gz"):
            return True
        return known is not None and known in (_md5_unpacked(path), _md5_of(path))
    return _md5_of(path) == (
        known or _md5_in_archive(dataset, path.with_name(Path(name).name))
    )


def _md5_unpacked(path: Path) -> str | None:
    """Return the MD5 of what a .gz file contains; None if it is damaged."""
    try:
        with gzip.open(path) as file:
            return _md5(file)
    except (EOFError, OSError, zlib.error):
        return None


def _names_of(dataset: Dataset) -> list[str]:
    """Return the names of all files, within the data set's folder, if known."""
    match dataset.format:
        case "cifar":
            return [f"{cifar.FOLDER}/{name}" for name in (*cifar.TRAINING, *cifar.TEST)]
        case "idx":
            return [*TRAINING, *TEST]
        case _:
            return []


def _md5_in_archive(dataset: Dataset, path: Path) -> str | None:
    """Return the MD5 of a file in its archive; None if the archive is damaged."""
    archive, right = _archive_of(dataset, path)
    if not archive.is_file() or _md5_of(archive) != right:
        return None
    try:
        if dataset.format == "cifar":
            with tarfile.open(archive) as files:
                member = files.extractfile(f"{cifar.FOLDER}/{path.name}")
                return member and _md5(member)
        with gzip.open(archive) as file:
            return _md5(file)
    except (EOFError, KeyError, OSError, tarfile.TarError, zlib.error):
        return None


def _archive_of(dataset: Dataset, path: Path) -> tuple[Path, str]:
    """Return the archive that a file was unpacked from, and its MD5."""
    if dataset.format == "cifar":
        name = cifar.ADDRESS.rpartition("/")[2]
        return path.parent.parent / name, cifar.ARCHIVE_MD5
    archive = path.with_name(f"{path.name}.gz")
    return archive, dict(dataset.archives)[archive.name]


def _md5_of(path: Path) -> str:
    with path.open("rb") as file:
        return _md5(file)


def _md5(file: Any) -> str:
    """Return the MD5 of an open file, which tells a damaged one; it is no seal."""
    return hashlib.file_digest(
        file, partial(hashlib.md5, usedforsecurity=False)
    ).hexdigest()
