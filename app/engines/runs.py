"""Training runs: processes of their own, watched and steered by files in their folders.

A run is `python -m model train --watched`, as anybody could start it. What it did is
read from its folder alone, so a server that starts again finds the runs that were.
"""

import contextlib
import json
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from capsnet_explorer.app.engines.recipes import Recipe, check_ready, checked_recipe
from capsnet_explorer.app.engines.symbols import SYMBOLS, symbols_from
from capsnet_explorer.app.errors import (
    Conflict,
    InvalidRequest,
    Overloaded,
    UnknownThing,
    short,
)
from capsnet_explorer.dataset_files.catalogue import DATASETS
from pydantic import BaseModel, ConfigDict

from capsnet_explorer import ROOT, subprocess_environment

try:
    import fcntl
except ImportError:  # Windows has none; there, two servers must not share a folder
    fcntl = None

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
ENDED = ("done", "stopped", "failed")

EXTENSION = "capsnet-runs"  # of an app
SUFFIX = ".safetensors"
SYMBOLS_FILE = DATASETS[SYMBOLS].place
REQUEST = "request.json"
WATCHED = "watched"
ID = re.compile(r"[0-9a-f]{8}")
SNAPSHOT = re.compile(r"([0-9a-f]{8})@(\d{1,9})")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{,59}")

MOST_WAITING = 8
MOST_KEPT = 20  # runs; the oldest that ended goes first
MOST_BYTES = 2 << 30  # of all runs together; likewise
LEAST_FREE = 1 << 30  # bytes of the disk that a run must leave others
MOST_S = 2 * 3600  # of a run, pauses included
NICENESS = 10  # whoever draws goes first
KILLED_FIRST = 800  # of 1000: where memory runs out, a run ends before the server
LOOK_UP_S = 0.2  # between two looks for new events
STREAM_S = 25.0  # the server ends an exchange after 60 s
MOST_STREAMS = 8  # held at once, each by a thread of the server


class RunFacts(BaseModel):
    """What a training run has done so far."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    id: str
    """Names the run in addresses."""
    state: State
    """What it does."""
    place: int = 0
    """In the queue while it waits, 1 is next; else 0."""
    recipe: Mapping[str, Any]
    """As it was requested."""
    architecture: str
    """Its kind of network."""
    preset: str
    """What the recipe changes."""
    settings: Mapping[str, Any]
    """Every setting, by name."""
    started: str
    """When it was requested, in UTC."""
    total: int = 0
    """Steps of the whole run; 0 until it has begun."""
    step: int = 0
    """Steps so far."""
    images: int = 0
    """Training images so far, counted once for each epoch."""
    seconds: float = 0.0
    """Of training so far, without pauses."""
    loss: float | None = None
    """Mean over the last steps that were told of."""
    accuracy: float | None = None
    """Share of these steps' training images that were read right."""
    learning_rate: float | None = None
    """In the last of these steps."""
    error: float | None = None
    """Share of `tested` images that were misread when last tested."""
    tested: int | None = None
    """Number of these, the first ones of the test set."""
    snapshots: tuple[int, ...] = ()
    """Steps; each is the model `<id>@<step>` under `/api/models/`."""
    events: int = 0
    """How many there are so far."""
    bytes: int = 0
    """Of the snapshots."""
    message: str | None = None
    """Why it failed or stopped."""


