"""Fetching a data set's archives: a file is there, whole and right, or not at all."""

import gzip
import hashlib
import shutil
import zlib
from collections.abc import Callable, Collection, Iterator
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from capsnet_explorer.datasets.catalogue import Dataset
from capsnet_explorer.datasets.idx import GZIP

UNFINISHED = ".unfinished-"  # begins the name of a folder for what is not complete
AT_ONCE = 1 << 16  # bytes
PATIENCE_S = 30  # for a server that says nothing

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

    They come into the folder together, at the end. An archive stays beside its file
    where the MD5 of the file itself is not known.

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
    with TemporaryDirectory(prefix=UNFINISHED, dir=files) as temporary:
        for archive, md5 in dataset.archives:
            name = archive.removesuffix(".gz")
            if name not in names:
                continue
            before = fetched
            target = Path(temporary) / archive
            _fetch_from(
                [f"{address}{archive}" for address in mirrors],
                target,
                {md5, known.get(name, md5)},
                lambda size, before=before: advance(before + size),
            )
            fetched += target.stat().st_size
            _unpack(target, Path(temporary) / name)
            if name in known:
                target.unlink()
        for path in sorted(Path(temporary).iterdir()):
            path.replace(files / path.name)


def _fetch_from(
    addresses: Collection[str], path: Path, md5s: Collection[str], advance: Advance
) -> None:
    """Fetch a file from the first of some addresses that gives it right.

    Args:
        addresses: of servers.
        path: the file to write.
        md5s: of which it may have any: some servers unpack what they give.
        advance: told of progress.
    """
    reasons = []
    for address in addresses:
        try:
            digest = hashlib.md5(usedforsecurity=False)
            with path.open("wb") as file:
                for part in _parts(address):
                    digest.update(part)
                    file.write(part)
                    advance(file.tell())
        except _NotGiven as error:
            reasons.append(f"{address}: {error}")
            continue
        if digest.hexdigest() in md5s:
            return
        reasons.append(
            f"{address}: the file is damaged, its MD5 is {digest.hexdigest()} where it "
            f"must be {' or '.join(sorted(md5s))}"
        )
    raise NotFetched("; ".join(reasons))


class _NotGiven(Exception):
    """A server did not give a file."""


def _parts(address: str) -> Iterator[bytes]:
    """Yield the bytes of a file on a server."""
    try:
        with urlopen(address, timeout=PATIENCE_S) as answer:
            while part := answer.read1(AT_ONCE):
                yield part
            if answer.length:  # what has not come of what was announced
                raise _NotGiven(f"it broke off {answer.length} bytes before the end")
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise _NotGiven(getattr(reason, "strerror", None) or str(reason)) from error


def _unpack(archive: Path, to: Path) -> None:
    """Unpack an archive, or copy what its server has unpacked already."""
    try:
        with archive.open("rb") as file:
            is_packed = file.read(len(GZIP)) == GZIP
        opener = gzip.open if is_packed else open
        with opener(archive, "rb") as source, to.open("wb") as file:
            shutil.copyfileobj(source, file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise NotFetched(f"{archive.name} cannot be unpacked: {error}") from error
