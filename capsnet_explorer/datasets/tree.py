"""The files of a folder or an archive, by the names that people see.

Symbolic links are followed, each folder once. An archive within is the folder of its
name where it holds a part, such as `train.zip`, or where no pictures lie beside it:
people have a zip file for each class, or one of zip files.
"""

import os
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from capsnet_explorer.datasets.archives import (
    OWN,
    Archive,
    Limits,
    content,
    inner,
    is_archive,
    opened,
    pieces,
)
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.naming import (
    HIDDEN,
    is_left_by_a_system,
    is_picture,
    part_of,
    parts_among,
    steps_of,
)
from capsnet_explorer.datasets.unused import Unused, leave, merged
from capsnet_explorer.storage.regular import require_file

ARCHIVES = re.compile(
    r"(.+?)(-samples)?\.(zip|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))", re.I
)
START = 512  # bytes that tell what a file is
DEEPEST = 3  # archives, each in the one before


@dataclass(frozen=True, slots=True)
class Stored:
    """Where the bytes of a file are.

    Attributes:
        path: the file on the disk: itself, or the archive that it is in.
        members: its name in that archive, perhaps after that of an archive in it.
    """

    path: Path
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a folder or an archive.

    Attributes:
        path: the folder, the archive, or the one file itself.
        files: where each is, by its name.
        unused: files that cannot be read, by why.
        limits: how much an archive may hold.
    """

    path: Path
    files: dict[str, Stored] = field(default_factory=dict)
    unused: Unused = field(default_factory=dict)
    limits: Limits = OWN

    def start(self, name: str) -> bytes:
        """Return the first bytes of a file; none of one that is damaged."""
        with Reader(self.limits) as reader:
            return next(reader.pieces(self.files[name]), b"")[:START]


def tree_of(path: Path, limits: Limits = OWN, closed: Collection[str] = ()) -> Tree:
    """List the files of a folder or of an archive, without unpacking any.

    Args:
        path: the folder, the archive, or a file.
        limits: how much an archive may hold.
        closed: folders whose archives are not looked into, as other data sets'.

    Raises:
        BrokenFile: an archive that is looked into is damaged.
        OSError: something cannot be read.
    """
    tree = Tree(path, limits=limits)
    with Reader(limits) as reader:
        if path.is_dir():
            for name in _walk(path, tree.unused, limits):
                tree.files[name] = Stored(path / name)
        elif not _begins_as_archive(path):
            tree.files[path.name] = Stored(path)
        else:
            archive = reader.archive(Stored(path))
            tree.files.update({name: Stored(path, (name,)) for name in archive.names})
            tree.unused.update(archive.unused)
        for _ in range(DEEPEST):
            if not _look_into(tree, reader, closed):
                break
    return tree


def _begins_as_archive(path: Path) -> bool:
    require_file(path)
    with path.open("rb") as file:
        return path.suffix.lower() == ".zip" or is_archive(file.read(START))


def _walk(folder: Path, unused: Unused, limits: Limits) -> Iterator[str]:
    """Yield the names of all files below a folder; hidden folders are left out.

    Folders nearer to the outermost one come first, so that a link is followed rather
    than a deeper folder that it leads to.
    """
    known = {os.path.realpath(folder)}
    waiting = deque([folder])
    while waiting:
        parent = waiting.popleft()
        entries = sorted(os.scandir(parent), key=lambda entry: entry.name)
        if not entries:
            leave(unused, "empty folders", parent.relative_to(folder).as_posix())
        for entry in entries:
            name = Path(entry.path).relative_to(folder).as_posix()
            if what := _what_is_left(entry, known, limits):
                leave(unused, what, name)
            elif entry.is_file():
                yield name
            elif not entry.name.startswith(HIDDEN):
                known.add(os.path.realpath(entry.path))
                waiting.append(Path(entry.path))


def _what_is_left(
    entry: "os.DirEntry[str]", known: Collection[str], limits: Limits
) -> str:
    """Return what an entry of a folder is that is not read; an empty text if it is."""
    is_there = limits.follows_links and os.path.exists(entry.path)
    if entry.is_symlink() and not is_there:
        return "links that lead nowhere"
    if entry.is_dir() and os.path.realpath(entry.path) in known:
        return "links to folders that are here already"
    return "" if entry.is_dir() or entry.is_file() else "pipes and devices"


def _look_into(tree: Tree, reader: "Reader", closed: Collection[str]) -> bool:
    """Put the files of archives in place of these; tell whether there were any."""
    chosen = _archives_to_open(tree.files, closed)
    for name, folder in chosen.items():
        stored = tree.files[name]
        if len(stored.members) + 1 > DEEPEST:
            leave(tree.unused, "archives too deep in others", name)
            del tree.files[name]
            continue
        archive = reader.archive(stored)
        del tree.files[name]
        tree.unused.update(merged(tree.unused, archive.unused))
        alone = len(archive.names) == 1 and part_of(folder.rpartition("/")[2]) is None
        for member in archive.names:
            steps = steps_of(member)
            within = f"{folder}/{'/'.join(steps)}"
            if alone and not is_picture(member):  # as in train.csv.zip
                within = f"{name[: -len(steps_of(name)[-1])]}{steps[-1]}"
            tree.files[within] = Stored(stored.path, (*stored.members, member))
    return bool(chosen)


def _archives_to_open(names: Iterable[str], closed: Collection[str]) -> dict[str, str]:
    """Return the archives that are looked into, and the folder that each stands for."""
    every = {name: steps_of(name) for name in names}
    visible = {
        name: steps
        for name, steps in every.items()
        if steps and not is_left_by_a_system(steps) and steps[0] not in closed
    }
    archives = {
        name: "/".join((*steps[:-1], match[1]))
        for name, steps in visible.items()
        if (match := ARCHIVES.fullmatch(steps[-1]))
    }
    unpacked = {
        "/".join(steps[:depth]) for steps in visible.values() for depth in (1, 2)
    }
    archives = {
        name: folder for name, folder in archives.items() if folder not in unpacked
    }
    outermost = {name: folder for name, folder in archives.items() if "/" not in folder}
    parts = parts_among(outermost.values())
    if any(is_picture(steps[-1]) for steps in visible.values() if len(steps) > 1):
        return {name: folder for name, folder in outermost.items() if folder in parts}
    return archives


class Reader:
    """Reads files, and opens each archive once; a context manager closes them."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or OWN
        self._opened: dict[Stored, Archive] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for archive in self._opened.values():
            archive.close()

    def archive(self, stored: Stored) -> Archive:
        """Return an archive, opened.

        Raises:
            BrokenFile: it is damaged, or exceeds a limit.
        """
        if stored not in self._opened:
            if not stored.members:
                archive = opened(stored.path, stored.path.name, self._limits)
            else:
                outer = self.archive(Stored(stored.path, stored.members[:-1]))
                archive = inner(outer, stored.members[-1], self._limits)
            self._opened[stored] = archive
        return self._opened[stored]

    def picture(self, stored: Stored) -> bytes:
        """Return the content of a picture; nothing of one that is damaged or large."""
        try:
            return self.content(stored, self._limits.picture)
        except BrokenFile:
            return b""

    def content(self, stored: Stored, most: int) -> bytes:
        """Return the content of a file.

        Raises:
            BrokenFile: it is damaged in its archive, or has more than `most` bytes.
            OSError: it cannot be read.
        """
        if stored.members:
            outer = self.archive(Stored(stored.path, stored.members[:-1]))
            return content(outer, stored.members[-1], most)
        if stored.path.stat().st_size > most:
            raise BrokenFile(f"{stored.path.name} must have {most >> 20} MB at most")
        return stored.path.read_bytes()

    def pieces(self, stored: Stored) -> Iterator[bytes]:
        """Yield the content of a large file piece by piece.

        Raises:
            BrokenFile: it is damaged in its archive.
            OSError: it cannot be read.
        """
        if stored.members:
            outer = self.archive(Stored(stored.path, stored.members[:-1]))
            yield from pieces(outer, stored.members[-1])
            return
        with stored.path.open("rb") as file:
            while data := file.read(1 << 20):
                yield data
