"""Sets of images of one's own: taken from people, read by a process, and kept.

Each has a folder. What is known of it is read from there alone, so a server that starts
again finds the sets that were.
"""

import contextlib
import logging
import re
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.app.engines.own_set import (
    AGAIN,
    SetFacts,
    SetFolder,
    damage_of,
    end_change,
    facts_of,
    is_ours,
    note_end,
    title_of,
)
from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.folder import size_of
from capsnet_explorer.app.engines.training.process import let_others_go_first
from capsnet_explorer.app.errors import (
    Conflict,
    InvalidRequest,
    Overloaded,
    TooLarge,
    UnknownThing,
    short,
)
from capsnet_explorer.datasets.catalogue import TEST, TRAINING
from capsnet_explorer.datasets.idx import BrokenFile, read_labelled
from capsnet_explorer.datasets.uploads.folder import (
    CHANGE,
    FAILED,
    PROGRESS,
    REQUEST,
    UNCHANGED,
    UNDERSTOOD,
    UPLOAD,
    Request,
    settle,
)
from capsnet_explorer.storage.folders import begun_beside, remove_only
from capsnet_explorer.storage.reading import Unreadable, read_back
from capsnet_explorer.storage.sizes import size_words
from capsnet_explorer.storage.writing import replace_file

Process = subprocess.Popen[bytes]

PREFIX = "set:"  # of a set's name among data sets
ID = re.compile(r"[0-9a-f]{8}")
HALF = re.compile(r"\.[0-9a-f]{8}(\.[0-9]+)?\.writing")  # a folder being made
FOLDER = "sets"  # within that of the runs
COMMAND = (sys.executable, "-m", "capsnet_explorer.datasets.uploads")

MOST_UPLOAD = 512 << 20  # bytes
MOST_AT_ONCE = 60 << 20  # bytes of one request; larger uploads come in pieces
MOST_BYTES = 1 << 30  # of all sets; the runs may have as much again
MOST_SETS = 20
LEAST_FREE = 1 << 30  # bytes of the disk that sets must leave others
KILLED_FIRST = 900  # of 1000: where memory runs out, before runs and the server
MOST_READINGS = 2  # of an upload whose reader is killed, until the next start
COPIED = 1 << 20  # bytes at once

log = logging.getLogger("capsnet.sets")


