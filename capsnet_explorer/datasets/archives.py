"""Zip and tar files, perhaps of strangers: read within limits, and unpacked nowhere.

A file's name in an archive is never a place on the disk: it only says a class.
"""

import atexit
import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, cast

from capsnet_explorer.datasets.idx import GZIP, BrokenFile
from capsnet_explorer.datasets.naming import is_picture
from capsnet_explorer.datasets.text import IN_ARCHIVES, code_page_of
from capsnet_explorer.datasets.unused import Unused, leave
from capsnet_explorer.storage.regular import require_file

ENCRYPTED = 1  # flag of a file in a zip file
UTF_8 = 0x800  # flag of a name in a zip file

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
BZIP2, XZ = b"BZh", b"\xfd7zXZ\0"
_TAR_MAGIC = slice(257, 262), b"ustar"
_HEADER = 512  # bytes of a file's header in a tar file
_COPIED = 1 << 20  # bytes at once
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_TAIL = 66 << 10  # bytes at the end of a file in which its list's place stands
_DAMAGES = (
    *(EOFError, OSError, ValueError, KeyError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may hold.

    Attributes:
        entries: files.
        listed: bytes of the list of files, which memory has to hold.
        unpacked: bytes of all files together.
        picture: bytes of a file that is read as one picture.
        inner: bytes of an archive within another, which memory has to hold.
        follows_links: whether symbolic links of a folder are followed.
    """

    entries: int
    listed: int
    unpacked: int
    picture: int
    inner: int
    follows_links: bool


OWN = Limits(20_000_000, 2 << 30, 1 << 50, 256 << 20, 1 << 30, follows_links=True)
STRANGERS = Limits(200_000, 64 << 20, 8 << 30, 20 << 20, 256 << 20, follows_links=False)


class TooMuch(BrokenFile):
    """The archive exceeds a limit; the message says which."""


class Archive(Protocol):
    """An archive that is open."""

    @property
    def names(self) -> Collection[str]:
        """Of the files that may be read, as people see them."""
        ...

    @property
    def unused(self) -> Unused:
        """Files that may not be read, by why."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """Return a file of the archive, to be read; damage raises nearly anything."""
        ...

    def close(self) -> None:
        """Close the archive."""
        ...


def is_archive(start: bytes) -> bool:
    """Tell whether a file is a zip or tar file, packed or not, by its first bytes.

    Args:
        start: 512 bytes, or the whole of a smaller file.
    """
    return start[:4] in ZIP or _is_tar(_unpacked_start(start))


def opened(file: Path | BinaryIO, name: str, limits: Limits) -> Archive:
    """Open an archive whose list of files is not too long for memory.

    Raises:
        TooMuch: it exceeds a limit.
        BrokenFile: it is no archive, or damaged.
        OSError: it is no file.
    """
    if isinstance(file, Path):
        require_file(file)
    try:
        with file.open("rb") if isinstance(file, Path) else nullcontext(file) as source:
            start = source.read(_HEADER)
            if start[:4] in ZIP or not _is_tar(_unpacked_start(start)):
                _require_short_list(source, limits)
                return _Zip(file, limits)
        return _Tar(file, limits)
    except TooMuch:
        raise
    except _DAMAGES as error:
        raise BrokenFile(
            f"{name} must be an undamaged zip or tar file, got {error}"
        ) from None


class _Zip:
    def __init__(self, file: Path | BinaryIO, limits: Limits) -> None:
        self._archive = zipfile.ZipFile(file)
        self.unused: Unused = {}
        self._members: dict[str, zipfile.ZipInfo] = {}
        folders: set[str] = set()
        infos = self._archive.infolist()
        _require_moderation(len(infos), sum(info.file_size for info in infos), limits)
        for info, name in _zip_names(self._archive).items():
            if info.is_dir():
                folders.add(name.rstrip("/"))
            elif stat.S_ISLNK(info.external_attr >> 16):
                leave(self.unused, "links", name)
            elif info.flag_bits & ENCRYPTED:
                leave(self.unused, "encrypted files", name)
            elif not _is_left_out(self.unused, name, info.file_size, limits):
                self._members[name] = info
        self.names = self._members.keys()
        filled = {name.rpartition("/")[0] for name in (*self.names, *folders)}
        leave(self.unused, "empty folders", *(folders - filled))

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(self._members[name])

    def close(self) -> None:
        self._archive.close()


class _Tar:
    def __init__(self, file: Path | BinaryIO, limits: Limits) -> None:
        if isinstance(file, Path):
            status = file.stat()
            plain = _plain_tar(file, status.st_size, status.st_mtime_ns, limits)
            self._file = cast(BinaryIO, plain.open("rb"))
        else:
            self._file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
            _unpack_tar(file, self._file, limits)
            self._file.seek(0)
        self._archive = tarfile.TarFile(fileobj=self._file)
        self.unused: Unused = {}
        self._members: dict[str, tarfile.TarInfo] = {}
        size = 0
        for info in self._archive:
            size += max(0, info.size)
            _require_moderation(len(self._members), size, limits)
            if info.isdir():
                continue
            if not info.isreg():
                leave(self.unused, "links", info.name)
            elif not _is_left_out(self.unused, info.name, info.size, limits):
                self._members[info.name] = info
        self.names = self._members.keys()

    def open(self, name: str) -> IO[bytes]:
        file = self._archive.extractfile(self._members[name])
        if file is None:
            raise KeyError(name)
        return file

    def close(self) -> None:
        self._file.close()


@lru_cache(maxsize=2)
def _plain_tar(path: Path, _size: int, _changed: int, limits: Limits) -> Path:
    """Return a tar file without its packing, in which any file is found at once."""
    number, name = tempfile.mkstemp(prefix="capsnet-", suffix=".tar")
    plain = Path(name)
    atexit.register(plain.unlink, missing_ok=True)
    with path.open("rb") as file, open(number, "wb") as to:
        _unpack_tar(file, to, limits)
    return plain


def _unpack_tar(file: BinaryIO, to: BinaryIO, limits: Limits) -> None:
    file.seek(0)
    start = file.read(_HEADER)
    file.seek(0)
    source = _packing_off(file, start)
    written = 0
    while data := source.read(_COPIED):
        written += to.write(data)
        _require_moderation(0, written, limits)


def _packing_off(file: BinaryIO, start: bytes) -> IO[bytes]:
    if start[:2] == GZIP:
        return cast(IO[bytes], gzip.open(file))
    if start[:3] == BZIP2:
        return cast(IO[bytes], bz2.open(file))
    return lzma.open(file) if start[:6] == XZ else file


def _unpacked_start(start: bytes) -> bytes:
    """Return the first bytes of what is packed, if anything is."""
    with suppress(*_DAMAGES):
        if start[:2] == GZIP:
            return zlib.decompressobj(31).decompress(start, _HEADER)
        if start[:6] == XZ:
            return lzma.LZMADecompressor().decompress(start, _HEADER)
        if start[:3] == BZIP2:  # whose first block is longer than what came
            return _TAR_MAGIC[1].rjust(_TAR_MAGIC[0].stop, b"\0")
    return start


def _is_tar(start: bytes) -> bool:
    where, magic = _TAR_MAGIC
    return start[where] == magic


def _is_left_out(unused: Unused, name: str, size: int, limits: Limits) -> bool:
    """Tell whether a file may not be read, and note why."""
    if leads_out(name):
        leave(unused, "names that lead out of the archive", name)
    elif size > limits.picture and is_picture(name):
        leave(unused, f"pictures of more than {limits.picture >> 20} MB", name)
    else:
        return False
    return True


def leads_out(name: str) -> bool:
    """Tell whether a name would lead out of a folder that it was unpacked into."""
    plain = name.replace("\\", "/")
    is_absolute = plain.startswith("/") or plain[1:2] == ":"
    return is_absolute or ".." in plain.split("/") or "\0" in plain


def _require_moderation(entries: int, size: int, limits: Limits) -> None:
    if entries > limits.entries:
        raise TooMuch(_too_many(entries, limits))
    if size > limits.unpacked:
        raise TooMuch(
            f"an archive may unpack to {limits.unpacked >> 30} GB at most; this one "
            "declares more"
        )


def _too_many(entries: int, limits: Limits) -> str:
    return f"an archive may have {limits.entries} files at most, this one has {entries}"


def _require_short_list(file: BinaryIO, limits: Limits) -> None:
    entries, size = _declared_size(file)
    if entries > limits.entries:
        raise TooMuch(_too_many(entries, limits))
    if size > limits.listed:
        raise TooMuch(
            f"the list of an archive's files may have {limits.listed >> 20} MB at most"
        )


def _declared_size(file: BinaryIO) -> tuple[int, int]:
    """Return how many files a zip file says it has, and the bytes of their list."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read()
    end = tail.rfind(_END)
    if end < 0 or end + 22 > len(tail):
        return 0, 0  # it is no archive, as opening it will say
    entries, length = struct.unpack_from("<HL", tail, end + 10)
    large = tail.rfind(_END_64, 0, end)
    if large >= 0 and large + 56 <= len(tail):
        entries_64, length_64 = struct.unpack_from("<QQ", tail, large + 32)
        entries, length = max(entries, entries_64), max(length, length_64)
    return entries, length


def _zip_names(archive: zipfile.ZipFile) -> Mapping[zipfile.ZipInfo, str]:
    """Return the name of each file and folder, read as the program meant that wrote it.

    Many write UTF-8 without saying so, or in the code page of their computer.
    """
    names = {member: member.filename for member in archive.infolist()}
    stored = {}
    for member, name in names.items():
        if not member.flag_bits & UTF_8 and not name.isascii():
            with suppress(UnicodeEncodeError):  # a field of the file says its name
                stored[member] = name.encode("cp437")
    steps = {step for name in stored.values() for step in name.split(b"/")}
    page = _encoding_of(steps)
    return names | {member: name.decode(page) for member, name in stored.items()}


def _encoding_of(steps: Collection[bytes]) -> str:
    try:
        for step in steps:
            step.decode("utf-8")
    except UnicodeDecodeError:
        return code_page_of(steps, IN_ARCHIVES) or "cp437"
    return "utf-8"


def content(archive: Archive, name: str, most: int) -> bytes:
    """Read a file of an archive, whatever size it declares.

    Raises:
        BrokenFile: it is damaged, or has more than `most` bytes.
    """
    try:
        with archive.open(name) as file:
            data = file.read(most + 1)
    except Exception:  # damaged bytes make decompressors raise nearly any exception
        raise BrokenFile(f"{name} is damaged in its archive") from None
    if len(data) > most:
        raise BrokenFile(f"{name} must have {most >> 20} MB at most, unpacked")
    return data


def pieces(archive: Archive, name: str) -> Iterator[bytes]:
    """Yield a large file piece by piece.

    Raises:
        BrokenFile: it is damaged.
    """
    try:
        with archive.open(name) as file:
            while data := file.read(_COPIED):
                yield data
    except Exception:
        raise BrokenFile(f"{name} is damaged in its archive") from None


def inner(archive: Archive, name: str, limits: Limits) -> Any:
    """Open an archive within another.

    Raises:
        BrokenFile: it is damaged, or exceeds a limit.
    """
    data = io.BytesIO(content(archive, name, limits.inner))
    return opened(data, name, limits)
