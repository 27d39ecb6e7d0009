"""One set of images of one's own, as the files in its folder tell of it."""

import contextlib
import os
import re
import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import orjson
from pydantic import BaseModel, ConfigDict

from capsnet_explorer.app.errors import DamagedFile
from capsnet_explorer.datasets.uploads.folder import (
    CHANGE,
    DATA_NAME,
    FAILED,
    MAKING,
    OURS,
    PROGRESS,
    UNCHANGED,
    UNCLEAR,
    UNDERSTOOD,
    UNPACKED,
    UPLOAD,
    ClassFacts,
    Progress,
    Question,
    Reason,
    Request,
    Understood,
    settle,
)
from capsnet_explorer.storage.reading import Unreadable, read_back
from capsnet_explorer.storage.writing import replace_file

State = Literal["receiving", "reading", "unclear", "ready", "failed"]

LONGEST_NAME = 60  # characters
ENDED = "reading was ended: the server stopped, or memory ran out"
AGAIN = "Add it again"  # what is to be done where the upload is not whole
LATER = "It is read again when the server starts"


class SetFacts(BaseModel):
    """What is known of a set of images of one's own."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    id: str
    """Names the set in addresses; `set:<id>` is the data set of a run."""
    title: str
    """As people called it."""
    state: State
    """`receiving` until all pieces have come; `ready` or `failed` in the end.

    `unclear` while folders can be meant in two ways: a change of `folders` says which.
    """
    error: str | None = None
    """Why it failed; of a set that is ready or unclear, why it was not changed."""
    question: str | None = None
    """What has to be said of a set that is unclear."""
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


class Reader(Protocol):
    """A process that reads an upload; this module starts none."""

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        ...

    def wait(self) -> int:
        """Wait for its end, and return its exit code."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


@dataclass(slots=True)
class SetFolder:
    """A set of images, and what reads it.

    Attributes:
        folder: the set's.
        request: what came.
        process: what reads it, or has read it; None where nothing does.
        readings: how often it has been begun to be read, since the server started.
        lost: why it makes no set for now, where its files do not say so: the next
            server may find it whole, or read it.
        coming: held by whoever writes a piece of the upload.
    """

    folder: Path
    request: Request
    process: Reader | None = None
    readings: int = 0
    lost: str | None = None
    coming: threading.Lock = field(default_factory=threading.Lock)

    @property
    def upload(self) -> Path:
        """The file, as it came."""
        return self.folder / UPLOAD

    @property
    def received(self) -> int:
        """Bytes that have come."""
        with contextlib.suppress(OSError):
            return self.upload.stat().st_size
        return 0

    @property
    def has_images(self) -> bool:
        """Whether it was read."""
        return (self.folder / UNDERSTOOD).exists()

    @property
    def is_unclear(self) -> bool:
        """Whether people have to say what its folders are."""
        return (self.folder / UNCLEAR).exists() and not self.has_images

    @property
    def has_answer(self) -> bool:
        """Whether reading it has come to anything."""
        return self.has_images or self.is_unclear or (self.folder / FAILED).exists()

    @property
    def data_folders(self) -> list[Path]:
        """The folders in which images lie, or have been."""
        return [
            path for path in self.folder.iterdir() if DATA_NAME.fullmatch(path.name)
        ]

    @property
    def state(self) -> State:
        """What becomes of it."""
        if self.is_unclear:
            return "reading" if (self.folder / CHANGE).exists() else "unclear"
        if self.has_images:
            return "reading" if (self.folder / CHANGE).exists() else "ready"
        if self.lost is not None or (self.folder / FAILED).exists():
            return "failed"
        return "receiving" if self.process is None else "reading"

    def understood(self) -> Understood:
        """Return what it was understood as.

        Raises:
            Unreadable: the file that says it is damaged.
        """
        return read_back(self.folder / UNDERSTOOD, Understood)


def is_ours(folder: Path) -> bool:
    """Tell whether a folder has files of the explorer's in it."""
    return folder.is_dir() and any(entry.name in OURS for entry in folder.iterdir())


def facts_of(entry: SetFolder) -> dict[str, Any]:
    """Return what a set's files tell of it, in the names of its facts."""
    state = entry.state
    try:
        if state == "failed" and entry.lost is not None:
            return {"state": state, "error": entry.lost}
        if state == "failed":
            return {"state": state, **dict(read_back(entry.folder / FAILED, Reason))}
        facts: dict[str, Any] = {"state": state}
        if state == "reading":
            with contextlib.suppress(Unreadable):  # before the first word
                facts |= dict(read_back(entry.folder / PROGRESS, Progress))
        if entry.is_unclear:
            facts |= dict(read_back(entry.folder / UNCLEAR, Question))
        if entry.has_images:
            known = dict(entry.understood())
            facts |= {
                name: known[name] for name in SetFacts.model_fields if name in known
            }
            facts["can_change"] &= state == "ready"
        if entry.has_images or entry.is_unclear:
            with contextlib.suppress(Unreadable):  # usually, there is none
                facts |= dict(read_back(entry.folder / UNCHANGED, Reason))
        return facts
    except Unreadable as error:
        return {"state": "failed", "error": f"it is damaged: {error}"}


def damage_of(folder: Path, error: Exception) -> DamagedFile:
    """Return what to say of a set whose files cannot be used."""
    words = getattr(error, "strerror", None) or str(error)
    for path in (*folder.glob("*"), folder, folder.parent):
        words = words.replace(f"{path}{os.sep}", "")  # nobody's business
    return DamagedFile(f"the set of images is damaged: {words}")


def note_end(entry: SetFolder) -> None:
    """Note what reading has come to, and say so where the process could not."""
    with contextlib.suppress(OSError, Unreadable):  # its facts say what is damaged
        if entry.has_images:
            end_change(entry)
        elif entry.is_unclear:
            if (entry.folder / CHANGE).exists():
                _say(entry.folder / UNCHANGED, ENDED)
            settle(entry.folder)
        elif not entry.has_answer:
            _lose(entry)


def end_change(entry: SetFolder) -> None:
    """Clear away what is left of a change, and say why it was not made, if so."""
    settle(
        entry.folder,
        lambda: _say(entry.folder / UNCHANGED, f"It was not changed: {ENDED}"),
    )


def _lose(entry: SetFolder) -> None:
    """Say that an upload, which stays, could not be read to its end."""
    for name in (MAKING, UNPACKED):
        shutil.rmtree(entry.folder / name, ignore_errors=True)
    (entry.folder / PROGRESS).unlink(missing_ok=True)
    entry.lost = f"{ENDED}. {LATER}"


def _say(file: Path, error: str) -> None:
    with contextlib.suppress(OSError):
        replace_file(file, orjson.dumps({"error": error}))


def title_of(name: str) -> str:
    """Return what people call a set, given the name of its file."""
    file = name.replace("\\", "/").rpartition("/")[2]
    stem = re.sub(r"(\.(zip|csv|tsv|npz|gz|npy))+$", "", file, flags=re.IGNORECASE)
    plain = "".join(letter if letter.isprintable() else " " for letter in stem).strip()
    return plain[:LONGEST_NAME] or "pictures"
