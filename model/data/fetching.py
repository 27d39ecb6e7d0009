"""Fetching a data set's archives: a file is there, whole and right, or not at all."""

import gzip
import hashlib
import shutil
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from capsnet_explorer.dataset_files.catalogue import Dataset

UNFINISHED = ".unfinished-"  # begins the name of a folder for what is not complete
AT_ONCE = 1 << 16  # bytes
PATIENCE_S = 30  # for a server that says nothing

TARRED = ".tar.gz"  # ends the name of an archive that holds all files
# What damaged archives raise.
DAMAGED = (EOFError, KeyError, gzip.BadGzipFile, tarfile.TarError, zlib.error)

Advance = Callable[[int], object]  # called with the bytes fetched so far


class NotFetched(Exception):
    """No server gave a right archive; the message says what each gave."""


def fetch(
    dataset: Dataset,
    folder: Path,
    names: Collection[str],
    *,
    mirror: str | None = None,
    advance: Advance = lambda fetched: None,
) -> None:
    """Fetch files, each from the first server that gives it right.

    They come into the folder together, at the end. An archive stays beside its files
    where their own MD5 is not known.

    Args:
        dataset: with archives.
        folder: the data folder.
        names: of the files to fetch.
        mirror: an address to use in place of the data set's own.
        advance: told of progress.

    Raises:
        NotFetched: no server gave an archive with the right MD5.
        OSError: the files cannot be written.
    """
    files = dataset.files_in(folder)
    files.mkdir(parents=True, exist_ok=True)
    mirrors = dataset.mirrors if mirror is None else (f"{mirror.rstrip('/')}/",)
    fetched = 0
    known = dict(dataset.raw_md5)
    with TemporaryDirectory(prefix=UNFINISHED, dir=files) as own:
        for archive, md5 in dataset.archives:
            has_all = archive.endswith(TARRED)
            inside = [each for each in names if has_all or archive == f"{each}.gz"]
            if not inside:
                continue
            before = fetched
            place = Path(own) / archive
            _fetch_from(
                [f"{each}{archive}" for each in mirrors],
                place,
                md5,
                lambda size, before=before: advance(before + size),
            )
            fetched += place.stat().st_size
            for name in inside:
                _unpack(place, name, Path(own))
            if known.keys() >= set(inside):
                place.unlink()
        for path in sorted(Path(own).rglob("*")):
            if path.is_file():
                to = files / path.relative_to(own)
                to.parent.mkdir(exist_ok=True)
                path.replace(to)


def _fetch_from(
    addresses: Collection[str], place: Path, md5: str, advance: Advance
) -> None:
    """Fetch a file from the first of some addresses that gives it right."""
    reasons = []
    for address in addresses:
        try:
            found = hashlib.md5(usedforsecurity=False)
            with place.open("wb") as file:
                for part in _parts(address):
                    found.update(part)
                    file.write(part)
                    advance(file.tell())
        except _NotGiven as error:
            reasons.append(f"{address}: {error}")
            continue
        if found.hexdigest() == md5:
            return
        reasons.append(
            f"{address}: the file is damaged, its MD5 is {found.hexdigest()} where it "
            f"must be {md5}"
        )
    raise NotFetched("; ".join(reasons))


class _NotGiven(Exception):
    """A server did not give a file."""


def _parts(address: str) -> Iterator[bytes]:
    """Yield the bytes of a file on a server.

    Raises:
        _NotGiven: it cannot be reached, or does not give the whole file.
    """
    try:
        with urlopen(address, timeout=PATIENCE_S) as answer:
            while part := answer.read1(AT_ONCE):
                yield part
            if answer.length:  # what has not come of what was announced
                raise _NotGiven(f"it broke off {answer.length} bytes before the end")
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise _NotGiven(getattr(reason, "strerror", None) or str(reason)) from error


def _unpack(archive: Path, name: str, folder: Path) -> None:
    to = folder / name
    to.parent.mkdir(exist_ok=True)
    try:
        with content(archive, name) as packed, to.open("wb") as file:
            shutil.copyfileobj(packed, file)
    except DAMAGED as error:
        raise NotFetched(f"{archive.name} cannot be unpacked: {error}") from error


@contextmanager
def content(archive: Path, name: str) -> Iterator[Any]:
    """Open a file of a .tar.gz, or the one that a .gz contains.

    Raises:
        Exception: one of `DAMAGED`, here or when it is read.
    """
    if not archive.name.endswith(TARRED):
        with gzip.open(archive) as file:
            yield file
        return
    with tarfile.open(archive) as files:
        member = files.extractfile(name)
        if member is None:
            raise KeyError(f"{name} is no file")
        yield member
