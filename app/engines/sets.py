"""Sets of images of one's own: taken from people, read by a process, and kept.

Each has a folder. What is known of it is read from there alone, so a server that starts
again finds the sets that were.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.app.engines.training.folder import size_of
from capsnet_explorer.app.errors import (
    Conflict,
    InvalidRequest,
    Overloaded,
    TooLarge,
    UnknownThing,
    short,
    size_words,
)
from capsnet_explorer.dataset_files.catalogue import TRAINING
from capsnet_explorer.dataset_files.idx import read_idx
from capsnet_explorer.intake.sets.images import UNPACKED, UPLOAD
from capsnet_explorer.intake.sets.reading import (
    DATA,
    FAILED,
    MAKING,
    PROGRESS,
    REQUEST,
    UNDERSTOOD,
    replace,
)

State = Literal["receiving", "reading", "ready", "failed"]

PREFIX = "set:"  # of a set's name among data sets
ID = re.compile(r"[0-9a-f]{8}")
FOLDER = "sets"  # within that of the runs
COMMAND = (sys.executable, "-m", "capsnet_explorer.intake.sets")

MOST_UPLOAD = 512 << 20  # bytes
MOST_AT_ONCE = 60 << 20  # bytes of one request; larger uploads come in pieces
MOST_BYTES = 1 << 30  # of all sets; the runs may have as much again
MOST_SETS = 20
LEAST_FREE = 1 << 30  # bytes of the disk that sets must leave others
NICENESS = 10
KILLED_FIRST = 900  # of 1000: where memory runs out, before runs and the server
COPIED = 1 << 20  # bytes at once
LONGEST_NAME = 60  # characters
UNREADABLE = "reading was ended: the server stopped, or memory ran out. Add it again"


class ClassFacts(BaseModel):
    """A class of a set."""

    name: str
    training: int = Field(description="Images that are trained on.")
    test: int = Field(description="Images that are not.")


class SetFacts(BaseModel):
    """What is known of a set of images of one's own."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    id: str
    """Names the set in addresses; `set:<id>` is the data set of a run."""
    title: str
    """As people called it."""
    state: State
    """`receiving` until all pieces have come; `ready` or `failed` in the end."""
    error: str | None = None
    """Why it failed."""
    received: int = 0
    """Bytes that have come."""
    size: int = 0
    """Bytes in all."""
    done: int = 0
    """Pictures that are read."""
    total: int = 0
    """Pictures in all; 0 while that is unknown."""
    classes: tuple[ClassFacts, ...] = ()
    """In the order of their labels."""
    shape: tuple[int, ...] = ()
    """Channels, rows and columns of an image."""
    inverted: bool = False
    """Whether light and dark have changed places."""
    can_change: bool = False
    """Whether size, colour and what is left out can be changed."""
    lines: tuple[str, ...] = ()
    """Sentences on what was understood."""
    warnings: tuple[str, ...] = ()
    """Sentences on what is strange."""
    bytes: int = 0
    """On the disk."""
    started: str = ""
    """When it was added, in UTC."""


@dataclass(slots=True)
class _Set:
    folder: Path
    request: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None

    @property
    def upload(self) -> Path:
        return self.folder / UPLOAD

    @property
    def received(self) -> int:
        with contextlib.suppress(OSError):
            return self.upload.stat().st_size
        return 0

    @property
    def state(self) -> State:
        if (self.folder / UNDERSTOOD).is_file():
            return "ready"
        if (self.folder / FAILED).is_file():
            return "failed"
        return "receiving" if self.process is None else "reading"


