"""Models that are kept: a folder for each, which outlasts the run it comes from.

A folder appears when it is complete, and with one renaming: what cannot be written, or
not be read again, leaves nothing behind.
"""

import contextlib
import re
import shutil
import threading
import unicodedata
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import orjson

from capsnet_explorer.app.engines.training.folder import SUFFIX
from capsnet_explorer.app.engines.training.room import unwritten
from capsnet_explorer.app.errors import Conflict, DamagedFile, InvalidRequest, short
from capsnet_explorer.storage.folders import begun_beside, remove_only
from capsnet_explorer.storage.writing import replace_file

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{,59}")
# Windows takes none of them for a file, whatever its ending.
RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]", re.IGNORECASE)
# Control characters, halves of pairs, ends of lines and paragraphs.
INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
# They change the direction of what stands beside them.
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
MOST_MODELS = 20


class KeptModels:
    """The models that are kept.

    Args:
        folder: has a folder for each, of its name; created with the first one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """Return the names of those that are there, sorted."""
        try:
            folders = [entry.name for entry in self._folder.iterdir() if entry.is_dir()]
        except OSError:
            return []
        return sorted(name for name in folders if NAME.fullmatch(name))

    def weights(self, name: str) -> Path:
        """Return a model's weight file, be it there or not."""
        return self._folder / name / f"{name}{SUFFIX}"

    def add(
        self,
        name: str,
        source: Path,
        card: dict[str, Any],
        check: Callable[[Path], object],
        others: Collection[str] = (),
    ) -> None:
        """Keep a copy of a weight file.

        Args:
            name: of the model, and of its files.
            source: the weight file.
            card: of the copy.
            check: raises an `ApiError` for a weight file that cannot be used.
            others: names of models that are kept elsewhere.

        Raises:
            InvalidRequest: the name cannot be one.
            Conflict: it is taken, as many models are kept as may be, or the weight
                file cannot be read or its copy not be written.
            Overloaded: the disk is full.
        """
        check_name(name)
        with self._lock:
            kept = self.names()
            # Some systems do not tell A from a.
            if name.lower() in {other.lower() for other in (*kept, *others)}:
                raise Conflict(f"there is a model {short(name)} already", field="name")
            if len(kept) >= MOST_MODELS:
                raise Conflict(
                    f"{MOST_MODELS} models are kept, and no more can be: remove one"
                )
            try:
                content = source.read_bytes()
            except OSError as error:
                raise DamagedFile(
                    f"the weight file {source.name} cannot be read: {error.strerror}"
                ) from None
            text = orjson.dumps(card, option=orjson.OPT_INDENT_2) + b"\n"
            files = {f"{name}.json": text, f"{name}{SUFFIX}": content}
            try:
                self._add_folder(name, files, check)
            except OSError as error:
                raise unwritten("the model", error, len(content)) from None

    def _add_folder(
        self, name: str, files: dict[str, bytes], check: Callable[[Path], object]
    ) -> None:
        """Write a model's folder, all of it or nothing."""
        beside = begun_beside(self._folder / name)
        try:
            for file, content in files.items():
                replace_file(beside / file, content)
            check(beside / f"{name}{SUFFIX}")
            beside.rename(self._folder / name)
        except BaseException:
            with contextlib.suppress(OSError):
                remove_only(beside, files)
            raise

    def remove(self, name: str) -> None:
        """Delete a model; what cannot be deleted is no longer listed.

        Raises:
            Conflict: its folder cannot be changed.
        """
        with self._lock:
            folder = self._folder / name
            try:
                gone = begun_beside(folder)
                try:
                    folder.rename(gone / name)
                except FileNotFoundError:
                    gone.rmdir()
                    return
            except OSError as error:
                raise Conflict(
                    f"the model {short(name)} cannot be removed: {error.strerror}"
                ) from None
            shutil.rmtree(gone, ignore_errors=True)


def check_name(name: str) -> None:
    """Refuse a name that cannot be a file's on every system.

    Raises:
        InvalidRequest: says what is needed and what came.
    """
    if not NAME.fullmatch(name):
        raise InvalidRequest(
            "name must be up to 60 letters, digits, - and _, and begin with a "
            f"letter or a digit, got {short(name)}",
            field="name",
        )
    if RESERVED.fullmatch(name):
        raise InvalidRequest(
            f"name must be none that Windows reserves for itself, got {short(name)}",
            field="name",
        )


def checked_title(title: str) -> str:
    """Return a title without space around it.

    Raises:
        InvalidRequest: it is empty, or has characters that cannot be seen.
    """
    stripped = title.strip()
    if not stripped:
        raise InvalidRequest("title must have letters, got none", field="title")
    for character in stripped:
        if unicodedata.category(character) in INVISIBLE or character in DIRECTIONS:
            raise InvalidRequest(
                "title must have characters that can be seen, "
                f"got U+{ord(character):04X}",
                field="title",
            )
    return stripped