@dataclass(slots=True)
class _Run:
    """A run's folder, and its process while it has one."""

    folder: Path
    request: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None
    is_waiting: bool = False
    is_removed: bool = False
    told: dict[str, Any] = field(default_factory=dict)
    snapshots: dict[int, int] = field(default_factory=dict)  # bytes by step
    events: int = 0
    _read: int = 0  # bytes of the events
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def events_file(self) -> Path:
        return self.folder / WATCHED / "events.jsonl"

    @property
    def control_file(self) -> Path:
        return self.folder / WATCHED / "control.json"

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def has_ended(self) -> bool:
        self.look()
        return self.told.get("state") in ENDED

    def look(self) -> None:
        """Read the events that are new."""
        with self._lock:
            lines, self._read = _lines_after(self.events_file, self._read)
            for line in lines:
                self.events += 1
                self._note(json.loads(line))

    def _note(self, event: Mapping[str, Any]) -> None:
        if event["event"] == "snapshot":
            self.snapshots[event["step"]] = event["bytes"]
        if event["event"] == "state":
            self.told.pop("message", None)
        names = ("step", "images", "seconds", "state", "total", "message")
        names += ("loss", "accuracy", "learning_rate", "error", "tested")
        self.told |= {
            name: event[name] for name in names if event.get(name) is not None
        }

    def tell(self, state: State, message: str | None = None) -> None:
        """Add an event, while no process writes any.

        Raises:
            OSError: it cannot be written, for example on a full disk. Facts have it.
        """
        self.look()
        event: dict[str, Any] = {"event": "state"}
        event |= {name: self.told.get(name, 0) for name in ("step", "images")}
        event |= {"seconds": self.told.get("seconds", 0.0), "state": state}
        event |= {} if message is None else {"message": message}
        self._note(event)
        self.events_file.parent.mkdir(exist_ok=True)
        with self.events_file.open("ab+") as file:
            # A process that was killed may have left half a line.
            file.seek(max(0, file.tell() - 1))
            start = b"" if file.read() in (b"", b"\n") else b"\n"
            file.write(start + json.dumps(event).encode() + b"\n")

    def ask(self, **changes: Any) -> None:
        """Ask the process for something, besides what it was asked before."""
        file = self.control_file
        with self._lock:
            asked = json.loads(file.read_bytes()) if file.exists() else {}
            _replace(file, json.dumps({**asked, **changes}).encode())

    def facts(self, place: int) -> RunFacts:
        self.look()
        shown = ("recipe", "architecture", "preset", "settings", "started")
        return RunFacts(
            id=self.id,
            place=place,
            **{name: self.request[name] for name in shown},
            **self.told,
            snapshots=tuple(self.snapshots),
            events=self.events,
            bytes=sum(self.snapshots.values()),
        )