class Sets:
    """The sets of a server.

    Args:
        folder: where each has a folder; created when the first one comes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._sets: dict[str, _Set] = {}  # the oldest first

    def find(self) -> None:
        """Find the sets of an earlier server; what it had half of is gone."""
        found = []
        for own in self._folder.iterdir() if self._folder.is_dir() else ():
            try:
                one = _Set(own, json.loads((own / REQUEST).read_bytes()))
            except (OSError, ValueError):
                shutil.rmtree(own, ignore_errors=True)
                continue
            if one.state == "receiving":
                if one.received < one.request["size"]:
                    shutil.rmtree(own, ignore_errors=True)
                    continue
                _fail(one)
            found.append(one)
        for one in sorted(found, key=lambda each: each.request["started"]):
            self._sets[one.folder.name] = one

    @property
    def bytes(self) -> int:
        """Of all sets, on the disk."""
        with self._lock:
            return sum(size_of(one.folder) for one in self._sets.values())

    def begin(self, name: str, size: int) -> str:
        """Make a place for an upload.

        Args:
            name: of the file.
            size: bytes that will come.

        Returns:
            The set's id.

        Raises:
            InvalidRequest: it is empty.
            TooLarge: it is too large.
            Overloaded: there are too many sets, or the disk is full.
        """
        if size < 1:
            raise InvalidRequest("the file is empty", field="file")
        if size > MOST_UPLOAD:
            raise TooLarge(
                f"a set may have {size_words(MOST_UPLOAD)} at most, got "
                f"{size_words(size)}",
                field="file",
            )
        id = secrets.token_hex(4)
        with self._lock:
            self._require_room(size)
            own = self._folder / id
            request = {
                "name": name[-200:],
                "title": title_of(name),
                "size": size,
                "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "asked": {},
            }
            try:
                own.mkdir(parents=True)
                replace(own / REQUEST, request)
                (own / UPLOAD).touch()
            except OSError as error:
                shutil.rmtree(own, ignore_errors=True)
                raise Overloaded(f"a set cannot be written: {error.strerror}") from None
            self._sets[id] = _Set(own, request)
        return id

    def _require_room(self, size: int) -> None:
        if len(self._sets) >= MOST_SETS:
            raise Overloaded(
                f"there are {MOST_SETS} sets of images already: delete one first"
            )
        if self.bytes + size > MOST_BYTES:
            raise Overloaded(
                f"all sets together may have {size_words(MOST_BYTES)}: delete one first"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(self._folder).free < LEAST_FREE + 2 * size:
            raise Overloaded("the disk of this server is nearly full")

    def add(self, id: str, offset: int, content: BinaryIO) -> None:
        """Write a piece of an upload; with its last one, reading begins.

        Raises:
            UnknownThing: there is no such set.
            Conflict: the piece does not follow what has come.
            TooLarge: more comes than was announced.
        """
        one = self._set(id)
        with self._lock:
            if one.state != "receiving" or offset != one.received:
                raise Conflict(
                    f"the next piece must begin at byte {one.received}, got {offset}"
                )
            most = one.request["size"] - offset
            try:
                with one.upload.open("ab") as file:
                    while data := content.read(COPIED):
                        most -= len(data)
                        if most < 0:
                            raise TooLarge(
                                "more bytes came than were announced", field="file"
                            )
                        file.write(data)
            except OSError as error:
                self.remove(id)
                raise Overloaded(f"a set cannot be written: {error.strerror}") from None
            except TooLarge:
                self.remove(id)
                raise
            if most == 0:
                self._read(one)

    def change(self, id: str, asked: Mapping[str, Any]) -> None:
        """Read the upload again, in another form or without some classes.

        Args:
            id: the set's.
            asked: any of `size`, `channels`, `inverted` and `left_out`.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready, or not made of pictures.
        """
        one = self._set(id)
        with self._lock:
            if not self.facts(id).can_change:
                raise Conflict("only a set of pictures that is ready can be changed")
            known = one.request["asked"]
            left_out = {*known.get("left_out", ()), *asked.get("left_out", ())}
            merged = {**known, **asked, "left_out": sorted(left_out)}
            if one.process is not None:
                one.process.wait()  # it has told all, and is about to end
            one.request = {**one.request, "asked": merged}
            replace(one.folder / REQUEST, one.request)
            (one.folder / UNDERSTOOD).unlink(missing_ok=True)
            self._read(one)

    def _read(self, one: _Set) -> None:
        """Start the process that reads an upload; the caller holds the lock."""
        request = one.request
        replace(one.folder / REQUEST, request)
        (one.folder / PROGRESS).unlink(missing_ok=True)
        try:
            one.process = subprocess.Popen(
                [*COMMAND, str(one.folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=subprocess_environment(),
                start_new_session=True,  # the server's Ctrl-C is not its
            )
        except OSError:
            _fail(one)
            return
        with contextlib.suppress(OSError, AttributeError):  # not on every system
            os.setpriority(os.PRIO_PROCESS, one.process.pid, NICENESS)
            Path(f"/proc/{one.process.pid}/oom_score_adj").write_text(f"{KILLED_FIRST}")
        attend = threading.Thread(target=_attend, args=(one, one.process), daemon=True)
        attend.start()

    def all(self) -> list[SetFacts]:
        """Return every set, the newest first."""
        with self._lock:
            return [self.facts(id) for id in reversed(list(self._sets))]

    def facts(self, id: str) -> SetFacts:
        """Return what is known of a set.

        Raises:
            UnknownThing: there is no such set.
        """
        one = self._set(id)
        state = one.state
        told = {}
        if state == "ready":
            told = _read_json(one.folder / UNDERSTOOD)
            told.pop("samples", None)
        elif state == "failed":
            told = _read_json(one.folder / FAILED)
        elif state == "reading":
            told = _read_json(one.folder / PROGRESS)
        return SetFacts(
            id=id,
            title=one.request["title"],
            state=state,
            received=one.received,
            size=one.request["size"],
            started=one.request["started"],
            bytes=size_of(one.folder),
            **told,
        )

    def samples(self, id: str) -> tuple[NDArray[np.uint8], list[int]]:
        """Return ten training images of each class, and the class of each.

        Returns:
            Images (count, channels, rows, columns), and their classes.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready.
        """
        data = self.data(id)
        found = _read_json(self._set(id).folder / UNDERSTOOD)["samples"]
        images = read_idx(data / TRAINING[0], dimensions=(3, 4))
        images = images[:, None] if images.ndim == 3 else images
        places = [place for own in found for place in own]
        classes = [label for label, own in enumerate(found) for _ in own]
        return np.array(images[places]), classes

    def data(self, id: str) -> Path:
        """Return the folder of a set's images, in MNIST's format.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready.
        """
        one = self._set(id)
        if one.state != "ready":
            raise Conflict(f"the set is {one.state}, not ready")
        return one.folder / DATA

    def ready(self) -> dict[str, Path]:
        """Return the folders of the images of each set that is ready, by its id."""
        with self._lock:
            known = list(self._sets.items())
        return {id: one.folder / DATA for id, one in known if one.state == "ready"}

    def remove(self, id: str) -> None:
        """Delete a set; what reads it is ended.

        Raises:
            UnknownThing: there is no such set.
        """
        one = self._set(id)
        with self._lock:
            self._sets.pop(id, None)
            _end(one)
            shutil.rmtree(one.folder, ignore_errors=True)

    def close(self) -> None:
        """End all reading."""
        with self._lock:
            for one in self._sets.values():
                _end(one)

    def _set(self, id: str) -> _Set:
        with self._lock:
            if id not in self._sets:
                raise UnknownThing(f"there is no set of images {short(id)}")
            return self._sets[id]


def _attend(one: _Set, process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of reading, and say so where the process could not."""
    process.wait()
    is_last = one.process is process  # else the upload is read once more
    if is_last and one.folder.is_dir() and one.state == "reading":
        _fail(one)


def _fail(one: _Set) -> None:
    """Say that a set could not be read, and delete what was read of it."""
    for name in (MAKING, UNPACKED, DATA):
        shutil.rmtree(one.folder / name, ignore_errors=True)
    one.upload.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        replace(one.folder / FAILED, {"error": UNREADABLE})


def _end(one: _Set) -> None:
    if one.process is not None and one.process.poll() is None:
        one.process.kill()
        one.process.wait()


def _read_json(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}


def title_of(name: str) -> str:
    """Return what people call a set, given the name of its file."""
    own = name.replace("\\", "/").rpartition("/")[2]
    stem = re.sub(r"(\.(zip|csv|tsv|npz|gz|npy))+$", "", own, flags=re.IGNORECASE)
    plain = "".join(each if each.isprintable() else " " for each in stem).strip()
    return plain[:LONGEST_NAME] or "pictures"
