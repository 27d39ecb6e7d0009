"""The process that reads an upload and makes a set of images of it.

`python -m capsnet_explorer.datasets.uploads FOLDER` reads `upload` in the set's folder
as `request.json` there says, or once more as `change.json` says. It tells how far it
is in `progress.json`, and at the end what it understood, with the images, or why it
makes no set. It ends with whoever started it: what it left is cleared away at the next
start.
"""

import errno
import gzip
import json
import os
import re
import shutil
import threading
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.datasets.catalogue import (
    NAMES_FILE,
    TEST,
    TITLE_FILE,
    TRAINING,
)
from capsnet_explorer.datasets.describing import strange_parts, warnings_of
from capsnet_explorer.datasets.doubles import doubles_words, hashes_of
from capsnet_explorer.datasets.form import require_sides
from capsnet_explorer.datasets.idx import GZIP, write_idx, write_images
from capsnet_explorer.datasets.unpacking import MOST as MOST_TABLE
from capsnet_explorer.datasets.uploads.folder import (
    CHANGE,
    DATA,
    FAILED,
    MAKING,
    PROGRESS,
    REQUEST,
    UNCHANGED,
    UNCLEAR,
    UNDERSTOOD,
    UNPACKED,
    UPLOAD,
    Change,
    Upload,
)
from capsnet_explorer.datasets.uploads.images import (
    MOST_CLASSES,
    Made,
    NoSet,
    Unclear,
    made_of,
)
from capsnet_explorer.storage.reading import read_back
from capsnet_explorer.storage.sizes import size_words
from capsnet_explorer.storage.writing import replace_file

try:
    import resource
except ImportError:  # Windows
    resource = None

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

MEMORY = 2 << 30  # bytes that reading may take
MOST_S = 30 * 60  # of reading
SHOWN = 10  # of each class
TOLD_S = 0.3  # between two words on progress
LONGEST = 200  # characters of what an error says
FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def main(folder: Path) -> int:
    """Read an upload within limits; return the exit code."""
    if resource is not None:
        for limit, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(limit, (most, most))
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    with (folder / REQUEST).open("rb") as held:
        if fcntl is not None:  # one whose server was killed is about to end
            fcntl.flock(held, fcntl.LOCK_EX)
        return read_upload(folder)


def _end_with_the_server() -> None:
    """Wait until the pipe from the server closes, and end: nobody attends any more."""
    os.read(0, 1)
    os._exit(1)


def read_upload(folder: Path) -> int:
    """Read an upload, or read it again; return the exit code.

    Whatever it comes to, nothing that is half made stays, and a set that was there
    stays as it was until it is replaced as a whole.
    """
    name = "the upload"
    try:
        request = read_back(folder / REQUEST, Upload)
        name = request.name
        choices: dict[str, Any] = {}
        if (folder / CHANGE).exists():
            choices = read_back(folder / CHANGE, Change).asked
        whole = {"name": name, "title": request.title} | choices
        _check_packed(folder / UPLOAD)
        dataset = made_of(folder, whole, Teller(folder).tell)
        _write(folder, whole, choices, dataset)
        for name in (CHANGE, UNCHANGED, UNCLEAR):
            (folder / name).unlink(missing_ok=True)
    except Unclear as error:
        _clear(folder)
        if (folder / UNDERSTOOD).exists():  # by an earlier version
            return _fail(folder, str(error))
        _tell(folder / UNCLEAR, {"question": str(error)})
        return 1
    except Exception as error:  # whatever it is, people are told
        _clear(folder)  # first: the disk may be full
        return _fail(folder, _name_for_people(folder, name, _words_of(error, name)))
    _clear(folder)
    return 0


def _check_packed(upload: Path) -> None:
    """Unpack a gzip file once: a damaged one could pass for no table at all."""
    with upload.open("rb") as file:
        if file.read(len(GZIP)) != GZIP:
            return
    remaining = MOST_TABLE
    with gzip.open(upload) as file:
        while remaining > 0 and (data := file.read(1 << 20)):
            remaining -= len(data)


def _clear(folder: Path) -> None:
    for name in (MAKING, UNPACKED):
        shutil.rmtree(folder / name, ignore_errors=True)


def _words_of(error: Exception, name: str) -> str:
    """Return what an exception means to people."""
    match error:
        case MemoryError():
            return "the upload takes more memory than reading it may have"
        case OSError(errno=number) if number in FULL:
            return "the disk is full: delete sets or runs, and try it again"
        case EOFError() | zlib.error() | gzip.BadGzipFile():
            return f"{name} is cut or damaged: its compressed data cannot be unpacked"
        case OSError():
            return error.strerror or str(error)
        case RecursionError():
            return f"{name} is nested too deeply"
        case ValueError():  # NoSet, BrokenFile and Unreadable are ones
            return str(error)
        case _:
            words = (str(error).strip() or "no words").splitlines()[0][:LONGEST]
            return (
                f"{name} cannot be read, for a reason that is not foreseen: "
                f"{type(error).__name__}, {words}"
            )