class Runs:
    """The training runs of a server.

    Args:
        folder: where each has a folder; created when the first one starts.
        data: folder of the data sets.
        kept: folder of the models that are kept.
        at_once: runs that train at once; others wait.
    """

    def __init__(
        self, folder: Path, data: Path, kept: Path, *, at_once: int = 2
    ) -> None:
        self.data = data
        self.at_once = at_once
        self._folder = folder
        self._kept = kept
        self._lock = threading.RLock()
        self._streams = threading.BoundedSemaphore(MOST_STREAMS)
        self._is_closing = threading.Event()
        self._runs: dict[str, _Run] = {}  # the oldest first
        self._held: int | None = None  # descriptor of the folder's lock
        if folder.is_dir() and self.are_own:
            self._find()

    @property
    def are_own(self) -> bool:
        """Whether no other server uses the folder: each would stop the other's runs."""
        with self._lock:
            if self._held is None and fcntl is not None:
                with contextlib.suppress(OSError):
                    self._folder.mkdir(parents=True, exist_ok=True)
                    file = os.open(self._folder / "lock", os.O_CREAT | os.O_WRONLY)
                    try:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except OSError:
                        os.close(file)
                    else:
                        self._held = file
            return self._held is not None or fcntl is None

    def _find(self) -> None:
        """Find the runs of an earlier server, which have ended with it."""
        found = []
        for own in self._folder.iterdir():
            with contextlib.suppress(OSError, ValueError):
                found.append(_Run(own, json.loads((own / REQUEST).read_bytes())))
        for run in sorted(found, key=lambda each: each.request["started"]):
            self._runs[run.id] = run
            if not run.has_ended:
                with contextlib.suppress(OSError):
                    run.tell("stopped", "the server was stopped while the run trained")

    def start(self, asked: Mapping[str, Any]) -> str:
        """Start a run, or let it wait for its turn.

        Args:
            asked: the recipe, unchecked. For the data set `symbols` it may hold
                `symbols`: the set, or the id of a run that trained on it.

        Returns:
            Its id.

        Raises:
            InvalidRequest: the recipe cannot work.
            UnknownThing: there is no such snapshot to start from, or no such data.
            Overloaded: too many runs wait, or the disk is full.
        """
        asked = dict(asked)
        given = asked.pop("symbols", None)
        if given is not None:
            asked.setdefault("dataset", SYMBOLS)
        start = asked.get("start")
        if start is None:
            base, file = None, None
        else:
            base, file = self._start_of(start)
        recipe = checked_recipe(asked, base)
        symbols = self._symbols_for(recipe, given)
        if symbols is None:
            check_ready(recipe.dataset, self.data)
        id = secrets.token_hex(4)
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                raise Overloaded(f"{MOST_WAITING} runs wait already; try again later")
            self._make_room()
            try:
                self._runs[id] = self._written(id, recipe, file, symbols)
            except OSError as error:
                shutil.rmtree(self._folder / id, ignore_errors=True)
                raise Overloaded(
                    f"a run cannot be written to {self._folder}: {error.strerror}"
                ) from None
            self._let_in()
        return id

    def _start_of(self, start: object) -> tuple[Recipe, Path]:
        """Return the recipe of a snapshot's run, and the snapshot's weight file."""
        if not isinstance(start, str) or not SNAPSHOT.fullmatch(start):
            raise InvalidRequest(
                f"start must be a snapshot such as 3f2a9c01@640, got {short(start)}",
                field="start",
            )
        run = self._run(start.partition("@")[0])
        recipe = {**run.request["recipe"], "start": None}
        recipe.pop("symbols", None)
        return checked_recipe(recipe), self.weights(start)

    def _symbols_for(self, recipe: Recipe, given: object) -> str | None:
        """Return the file of symbols that a run is to train on, if it is one.

        Raises:
            InvalidRequest: `given` is no set of symbols, or is not wanted.
            UnknownThing: there is no such run, or it had no symbols.
        """
        if recipe.dataset != SYMBOLS:
            if given is not None:
                raise InvalidRequest(
                    f"symbols need the dataset {SYMBOLS}, got {recipe.dataset}",
                    field="dataset",
                )
            return None
        if given is None and recipe.start is not None:
            given = recipe.start.partition("@")[0]
        if not isinstance(given, str):
            return None if given is None else symbols_from(given).text()
        try:
            return (self._run(given).folder / SYMBOLS_FILE).read_text("utf-8")
        except OSError:
            raise UnknownThing(
                f"the run {given} has no set of symbols", field="symbols"
            ) from None

    def _written(
        self, id: str, recipe: Recipe, start: Path | None, symbols: str | None
    ) -> _Run:
        """Write a run's folder."""
        own = self._folder / id
        (own / WATCHED).mkdir(parents=True)
        data = self.data
        if recipe.dataset == SYMBOLS:
            # A copy: further runs start with it, and the run needs nothing else.
            data = own
            if symbols is None:
                symbols = (self.data / SYMBOLS_FILE).read_text("utf-8")
            (own / SYMBOLS_FILE).write_text(symbols, "utf-8")
        command = [
            *("-m", "capsnet_explorer.model", "train", "--watched", str(os.getpid())),
            *("--run", str(own), "--data", str(data)),
            *("--threads", str(recipe.threads)),
            *recipe.arguments,
        ]
        if start is not None:
            # A copy: the run that it comes from may be thrown away.
            for name in (start, start.with_suffix(".json")):
                shutil.copyfile(name, own / f"start{name.suffix}")
            command += ["--start", str(own / f"start{SUFFIX}")]
        shown = {**recipe.asked, **({"start": recipe.start} if recipe.start else {})}
        if recipe.dataset == SYMBOLS:
            shown["symbols"] = id  # asked again, it trains on the same ones
        request = {
            "recipe": shown,
            "architecture": recipe.architecture,
            "preset": recipe.preset,
            "settings": dict(recipe.settings),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "weights": f"{recipe.architecture}-{recipe.dataset}{SUFFIX}",
            "shown": shlex.join(["python", "-m", "model", "train", *recipe.arguments]),
            "command": command,
        }
        text = json.dumps(request)
        run = _Run(own, json.loads(text), is_waiting=True)  # as it is read again
        run.tell("waiting")
        _replace(own / REQUEST, text.encode())
        return run

    @property
    def _waiting(self) -> list[_Run]:
        return [run for run in self._runs.values() if run.is_waiting]

    def all(self) -> list[RunFacts]:
        """Return every run, the newest first."""
        with self._lock:
            ids = list(self._runs)
        return [self.facts(id) for id in reversed(ids)]

    def facts(self, id: str) -> RunFacts:
        """Return what a run has done so far.

        Raises:
            UnknownThing: there is no such run.
        """
        run = self._run(id)
        with self._lock:
            place = self._waiting.index(run) + 1 if run.is_waiting else 0
        return run.facts(place)

    def change(self, id: str, **asked: Any) -> None:
        """Ask a run for another learning rate, or to pause, go on or stop.

        Args:
            id: the run's.
            asked: `learning_rate` or `state`.

        Raises:
            UnknownThing: there is no such run.
            Conflict: it has ended.
        """
        run = self._run(id)
        if run.has_ended:
            raise Conflict(f"the run has ended: it is {run.told['state']}")
        run.ask(**asked)
        with self._lock:
            if asked.get("state") == "stopped" and run.is_waiting:
                run.is_waiting = False
                run.tell("stopped")

    def remove(self, id: str) -> None:
        """Stop a run, and delete all that it wrote.

        Raises:
            UnknownThing: there is no such run.
        """
        run = self._run(id)
        with self._lock:
            self._drop(run)
            self._let_in()

    def _drop(self, run: _Run) -> None:
        run.is_waiting, run.is_removed = False, True
        self._runs.pop(run.id, None)
        if run.process is not None and run.is_alive:
            run.process.kill()
            run.process.wait()
        shutil.rmtree(run.folder, ignore_errors=True)

    def weights(self, snapshot: str) -> Path:
        """Return the weight file of a snapshot.

        Args:
            snapshot: such as `3f2a9c01@640`.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
        """
        id, _, step = snapshot.partition("@")
        run = self._run(id)
        run.look()
        if not step.isdecimal() or int(step) not in run.snapshots:
            raise UnknownThing(f"the run {id} has no snapshot after step {short(step)}")
        return run.folder / WATCHED / f"{int(step)}{SUFFIX}"

    def keep(self, id: str, step: int, name: str, title: str | None) -> Path:
        """Copy a snapshot and its card to the models that are kept.

        Args:
            id: the run's.
            step: the snapshot's.
            name: of the model, and of its files.
            title: for people; None takes the name.

        Returns:
            The weight file.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            InvalidRequest: the name cannot be one.
            Conflict: there is a model of that name, or the folder cannot be written to.
        """
        run = self._run(id)
        source = self.weights(f"{id}@{step}")
        whole = run.folder / run.request["weights"]
        if run.has_ended and step == run.told.get("total") and whole.exists():
            source = whole  # the same weights, and what was measured on the card
        if not NAME.fullmatch(name):
            raise InvalidRequest(
                "name must be up to 60 letters, digits, - and _, and begin with a "
                f"letter or a digit, got {short(name)}",
                field="name",
            )
        weights = self._kept / f"{name}{SUFFIX}"
        card = json.loads(source.with_suffix(".json").read_bytes())
        card |= {"title": title or name, "command": run.request["shown"]}
        if weights.exists() or weights.with_suffix(".json").exists():
            raise Conflict(f"there is a model {short(name)} already", field="name")
        text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
        try:
            self._kept.mkdir(parents=True, exist_ok=True)
            _replace(weights.with_suffix(".json"), text.encode())
            _replace(weights, source.read_bytes())
        except OSError as error:
            raise Conflict(
                f"the model cannot be written to {self._kept}: {error.strerror}"
            ) from None
        return weights

    def follow(self, id: str, after: int) -> Iterator[tuple[int, str]]:
        """Yield a run's events with their numbers from 1, as they come.

        An empty event says that none has come for a while. It ends after the run's
        last event, after `STREAM_S`, and at once where many follow runs already.

        Args:
            id: the run's.
            after: number of the last event that is known.
        """
        run = self._run(id)
        is_held = self._streams.acquire(blocking=False)
        try:
            end = time.monotonic() + (STREAM_S if is_held else 0)
            number, read = 0, 0
            while True:
                has_ended = run.has_ended  # before the events are read
                lines, read = _lines_after(run.events_file, read)
                for line in lines:
                    number += 1
                    if number > after:
                        yield number, line
                is_over = time.monotonic() >= end or self._is_closing.is_set()
                if has_ended or run.is_removed or is_over:
                    return
                if not lines:
                    yield number, ""
                self._is_closing.wait(LOOK_UP_S)
        finally:
            if is_held:
                self._streams.release()

    def close(self) -> None:
        """Ask every run to stop; those that wait never begin."""
        self._is_closing.set()
        with self._lock:
            for run in self._runs.values():
                run.is_waiting = False
                if run.process is not None and run.is_alive:
                    run.process.terminate()
            if self._held is not None:
                os.close(self._held)
                self._held = None

    def _run(self, id: str) -> _Run:
        with self._lock:
            if id not in self._runs:
                raise UnknownThing(f"there is no run {short(id)}")
            return self._runs[id]

    def _make_room(self) -> None:
        """Remove the oldest runs that ended where there are too many, or too large."""
        for run in list(self._runs.values()):
            sizes = [_size(each.folder) for each in self._runs.values()]
            if len(sizes) < MOST_KEPT and sum(sizes) < MOST_BYTES:
                break
            if run.has_ended and not run.is_alive:
                self._drop(run)
        self._folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self._folder).free
        if free < LEAST_FREE:
            raise Overloaded(
                f"a run needs a disk with {LEAST_FREE >> 20} MB free, "
                f"{self._folder} has {free >> 20} MB"
            )

    def _let_in(self) -> None:
        """Start waiting runs while there is room; the caller holds the lock."""
        training = [
            run for run in self._runs.values() if run.is_alive and not run.has_ended
        ]
        for run in self._waiting[: max(0, self.at_once - len(training))]:
            run.is_waiting = False
            run.tell("running")
            run.process = _launched(run)
            threading.Thread(target=self._attend, args=(run,), daemon=True).start()

    def _attend(self, run: _Run) -> None:
        """Wait for the end of a run's process, and see to it that it comes."""
        process = run.process
        assert process is not None
        try:
            process.wait(timeout=MOST_S)
        except subprocess.TimeoutExpired:
            hours = MOST_S / 3600
            run.ask(state="stopped", message=f"a run may take {hours:g} hours at most")
            process.wait()
        with self._lock:
            if not run.is_removed:
                shutil.rmtree(run.folder / "checkpoint", ignore_errors=True)
                if not run.has_ended:
                    with contextlib.suppress(OSError):
                        run.tell(*_end_of(run))
            if not self._is_closing.is_set():
                self._let_in()


