"""A run's folder: how it was requested, what it told, and what is asked of it.

request.json               the recipe, and the command that trains it
output.txt                 what its process printed
watched/events.jsonl       what happened, one event a line
watched/control.json       what is asked: a learning rate, or a state
    watched/STEP.safetensors   the network after that step, a card beside it

Others write there, too: whatever is read is checked first.
"""

import contextlib
import os
import re
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, field_validator

from capsnet_explorer.app.engines.training.events import (
    Event,
    EventLog,
    LogCut,
    SnapshotEvent,
    StateEvent,
    add_event,
    as_dict,
)
from capsnet_explorer.app.engines.training.facts import ENDED, RunFacts, State
from capsnet_explorer.storage.reading import Unreadable, read_back, read_object
from capsnet_explorer.storage.writing import replace_file

SUFFIX = ".safetensors"
REQUEST = "request.json"
WATCHED = "watched"
STEP = re.compile(r"0|[1-9][0-9]{0,8}")  # one spelling of each
TOLD = (
    *("step", "images", "seconds", "state", "total", "message"),
    *("loss", "accuracy", "learning_rate", "error", "tested"),
)
LOG_LOST = "its log was lost"


class Request(BaseModel, strict=True):
    """How a run was requested, as its folder has it."""

    recipe: dict[str, Any]
    architecture: str
    preset: str
    settings: dict[str, Any]
    started: str
    weights: str = ""
    """Name of the file that it writes at its end."""
    shown: str = ""
    """The command that anybody can give for the same run."""
    arguments: list[str] = []
    """Of the command, for its process."""

    @field_validator("started")
    @classmethod
    def _is_time(cls, value: str) -> str:
        datetime.fromisoformat(value)
        return value

    @field_validator("weights")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if not re.fullmatch(r"([\w-]+\.safetensors)?", value):
            raise ValueError("must be the name of a weight file")
        return value


class Run:
    """A run, as its folder tells of it.

    Args:
        folder: the run's.
        request: how it was requested.

    Attributes:
        latest: what its events say, by the names of its facts.
        snapshots: bytes by step.
        events: how many there are so far.
        is_removed: whether somebody has thrown it away.
    """

    def __init__(self, folder: Path, request: Request) -> None:
        self.folder = folder
        self.request = request
        self.latest: dict[str, Any] = {}
        self.snapshots: dict[int, int] = {}
        self.events = 0
        self.is_removed = False
        self._log = EventLog(self.events_file)
        self._damage: str | None = None
        self._lock = threading.RLock()

    @property
    def id(self) -> str:
        """Names the run in addresses."""
        return self.folder.name

    @property
    def events_file(self) -> Path:
        """What happened, one event a line."""
        return self.folder / WATCHED / "events.jsonl"

    @property
    def state(self) -> State:
        """What the run does, after a look at its events."""
        self.look()
        return self.latest.get("state", "stopped")

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen, unless somebody lets the run go on."""
        return self.state in ENDED

    def look(self) -> None:
        """Read the events that are new. What cannot be read is passed over."""
        with self._lock:
            try:
                new = self._log.new()
            except LogCut:
                self._begin_again()
                return
            except OSError as error:
                self._lose(f"its log cannot be read: {error.strerror}")
                return
            for _, event in new:
                self.events += 1
                self._note(event)
            if lost := self._log.lost:
                lines = "1 line" if lost == 1 else f"{lost} lines"
                self._lose(f"{lines} of its log cannot be read")

    def find(self) -> None:
        """Look at a run of an earlier server, and for snapshots not told of."""
        self.look()
        if not self.events:
            self._lose("its log is empty or missing")
        self._find_snapshots()

    def _begin_again(self) -> None:
        """Forget what a log told that is no longer what it was."""
        self._log = EventLog(self.events_file)
        self.latest, self.snapshots, self.events = {"message": LOG_LOST}, {}, 0
        self.look()
        self._lose("its log has lost lines")

    def _lose(self, damage: str) -> None:
        """Note what is lost of the log, and find snapshots that it does not name."""
        if self._damage != damage:
            self._damage = damage
            self._find_snapshots()

    def _find_snapshots(self) -> None:
        with contextlib.suppress(OSError):
            for file in sorted(self.events_file.parent.glob(f"*{SUFFIX}")):
                if STEP.fullmatch(file.stem) and file.with_suffix(".json").exists():
                    self.snapshots.setdefault(int(file.stem), file.stat().st_size)
        self.snapshots = dict(sorted(self.snapshots.items()))

    def _note(self, event: Event) -> None:
        if isinstance(event, SnapshotEvent) and event.bytes:
            self.snapshots[event.step] = event.bytes
        if isinstance(event, StateEvent):
            self.latest.pop("message", None)
            if event.total is not None and event.step < self.latest.get("step", 0):
                # It goes on from its checkpoint, and tells what came after once more.
                self.snapshots = {
                    step: size
                    for step, size in self.snapshots.items()
                    if step <= event.step
                }
        fields = as_dict(event)
        self.latest |= {name: fields[name] for name in TOLD if name in fields}

    def tell(self, state: State, message: str | None = None) -> None:
        """Add an event, while no process writes any.

        Raises:
            OSError: it cannot be written, for example on a full disk. Facts have it.
        """
        with self._lock:
            self.look()
            named = {name: self.latest.get(name, 0) for name in ("step", "images")}
            event = StateEvent(
                event="state",
                **named,
                seconds=self.latest.get("seconds", 0.0),
                state=state,
                message=message,
            )
            self._note(event)
            # The kind first, as processes write it.
            line = orjson.dumps({"event": "state", **as_dict(event)})
            add_event(self.events_file, line)

    def ask(self, **changes: Any) -> None:
        """Ask the process for something, besides what it was asked before.

        Raises:
            OSError: it cannot be written, for example on a full disk.
        """
        file = self.folder / WATCHED / "control.json"
        with self._lock:
            before: dict[str, Any] = {}
            with contextlib.suppress(Unreadable):
                before = read_object(file)
            replace_file(file, orjson.dumps({**before, **changes}))

    def snapshot(self, step: int) -> Path:
        """Return the weight file of the network after a step."""
        return self.folder / WATCHED / f"{step}{SUFFIX}"

    def facts(self, position: int = 0) -> RunFacts:
        """Return what the run has done so far.

        Args:
            position: in the queue, from 1; 0 while it does not wait.
        """
        with self._lock:
            self.look()
            names = ("recipe", "architecture", "preset", "settings", "started")
            return RunFacts(
                id=self.id,
                place=position,
                **{name: getattr(self.request, name) for name in names},
                **{"state": "stopped", **self.latest},
                snapshots=tuple(self.snapshots),
                events=self.events,
                bytes=sum(self.snapshots.values()),
                damage=self._damage,
            )


def read_request(folder: Path) -> Request:
    """Read how a run was requested.

    Raises:
        Unreadable: it cannot be read.
    """
    return read_back(folder / REQUEST, Request)


def write_request(folder: Path, request: Mapping[str, Any]) -> Request:
    """Write how a run was requested, and return it as it is read again.

    Raises:
        OSError: it cannot be written, for example on a full disk.
    """
    replace_file(folder / REQUEST, orjson.dumps(request))
    return read_request(folder)


def size_of(folder: Path) -> int:
    """Return the bytes of a folder's files; what vanishes meanwhile counts nothing."""
    size = 0
    for root, _, names in os.walk(folder):  # which passes over folders that are gone
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(root, name)).st_size
    return size
