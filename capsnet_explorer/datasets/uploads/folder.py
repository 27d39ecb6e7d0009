"""A set's folder: what came, what is asked of it, and what it was understood as.

request.json       what came, and when
upload             the file, as it came
progress.json      how many pictures are read, while they are
understood.json    what it was understood as, and which folder has the images
data               the images, in MNIST's format; `data.1` and so on after changes
failed.json        why it makes no set
unclear.json       what people have to say before it can be read

While a set is changed, or read as people have said, there is besides:

change.json        what is asked
unchanged.json     why it could not be, from then on

A change is read beside what is there. It is made the moment `understood.json` is
replaced, which names the new images; until then, the set is what it was. Whatever else
is found is left over from something that was interrupted.
"""

import re
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator, model_validator

from capsnet_explorer.storage.reading import Unreadable, read_back

REQUEST, UPLOAD = "request.json", "upload"
PROGRESS, UNDERSTOOD, FAILED = "progress.json", "understood.json", "failed.json"
CHANGE, UNCHANGED = "change.json", "unchanged.json"
UNCLEAR = "unclear.json"
DATA, MAKING, UNPACKED = "data", "making", "unpacked"
DATA_NAME = re.compile(r"data(\.[1-9][0-9]{0,8})?")
OURS = frozenset(
    {
        *(REQUEST, UPLOAD, PROGRESS, UNDERSTOOD, FAILED),
        *(CHANGE, UNCHANGED, UNCLEAR, DATA, MAKING, UNPACKED),
    }
)

Count = Annotated[int, Field(ge=0)]


class _Kept(BaseModel, strict=True):
    pass


class Upload(_Kept):
    """What came: the file's name, and what people call the set."""

    name: str
    title: str


class Request(Upload):
    """What came, how many bytes it has, and when."""

    size: Count
    started: str

    @field_validator("started")
    @classmethod
    def _is_time(cls, value: str) -> str:
        datetime.fromisoformat(value)
        return value


class Change(_Kept):
    """What is asked: `size`, `channels`, `inverted`, `left_out`, `folders`, or some."""

    asked: dict[str, Any]


class Progress(_Kept):
    """How many pictures of how many are read."""

    done: Count
    total: Count


class Reason(_Kept):
    """Why something could not be."""

    error: str


class Question(_Kept):
    """What people have to say of the folders before they can be read."""

    question: str


class ClassFacts(_Kept):
    """A class of a set."""

    name: str
    training: Count = Field(description="Images that are trained on.")
    test: Count = Field(description="Images that are not.")


class Understood(_Kept):
    """What an upload was understood as."""

    classes: tuple[ClassFacts, ...]
    shape: tuple[
        Annotated[int, Field(ge=1)],
        Annotated[int, Field(ge=1)],
        Annotated[int, Field(ge=1)],
    ]
    inverted: bool
    can_change: bool
    lines: tuple[str, ...]
    warnings: tuple[str, ...]
    samples: tuple[tuple[Count, ...], ...]
    """Places of the training images that show each class."""
    data: str = DATA
    """The folder of the images."""
    asked: dict[str, Any]
    """Of the images."""

    @field_validator("data")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if not DATA_NAME.fullmatch(value):
            raise ValueError("must be the name of a folder of images")
        return value

    @model_validator(mode="after")
    def _fits(self) -> "Understood":
        if len(self.samples) != len(self.classes):
            raise ValueError("there must be samples of each class")
        for samples, known in zip(self.samples, self.classes, strict=True):
            if len(samples) > known.training:
                raise ValueError("there are more samples than images")
        return self

    @property
    def images(self) -> int:
        """How many there are, for training and for the test."""
        return sum(known.training + known.test for known in self.classes)


def settle(folder: Path, tell: Callable[[], object] = bool) -> bool:
    """Clear away what an interrupted reading has left; call while nothing is read.

    Args:
        folder: of a set.
        tell: called where a change was asked for and has not been made, before the set
            counts as ready again.

    Returns:
        Whether a change was asked for and has not been made.

    Raises:
        Unreadable: what the set was understood as cannot be read. All files stay.
        OSError: something cannot be deleted.
    """
    is_lost = False
    if (folder / UNDERSTOOD).exists():
        understood = read_back(folder / UNDERSTOOD, Understood)
        is_lost = (folder / CHANGE).exists() and not _is_made(folder, understood)
        (folder / UNCLEAR).unlink(missing_ok=True)
        _clear_others(folder, understood.data)
    for name in (MAKING, UNPACKED):
        shutil.rmtree(folder / name, ignore_errors=True)
    if is_lost:
        tell()
    for name in (CHANGE, PROGRESS, *(f".{name}.writing" for name in OURS)):
        (folder / name).unlink(missing_ok=True)
    return is_lost


def _is_made(folder: Path, understood: Understood) -> bool:
    """Tell whether the change that was asked for is one that has been made."""
    try:
        return read_back(folder / CHANGE, Change).asked == understood.asked
    except Unreadable:
        return False


def _clear_others(folder: Path, kept: str) -> None:
    """Delete images that others have replaced, if these others are there."""
    if not (folder / kept).is_dir() or not any((folder / kept).iterdir()):
        return
    for other in folder.iterdir():
        if DATA_NAME.fullmatch(other.name) and other.name != kept:
            shutil.rmtree(other, ignore_errors=True)
