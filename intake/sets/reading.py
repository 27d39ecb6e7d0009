"""The process that reads an upload and makes a set of images of it.

`python -m capsnet_explorer.intake.sets FOLDER` reads `upload` in the set's folder as
`request.json` there says. It tells how far it is in `progress.json`, and at the end
writes either `understood.json`, with the images in `data`, or `failed.json`.
"""

import json
import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.dataset_files.catalogue import (
    NAMES_FILE,
    TEST,
    TITLE_FILE,
    TRAINING,
)
from capsnet_explorer.dataset_files.describing import EQUAL, all_equal, warnings_of
from capsnet_explorer.dataset_files.idx import write_idx, write_images
from capsnet_explorer.intake.sets.images import (
    MOST_CLASSES,
    UNPACKED,
    UPLOAD,
    Made,
    NoSet,
    made_of,
)

try:
    import resource
except ImportError:  # Windows
    resource = None

REQUEST = "request.json"
PROGRESS, UNDERSTOOD, FAILED = "progress.json", "understood.json", "failed.json"
DATA, MAKING = "data", "making"

MEMORY = 2 << 30  # bytes that reading may take
MOST_S = 30 * 60  # of reading
SHOWN = 10  # of each class
TOLD_S = 0.3  # between two words on progress


def main(folder: Path) -> int:
    """Read an upload within limits; return the exit code."""
    if resource is not None:
        for limit, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(limit, (most, most))
    return read_upload(folder)


def read_upload(folder: Path) -> int:
    """Read an upload; return the exit code.

    Whatever it comes to, nothing that is half made stays.
    """
    name = "the upload"
    try:
        request = json.loads((folder / REQUEST).read_bytes())
        name = str(request["name"])
        own = {name: request[name] for name in ("name", "title")}
        asked = own | request["asked"]
        _write(folder, asked, made_of(folder, asked, Teller(folder).tell))
    except MemoryError:
        return _fail(folder, "the upload takes more memory than reading it may have")
    except OSError as error:
        return _fail(folder, error.strerror or _said(folder, name, str(error)))
    except ValueError as error:  # NoSet and BrokenFile are ones
        return _fail(folder, _said(folder, name, str(error)))
    finally:
        for name in (MAKING, UNPACKED):
            shutil.rmtree(folder / name, ignore_errors=True)
    return 0


def _said(folder: Path, name: str, words: str) -> str:
    """Return words about files as people know these: by name, and in no folder."""
    words = re.sub(rf"\b{UPLOAD}(\.csv\.gz|\.csv|\.npz)", lambda _: name, words)
    for place in (folder / UNPACKED, folder / UPLOAD, folder):
        words = words.replace(f"{place}/", "").replace(str(place), "the upload")
    return words


def _fail(folder: Path, words: str) -> int:
    (folder / UPLOAD).unlink(missing_ok=True)
    shutil.rmtree(folder / DATA, ignore_errors=True)
    replace(folder / FAILED, {"error": words})
    return 1


def replace(file: Path, content: Mapping[str, Any]) -> None:
    """Write a file so that nobody ever sees half of it."""
    beside = file.with_name(f".{file.name}.writing")
    beside.write_text(json.dumps(content), "utf-8")
    beside.replace(file)


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
            replace(self._file, {"done": done, "total": total})


def _write(folder: Path, request: Mapping[str, Any], made: Made) -> None:
    """Write the images in MNIST's format, and then what was understood."""
    names = made.class_names
    if len(names) > MOST_CLASSES:
        raise NoSet(f"a set may have {MOST_CLASSES} classes at most, got {len(names)}")
    counts = {
        part: np.bincount(made.labels[part], minlength=len(names)).tolist()
        for part in ("training", "test")
    }
    if np.count_nonzero(counts["training"]) < 2:
        raise NoSet("a set needs training images of two classes or more")
    if not sum(counts["test"]):
        raise NoSet(
            "a set needs a test image at least: two pictures of a class or more"
        )
    shape = made.images["training"].shape[1:]
    if made.images["test"].shape[1:] != shape:
        raise NoSet("training and test images must have the same size")
    making = folder / MAKING
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    for part, files in (("training", TRAINING), ("test", TEST)):
        write_images(making / files[0], made.images[part])
        write_idx(making / files[1], made.labels[part])
    clean = [" ".join(name.split()) or "?" for name in names]
    (making / NAMES_FILE).write_text("\n".join(clean) + "\n", "utf-8")
    (making / TITLE_FILE).write_text(str(request["title"]), "utf-8")
    by_name = [
        dict(zip(clean, counts[part], strict=True)) for part in ("training", "test")
    ]
    warnings = [*made.warnings, *warnings_of(*by_name)]
    if all_equal(made.images["training"]):
        warnings.append(EQUAL)
    shutil.rmtree(folder / DATA, ignore_errors=True)
    making.replace(folder / DATA)
    form = made.form
    replace(
        folder / UNDERSTOOD,
        {
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
            "lines": made.lines,
            "warnings": [each[0].upper() + each[1:] for each in warnings],
            "samples": samples_of(made.labels["training"], len(names)),
        },
    )


def samples_of(labels: np.ndarray, classes: int) -> list[list[int]]:
    """Return the first training images of each class, to be shown."""
    return [
        np.flatnonzero(labels == label)[:SHOWN].tolist() for label in range(classes)
    ]