def _launched(run: _Run) -> subprocess.Popen[bytes]:
    """Start a run's process, below whoever draws."""
    with (run.folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *run.request["command"]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            # Threads that wait for others of the run sleep: beside a busy server,
            # spinning makes training ten times slower.
            env=subprocess_environment() | {"OMP_WAIT_POLICY": "PASSIVE"},
            start_new_session=True,  # the server's Ctrl-C is not the run's
        )
    with contextlib.suppress(OSError, AttributeError):  # not on every system
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        Path(f"/proc/{process.pid}/oom_score_adj").write_text(f"{KILLED_FIRST}")
    return process


def _end_of(run: _Run) -> tuple[State, str]:
    """Return how a process ended that could not tell it, and why."""
    assert run.process is not None
    code = run.process.returncode
    if code == -signal.SIGTERM:
        return "stopped", "its process was asked to end"
    if code < 0:
        name = signal.Signals(-code).name
        return "failed", f"its process was killed ({name}): memory may have run out"
    said = (run.folder / "output.txt").read_text(errors="replace").splitlines()
    last = said[-1].removeprefix("python -m model: ") if said else ""
    return "failed", last or f"its process ended with status {code}"


def _lines_after(file: Path, read: int) -> tuple[list[str], int]:
    """Return the complete events after some bytes of a file, and how many those are."""
    try:
        with file.open("rb") as events:
            events.seek(read)
            new = events.read()
    except FileNotFoundError:
        return [], read
    new = new[: new.rfind(b"\n") + 1]
    lines = new.decode(errors="replace").splitlines()
    # A process that was killed leaves half a line, which the next one ends.
    return [line for line in lines if _is_event(line)], read + len(new)


def _is_event(line: str) -> bool:
    return line.startswith('{"event": ') and line.endswith("}")


def _replace(file: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    beside = file.with_name(f".{file.name}.writing")
    beside.write_bytes(content)
    beside.replace(file)


def _size(folder: Path) -> int:
    """Return the bytes of a folder's files; those that vanish meanwhile are none."""
    size = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):
            size += file.stat().st_size
    return size
