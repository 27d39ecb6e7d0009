"""Reading zip files of strangers: within limits, and without unpacking anything.

A file's name in an archive is never a place on the disk: it only says a class.
"""

import stat
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.pictures import zip_names
from capsnet_explorer.storage.regular import require_file

MOST_ENTRIES = 200_000
MOST_LISTED = 64 << 20  # bytes of the list of files, which memory has to hold
MOST_UNPACKED = 8 << 30  # bytes of all files together
MOST_IN_A_FILE = 20 << 20  # bytes; as of a picture that is uploaded by itself
ENCRYPTED = 1  # flag of a file in a zip file

_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_TAIL = 66 << 10  # bytes at the end of a file in which its list's place stands


class TooMuch(BrokenFile):
    """The archive exceeds a limit; the message says which."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The files of an archive.

    Attributes:
        members: by the name that people see.
        skipped: how many were left out, by why.
    """

    members: Mapping[str, zipfile.ZipInfo]
    skipped: Counter[str]


def listed(archive: zipfile.ZipFile) -> Listed:
    """Return the files that may be read.

    Links, encrypted files and names that lead out of the archive are left out.

    Raises:
        TooMuch: the archive has too many files, or too large ones.
    """
    members: dict[str, zipfile.ZipInfo] = {}
    skipped: Counter[str] = Counter()
    infos = archive.infolist()
    if len(infos) > MOST_ENTRIES:
        raise TooMuch(_too_many(len(infos)))
    if sum(each.file_size for each in infos) > MOST_UNPACKED:
        raise TooMuch(
            f"an archive may unpack to {MOST_UNPACKED >> 30} GB at most; this one "
            "declares more"
        )
    for info, name in zip_names(archive).items():
        if info.is_dir():
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            skipped["links"] += 1
        elif leads_out(name):
            skipped["names that lead out of the archive"] += 1
        elif info.flag_bits & ENCRYPTED:
            skipped["encrypted files"] += 1
        elif info.file_size > MOST_IN_A_FILE and is_small(name):
            skipped[f"pictures of more than {MOST_IN_A_FILE >> 20} MB"] += 1
        else:
            members[name] = info
    return Listed(members, skipped)


def is_small(name: str) -> bool:
    """Tell whether a file is to be read as one picture, not as a table or arrays."""
    return not name.lower().endswith((".csv", ".npz", ".npy", ".gz", "-ubyte"))


def leads_out(name: str) -> bool:
    """Tell whether a name would lead out of a folder that it was unpacked into."""
    plain = name.replace("\\", "/")
    is_absolute = plain.startswith("/") or plain[1:2] == ":"
    return is_absolute or ".." in plain.split("/") or "\0" in plain


def opened(path: Path) -> zipfile.ZipFile:
    """Open an archive whose list of files is not too long for memory.

    Raises:
        TooMuch: the list is too long.
        BrokenFile: it is no zip file, or damaged.
    """
    require_file(path)
    with path.open("rb") as file:
        entries, size = _declared(file)
    if entries > MOST_ENTRIES:
        raise TooMuch(_too_many(entries))
    if size > MOST_LISTED:
        raise TooMuch(
            f"the list of an archive's files may have {MOST_LISTED >> 20} MB at most"
        )
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BrokenFile(
            f"the file must be an undamaged zip file, got {error}"
        ) from None


def _too_many(entries: int) -> str:
    return f"an archive may have {MOST_ENTRIES} files at most, this one has {entries}"


def _declared(file: BinaryIO) -> tuple[int, int]:
    """Return how many files an archive says it has, and the bytes of their list."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or place + 22 > len(tail):
        return 0, 0  # it is no archive, as opening it will say
    entries, length = struct.unpack_from("<HL", tail, place + 10)
    large = tail.rfind(_END_64, 0, place)
    if large >= 0 and large + 56 <= len(tail):
        entries_64, length_64 = struct.unpack_from("<QQ", tail, large + 32)
        entries, length = max(entries, entries_64), max(length, length_64)
    return entries, length


def content(archive: zipfile.ZipFile, found: Listed, name: str) -> bytes:
    """Read a picture, whatever size it declares.

    Raises:
        BrokenFile: it is damaged, or has more than `MOST_IN_A_FILE` bytes.
    """
    try:
        with archive.open(found.members[name]) as file:
            data = file.read(MOST_IN_A_FILE + 1)
    except Exception:  # damaged bytes make decompressors raise nearly any exception
        raise BrokenFile(f"{name} is damaged in its archive") from None
    if len(data) > MOST_IN_A_FILE:
        raise BrokenFile(
            f"{name} must have {MOST_IN_A_FILE >> 20} MB at most, unpacked"
        )
    return data


def pieces(
    archive: zipfile.ZipFile, found: Listed, name: str, at_once: int = 1 << 20
) -> Iterator[bytes]:
    """Yield a large file piece by piece.

    Raises:
        BrokenFile: it is damaged.
    """
    try:
        with archive.open(found.members[name]) as file:
            while data := file.read(at_once):
                yield data
    except Exception:
        raise BrokenFile(f"{name} is damaged in its archive") from None