def _name_for_people(folder: Path, name: str, words: str) -> str:
    """Return words about files as people know these: by name, and in no folder."""
    words = re.sub(rf"\b{UPLOAD}(\.csv\.gz|\.csv|\.npz)", lambda _: name, words)
    for folder_name in (folder / UNPACKED, folder / UPLOAD, folder):
        words = words.replace(f"{folder_name}/", "").replace(
            str(folder_name), "the upload"
        )
    return words


def _fail(folder: Path, words: str) -> int:
    """Say why there is no set, or why it was not changed; what came stays."""
    content = {"error": words}
    if (folder / CHANGE).exists():
        _tell(folder / UNCHANGED, content)
        (folder / CHANGE).unlink()
        return 1
    _tell(folder / FAILED, content)
    return 1


class Teller:
    """Says how far reading is, and ends it when it takes too long."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / PROGRESS
        self._last = 0.0
        self._end = time.monotonic() + MOST_S

    def tell(self, done: int, total: int) -> None:
        """Say how many of all pictures are read.

        Raises:
            NoSet: it takes too long.
        """
        now = time.monotonic()
        if now > self._end:
            raise NoSet(f"reading may take {MOST_S // 60} minutes at most")
        if now - self._last >= TOLD_S or done == total:
            self._last = now
            _tell(self._file, {"done": done, "total": total})


def _write(
    folder: Path, request: Mapping[str, Any], choices: Mapping[str, Any], dataset: Made
) -> None:
    """Write the images in MNIST's format, and then what was understood.

    The set is the new one from the moment that the second is written.
    """
    names = dataset.class_names
    if len(names) > MOST_CLASSES:
        raise NoSet(f"a set may have {MOST_CLASSES} classes at most, got {len(names)}")
    counts = {
        part: np.bincount(dataset.labels[part], minlength=len(names)).tolist()
        for part in ("training", "test")
    }
    if np.count_nonzero(counts["training"]) < 2:
        raise NoSet("a set needs training images of two classes or more")
    if not sum(counts["test"]):
        raise NoSet(
            "a set needs a test image at least: two pictures of a class or more"
        )
    shape = dataset.images["training"].shape[1:]
    if dataset.images["test"].shape[1:] != shape:
        raise NoSet("training and test images must have the same size")
    require_sides(*shape[1:])
    _require_room(folder, sum(some.nbytes for some in dataset.images.values()))
    making = folder / MAKING
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    for part, files in (("training", TRAINING), ("test", TEST)):
        write_images(making / files[0], dataset.images[part])
        write_idx(making / files[1], dataset.labels[part])
    clean = [" ".join(name.split()) or "?" for name in names]
    (making / NAMES_FILE).write_text("\n".join(clean) + "\n", "utf-8")
    (making / TITLE_FILE).write_text(str(request["title"]), "utf-8")
    by_name = [
        dict(zip(clean, counts[part], strict=True)) for part in ("training", "test")
    ]
    warnings = [*dataset.warnings, *warnings_of(*by_name)]
    warnings += strange_parts(dataset.images)
    warnings += doubles_words(hashes_of(dataset.images, dataset.labels))
    data = _free_name(folder)
    making.replace(folder / data)
    form = dataset.form
    _tell(
        folder / UNDERSTOOD,
        {
            "data": data,
            "asked": choices,
            "classes": [
                {"name": name, "training": training, "test": test}
                for name, training, test in zip(
                    clean, counts["training"], counts["test"], strict=True
                )
            ],
            "shape": list(shape),
            "inverted": bool(form and form.is_inverted)
            or bool(request.get("inverted")),
            "can_change": form is not None,
            "lines": dataset.lines,
            "warnings": [name[0].upper() + name[1:] for name in warnings],
            "samples": samples_of(dataset.labels["training"], len(names)),
        },
    )


def _require_room(folder: Path, need: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < need:
        raise NoSet(
            f"the disk is full: the images need {size_words(need)}, there are "
            f"{size_words(free)} free"
        )


def _tell(file: Path, content: Mapping[str, Any]) -> None:
    replace_file(file, json.dumps(content).encode())


def _free_name(folder: Path) -> str:
    """Return a name for the images, beside those that are there."""
    name, number = DATA, 1
    while (folder / name).exists():
        name, number = f"{DATA}.{number}", number + 1
    return name


def samples_of(labels: np.ndarray, classes: int) -> list[list[int]]:
    """Return the first training images of each class, to be shown."""
    return [
        np.flatnonzero(labels == label)[:SHOWN].tolist() for label in range(classes)
    ]