class Sets:
    """The sets of a server.

    Args:
        folder: where each has a folder; created when the first one comes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._is_closing = False
        self._sets: dict[str, SetFolder] = {}  # the oldest first

    def find(self) -> None:
        """Find the sets of an earlier server, and go on with what it had begun.

        Nothing that holds a byte of an upload or an image is deleted. What is no set
        of the explorer's stays as it is; so does a set that cannot be read, of which a
        line in the log tells.
        """
        sets = []
        try:
            places = sorted(self._folder.iterdir())
        except OSError:
            places = []
        for folder in places:
            if HALF.fullmatch(folder.name):
                _remove_begun(folder)
                continue
            try:
                if ID.fullmatch(folder.name) and is_ours(folder):
                    sets.append(SetFolder(folder, read_back(folder / REQUEST, Request)))
            except (OSError, Unreadable) as error:
                _leave_out(folder, error)
        for entry in sorted(sets, key=lambda entry: entry.request.started):
            self._take_up(entry)

    def _take_up(self, entry: SetFolder) -> None:
        """Take a set up where an earlier server left it."""
        known = entry.folder.name
        if entry.has_images:
            try:
                end_change(entry)
            except (OSError, Unreadable) as error:  # its facts say so
                log.warning("The set of images %s is damaged: %s", known, error)
            self._sets[known] = entry
        elif (entry.folder / FAILED).exists() or entry.state == "unclear":
            self._sets[known] = entry
        elif entry.received == entry.request.size:
            self._sets[known] = entry
            self._read(entry)
        elif entry.data_folders:  # it was read once
            _leave_out(entry.folder, Unreadable(f"{UNDERSTOOD} is missing"))
        elif entry.received:
            size = size_words(entry.request.size)
            entry.lost = (
                f"{size_words(entry.received)} of {size} came before the server "
                f"stopped. {AGAIN}"
            )
            self._sets[known] = entry
        else:
            _remove_begun(entry.folder)

    @property
    def bytes(self) -> int:
        """Of all sets, on the disk, and of what will still come."""
        with self._lock:
            known = list(self._sets.values())
        coming = [entry for entry in known if entry.state == "receiving"]
        return sum(size_of(entry.folder) for entry in known) + sum(
            max(0, entry.request.size - entry.received) for entry in coming
        )

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
            request = Request(
                name=name[-200:],
                title=title_of(name),
                size=size,
                started=datetime.now(UTC).isoformat(timespec="milliseconds"),
            )
            folder = self._folder / id
            try:
                beside = begun_beside(folder)  # HALF
                try:
                    replace_file(beside / REQUEST, orjson.dumps(request.model_dump()))
                    (beside / UPLOAD).touch()
                    beside.rename(folder)
                except OSError:
                    _remove_begun(beside)
                    raise
            except OSError as error:
                raise room.unwritten("the set", error, LEAST_FREE + 2 * size) from None
            self._sets[id] = SetFolder(folder, request)
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
        self._require_free(2 * size)

    def _require_free(self, need: int) -> None:
        """Refuse what would leave too little of the disk to others."""
        try:
            free = room.free_bytes(self._folder)
        except OSError as error:
            raise room.unwritten("the set", error) from None
        if free < LEAST_FREE + need:
            raise Overloaded(
                f"the disk is full: {size_words(LEAST_FREE + need)} must be free, "
                f"there are {size_words(free)}",
                after_s=room.RETURN_S,
            )

    def add(self, id: str, offset: int, content: BinaryIO) -> None:
        """Write a piece of an upload; with its last one, reading begins.

        Others go on meanwhile, however slowly it comes.

        Raises:
            UnknownThing: there is no such set, or it was deleted meanwhile.
            Conflict: the piece does not follow what has come, or another one comes.
            TooLarge: more comes than was announced.
            Overloaded: the disk is full.
        """
        entry = self._set(id)
        if not entry.coming.acquire(blocking=False):
            raise Conflict("another piece of this set is just coming")
        try:
            if entry.state != "receiving" or offset != entry.received:
                raise Conflict(
                    f"the next piece must begin at byte {entry.received}, got {offset}"
                )
            missing = self._write(id, entry, entry.request.size - offset, content)
            with self._lock:
                self._set(id)  # which may have been deleted meanwhile
                if missing == 0:
                    self._read(entry)
        finally:
            entry.coming.release()

    def _write(self, id: str, entry: SetFolder, most: int, content: BinaryIO) -> int:
        """Write what comes, and return how many bytes are left to come."""
        with contextlib.ExitStack() as stack:
            try:
                file = stack.enter_context(entry.upload.open("ab", buffering=0))
            except OSError as error:
                raise self._undone(id, entry, error) from None
            while data := content.read(COPIED):
                most -= len(data)
                if most < 0:
                    self.remove(id)
                    raise TooLarge("more bytes came than were announced", field="file")
                try:
                    _write_all(file, data)
                except OSError as error:
                    raise self._undone(id, entry, error) from None
        return most

    def _undone(self, id: str, entry: SetFolder, error: OSError) -> Exception:
        """Return what to say of an upload that cannot be written, which is gone."""
        with contextlib.suppress(UnknownThing):
            self.remove(id)
        return room.unwritten("the set", error, LEAST_FREE + 2 * entry.request.size)

    def change(self, id: str, request: Mapping[str, Any]) -> None:
        """Read the upload again, in another form or without some classes.

        The set stays what it was until the other one is good. If it cannot be, its
        facts say why. Of a set that is unclear, say what its folders are.

        Args:
            id: the set's.
            request: any of `size`, `channels`, `inverted`, `left_out` and `folders`.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready, or not made of pictures; or it is unclear, and
                `folders` is not among what is asked.
            Overloaded: the disk is full.
        """
        entry = self._set(id)
        with self._lock:
            merged, need = self._changed(entry, request)
            self._require_free(need)
            if entry.process is not None:
                entry.process.wait()  # it has told all, and is about to end
            (entry.folder / UNCHANGED).unlink(missing_ok=True)
            try:
                replace_file(entry.folder / CHANGE, orjson.dumps({"asked": merged}))
            except OSError as error:
                raise room.unwritten("the change", error, LEAST_FREE) from None
            self._read(entry)

    def _changed(
        self, entry: SetFolder, request: Mapping[str, Any]
    ) -> tuple[dict[str, Any], int]:
        """Return all that is asked of a set by now, and the bytes that it may take."""
        if entry.state == "unclear":
            if "folders" not in request:
                raise Conflict("folders must say what the outermost folders are")
            return dict(request), entry.request.size
        if not self.facts(entry.folder.name).can_change:
            raise Conflict("only a set of pictures that is ready can be changed")
        understood = entry.understood()
        known = understood.asked
        left_out = {*known.get("left_out", ()), *request.get("left_out", ())}
        merged = {**known, **request, "left_out": sorted(left_out)}
        rows, columns = merged.get("size") or understood.shape[1:]
        channels = merged.get("channels") or understood.shape[0]
        return merged, understood.images * rows * columns * channels

    def _read(self, entry: SetFolder) -> None:
        """Start the process that reads an upload; the caller holds the lock."""
        (entry.folder / PROGRESS).unlink(missing_ok=True)
        entry.lost = None
        entry.readings += 1
        try:
            process = entry.process = subprocess.Popen(
                [*COMMAND, str(entry.folder)],
                stdin=subprocess.PIPE,  # which closes when the server ends
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=subprocess_environment(),
                start_new_session=True,  # the server's Ctrl-C is not its
            )
        except OSError:
            note_end(entry)
            return
        let_others_go_first(process, KILLED_FIRST)
        arguments = (entry, process)
        threading.Thread(target=self._attend, args=arguments, daemon=True).start()

    def _attend(self, entry: SetFolder, process: Process) -> None:
        """Wait for the end of reading, and say so where the process could not.

        One that was killed before it could say anything is started once more: where
        memory runs out, it goes before all others.
        """
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        with self._lock:
            is_last = entry.process is process  # else the upload is read once more
            if not is_last or not entry.folder.is_dir() or self._is_closing:
                return
            if not entry.has_answer and entry.readings < MOST_READINGS:
                self._read(entry)
            else:
                note_end(entry)

    def all(self) -> list[SetFacts]:
        """Return every set, the newest first."""
        with self._lock:
            return [self.facts(id) for id in reversed(list(self._sets))]

    def facts(self, id: str) -> SetFacts:
        """Return what is known of a set.

        Raises:
            UnknownThing: there is no such set.
        """
        entry = self._set(id)
        return SetFacts(
            id=id,
            title=entry.request.title,
            received=entry.received,
            size=entry.request.size,
            started=entry.request.started,
            bytes=size_of(entry.folder),
            **facts_of(entry),
        )

    def samples(self, id: str) -> tuple[NDArray[np.uint8], list[int]]:
        """Return ten training images of each class, and the class of each.

        Returns:
            Images (count, channels, rows, columns), and their classes.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready, or its files are damaged.
        """
        data = self.data(id)
        try:
            samples = self._set(id).understood().samples
            images, _ = read_labelled(data, TRAINING)
            places = [index for indexes in samples for index in indexes]
            classes = [label for label, indexes in enumerate(samples) for _ in indexes]
            return np.array(images[places]), classes
        except (OSError, ValueError, IndexError) as error:
            raise damage_of(data, error) from None

    def data(self, id: str) -> Path:
        """Return the folder of a set's images, in MNIST's format.

        Raises:
            UnknownThing: there is no such set.
            Conflict: it is not ready, or its files are damaged.
        """
        entry = self._set(id)
        if entry.state != "ready":
            raise Conflict(f"the set is {entry.state}, not ready")
        try:
            folder = entry.folder / entry.understood().data
            for part in (TRAINING, TEST):
                read_labelled(folder, part)
        except (OSError, BrokenFile, Unreadable) as error:
            raise damage_of(entry.folder, error) from None
        return folder

    def ready(self) -> dict[str, Path]:
        """Return the folders of the images of each set that is ready, by its id."""
        with self._lock:
            known = list(self._sets.items())
        folders = {}
        for id, entry in known:
            if entry.has_images:  # also while it is read again
                with contextlib.suppress(Unreadable):
                    folders[id] = entry.folder / entry.understood().data
        return folders

    def remove(self, id: str) -> None:
        """Delete a set; what reads it is ended.

        While it is read again, only the change is given up: the set stays as it was.

        Raises:
            UnknownThing: there is no such set.
        """
        entry = self._set(id)
        with self._lock:
            _end(entry)
            is_kept = entry.has_images or entry.is_unclear
            if is_kept and (entry.folder / CHANGE).exists():
                with contextlib.suppress(OSError, Unreadable):
                    settle(entry.folder)
                    return
            self._sets.pop(id, None)
            shutil.rmtree(entry.folder, ignore_errors=True)

    def close(self) -> None:
        """End all reading."""
        with self._lock:
            self._is_closing = True
            for entry in self._sets.values():
                _end(entry)

    def _set(self, id: str) -> SetFolder:
        with self._lock:
            if id not in self._sets:
                raise UnknownThing(f"there is no set of images {short(id)}")
            return self._sets[id]


def _leave_out(folder: Path, error: Exception) -> None:
    log.warning("The set of images %s is left out: %s", folder.name, error)


def _remove_begun(folder: Path) -> None:
    """Remove a set's folder in which nothing has come; any other stays as it is."""
    with contextlib.suppress(OSError, Unreadable):
        if (folder / REQUEST).exists():
            read_back(folder / REQUEST, Request)
        if not (folder / UPLOAD).exists() or not (folder / UPLOAD).stat().st_size:
            remove_only(folder, {REQUEST, UPLOAD})


def _end(entry: SetFolder) -> None:
    if entry.process is not None and entry.process.poll() is None:
        entry.process.kill()
        entry.process.wait()


def _write_all(file: Any, data: bytes) -> None:
    """Write all of it: a disk that is nearly full takes a part."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
