"""The training runs of a server: which there are, whose turn it is, and their ends.

A run is `python -m model train --watched`, as anybody could start it. What it did is
read from its folder alone, so a server that starts again finds the runs that were.
"""

import contextlib
import os
import re
import secrets
import shlex
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from capsnet_explorer.app.engines.recipes import (
    Recipe,
    check_ready,
    checked_recipe,
    recipe_of_card,
    recipe_of_run,
)
from capsnet_explorer.app.engines.sets import FOLDER as SETS
from capsnet_explorer.app.engines.sets import PREFIX, Sets
from capsnet_explorer.app.engines.symbols import SYMBOLS, symbols_from
from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.estimates import EstimateFacts, Estimates
from capsnet_explorer.app.engines.training.events import EventLog, LogCut
from capsnet_explorer.app.engines.training.facts import ENDED, RunFacts
from capsnet_explorer.app.engines.training.folder import (
    REQUEST,
    SUFFIX,
    WATCHED,
    Damaged,
    Run,
    read_request,
    size_of,
    write_request,
)
from capsnet_explorer.app.engines.training.keeping import (
    KeptModels,
    check_name,
    checked_title,
)
from capsnet_explorer.app.engines.training.process import Process, Spare, end_of
from capsnet_explorer.app.errors import (
    Conflict,
    DamagedFile,
    InvalidRequest,
    Overloaded,
    UnknownThing,
    short,
    size_words,
)
from capsnet_explorer.dataset_files.catalogue import DATASETS, file_name

try:
    import fcntl
except ImportError:  # Windows has none; there, two servers must not share a folder
    fcntl = None

EXTENSION = "capsnet-runs"  # of an app
SYMBOLS_FILE = DATASETS[SYMBOLS].place
ID = re.compile(r"[0-9a-f]{8}")
SNAPSHOT = re.compile(r"([0-9a-f]{8})@(0|[1-9][0-9]{0,8})")

MOST_WAITING = 8
MOST_PAUSED = 4  # processes that hold memory besides those that train
MOST_KEPT = 20  # runs; the oldest that ended goes first
MOST_BYTES = 2 << 30  # of all runs together; likewise
MOST_S = 2 * 3600  # of a run, pauses included
STOP_S = 60  # within which a process does what it is asked, or is killed
LOOK_UP_S = 0.2  # between two looks for new events, and at the processes
STREAM_S = 25.0  # the server ends an exchange after 60 s
MOST_STREAMS = 8  # held at once, each by a thread of the server

TAKEN = (
    "another explorer on this machine uses the folder of training runs: use that one, "
    "or start this one with another folder, --runs (or CAPSNET_RUNS)"
)


class _Queued(Run):
    """A run, its process while it has one, and its place.

    Attributes:
        process: None before it begins.
        is_waiting: for a place, be it to begin or to go on.
        has_place: among those that train.
        ends_at: when its process is killed or asked to stop, on the monotonic clock.
    """

    process: Process | None = None
    is_waiting = False
    has_place = False
    is_to_pause = False
    is_to_stop = False
    ends_at = float("inf")

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint" / f"checkpoint{SUFFIX}"

    @property
    def can_go_on(self) -> bool:
        """Whether a run that ended too early can be taken up again."""
        if not self.request.arguments or self.is_alive:
            return False
        state = self.state
        return state == "stopped" or (state == "failed" and self.checkpoint.exists())


class Runs:
    """The training runs of a server.

    Args:
        folder: where each has a folder; created when the first one starts.
        data: folder of the data sets.
        kept: folder of the models that are kept.
        at_once: runs that train at once; others wait.
        is_for_others: whether those who come through a proxy may train, too.
        shipped: weight files of further networks to start from, by name.
        is_ahead: whether a process is made ready before a run is asked for.

    Attributes:
        kept: the models that are kept.
        refused: why runs cannot be read, by id; their folders stay as they are.
    """

    def __init__(
        self,
        folder: Path,
        data: Path,
        kept: Path,
        *,
        at_once: int = 2,
        is_for_others: bool = False,
        shipped: Mapping[str, Path] | None = None,
        is_ahead: bool = False,
    ) -> None:
        self.data = data
        self.at_once = at_once
        self.is_for_others = is_for_others
        self.kept = KeptModels(kept)
        self.refused: dict[str, str] = {}
        self.sets = Sets(folder / SETS)
        self._spare = Spare()
        self._is_ahead = is_ahead
        self._estimates = Estimates()
        self._shipped = dict(shipped or {})
        self._folder = folder
        self._lock = threading.RLock()
        self._streams = threading.BoundedSemaphore(MOST_STREAMS)
        self._is_closing = threading.Event()
        self._runs: dict[str, _Queued] = {}  # the oldest first
        self._keeper: threading.Thread | None = None
        self._no_room: str | None = None  # why nobody is let in
        self._held: int | None = None  # descriptor of the folder's lock
        self._is_found = False
        if folder.exists():
            _ = self.refusal

    @property
    def refusal(self) -> str | None:
        """Why nobody can train here just now; None where one can.

        Each of two servers would stop the other's runs. Where another one has ended,
        its runs are found.
        """
        with self._lock:
            if self._held is None and fcntl is not None:
                try:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    file = os.open(self._folder / "lock", os.O_CREAT | os.O_WRONLY)
                except (FileExistsError, NotADirectoryError):
                    return "the folder of training runs, --runs, is a file"
                except OSError as error:
                    return (
                        "the folder of training runs, --runs, cannot be written to: "
                        f"{error.strerror}"
                    )
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    os.close(file)
                    return TAKEN
                self._held = file
            if not self._is_found:
                self._is_found = True
                self._find()
            return None

    def expect_one(self) -> None:
        """Make a process ready for a run that somebody may soon ask for."""
        if self._is_ahead and not self._is_closing.is_set():
            self._spare.warm()

    def _find(self) -> None:
        """Find the runs of an earlier server, which have ended with it."""
        self.sets.find()
        found = []
        for own in self._folder.iterdir():
            if not (ID.fullmatch(own.name) or (own / REQUEST).exists()):
                continue
            try:
                found.append(_Queued(own, read_request(own)))
            except Damaged as error:
                self.refused[own.name] = str(error)
        for run in sorted(found, key=lambda each: each.request.started):
            self._runs[run.id] = run
            run.find()
            state = run.told.get("state")
            if run.events and state not in ENDED:
                did = "while the run trained"
                if state == "waiting" and not run.told.get("total"):
                    did = "before the run began"
                with contextlib.suppress(OSError):
                    run.tell("stopped", f"the server was stopped {did}")

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
            Conflict: the snapshot is damaged.
            Overloaded: too many runs wait, or the disk is full.
        """
        recipe, file, symbols = self._checked(asked)
        id = secrets.token_hex(4)
        with self._lock:
            self._check_queue()
            self._make_room()
            try:
                self._runs[id] = self._written(id, recipe, file, symbols)
            except OSError as error:
                shutil.rmtree(self._folder / id, ignore_errors=True)
                raise room.unwritten("the run", error, room.LEAST_FREE) from None
            self._let_in()
        return id

    def _checked(
        self, asked: Mapping[str, Any]
    ) -> tuple[Recipe, Path | None, str | None]:
        """Return a checked recipe, the weights it starts from, and its symbols' file.

        Raises:
            InvalidRequest: the recipe cannot work.
            UnknownThing: there is no such snapshot to start from, or no such data.
            Conflict: the snapshot is damaged, or the set is not ready.
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
        if recipe.dataset.startswith(PREFIX):
            self.sets.data(recipe.dataset.removeprefix(PREFIX))  # or say what is wrong
        elif symbols is None:
            check_ready(recipe.dataset, self.data)
        return recipe, file, symbols

    def estimate(self, asked: Mapping[str, Any]) -> EstimateFacts:
        """Return what a run would take, or have that measured.

        Args:
            asked: the recipe, unchecked.

        Raises:
            InvalidRequest: the recipe cannot work, or is for symbols of one's own.
            UnknownThing: there is no such snapshot to start from, or no such data.
            Conflict: the snapshot is damaged, or the set is not ready.
        """
        recipe, file, _ = self._checked(asked)
        if recipe.dataset == SYMBOLS:
            raise InvalidRequest(
                "a run on symbols takes a minute: none is estimated", field="dataset"
            )
        data, version = self.data, 0.0
        if recipe.dataset.startswith(PREFIX):
            data = self.sets.data(recipe.dataset.removeprefix(PREFIX))
        arguments = [
            *("--data", str(data), "--threads", str(recipe.threads)),
            *recipe.arguments,
            *(("--start", str(file)) if file is not None else ()),
        ]
        with self._lock:
            beside = sum(run.has_place for run in self._runs.values())
        with contextlib.suppress(OSError):
            version = data.stat().st_mtime  # a set that is read again is another folder
        found = self._estimates.ask(
            arguments,
            version=version,
            beside=beside,
            hidden=[self.data, self._folder, *(() if file is None else (file.parent,))],
        )
        return found.model_copy(update={"most_s": MOST_S})

    def _check_queue(self) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise Overloaded(
                f"{MOST_WAITING} runs wait already; try again later", after_s=60
            )

    def _start_of(self, start: object) -> tuple[Recipe, Path]:
        """Return the recipe of a snapshot's run, and the snapshot's weight file."""
        found = SNAPSHOT.fullmatch(start) if isinstance(start, str) else None
        if found is None:
            file = self._named(start)
            return recipe_of_card(_card_of(file)), file
        request = self._run(found[1]).request
        base = recipe_of_run(request.recipe, request.architecture, request.settings)
        return base, self.weights(found[1], int(found[2]))

    def _named(self, start: object) -> Path:
        """Return the weight file of a network by its name.

        Raises:
            InvalidRequest: there is none.
        """
        if isinstance(start, str):
            if start in self.kept.names():
                return self.kept.weights(start)
            if start in self._shipped:
                return self._shipped[start]
        raise InvalidRequest(
            "start must be a snapshot such as 3f2a9c01@640 or the name of a network, "
            f"got {short(start)}",
            field="start",
        )

    def _symbols_for(self, recipe: Recipe, given: object) -> str | None:
        """Return the file of symbols that a run is to train on, if it is one.

        Raises:
            InvalidRequest: `given` is no set of symbols, or is not wanted.
            UnknownThing: there is no such run, or it had no symbols.
            Conflict: its symbols are damaged.
        """
        if recipe.dataset != SYMBOLS:
            if given is not None:
                raise InvalidRequest(
                    f"symbols need the dataset {SYMBOLS}, got {recipe.dataset}",
                    field="dataset",
                )
            return None
        if given is None and "@" in (recipe.start or ""):
            given = str(recipe.start).partition("@")[0]
        if not isinstance(given, str):
            return None if given is None else symbols_from(given).text()
        try:
            content = (self._run(given).folder / SYMBOLS_FILE).read_bytes()
        except OSError:
            raise UnknownThing(
                f"the run {given} has no set of symbols", field="symbols"
            ) from None
        try:
            return symbols_from(orjson.loads(content)).text()
        except (InvalidRequest, ValueError) as error:
            raise DamagedFile(
                f"the set of symbols of the run {given} is damaged: {error}",
                field="symbols",
            ) from None

    def _written(
        self, id: str, recipe: Recipe, start: Path | None, symbols: str | None
    ) -> _Queued:
        """Write a run's folder."""
        own = self._folder / id
        (own / WATCHED).mkdir(parents=True)
        if recipe.dataset == SYMBOLS:
            # A copy: further runs start with it, and the run needs nothing else.
            if symbols is None:
                symbols = (self.data / SYMBOLS_FILE).read_text("utf-8")
            (own / SYMBOLS_FILE).write_text(symbols, "utf-8")
        if start is not None:
            # A copy: the run that it comes from may be thrown away.
            for name in (start, start.with_suffix(".json")):
                shutil.copyfile(name, own / f"start{name.suffix}")
        shown = {**recipe.asked, **({"start": recipe.start} if recipe.start else {})}
        if recipe.dataset == SYMBOLS:
            shown["symbols"] = id  # asked again, it trains on the same ones
        request = {
            "recipe": shown,
            "architecture": recipe.architecture,
            "preset": recipe.preset,
            "settings": dict(recipe.settings),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "weights": f"{recipe.architecture}-{file_name(recipe.dataset)}{SUFFIX}",
            "shown": shlex.join(["python", "-m", "model", "train", *recipe.arguments]),
            "arguments": ["--threads", str(recipe.threads), *recipe.arguments],
        }
        run = _Queued(own, write_request(own, request))
        run.is_waiting = True
        run.tell("waiting")
        return run

    @property
    def _waiting(self) -> list[_Queued]:
        return [run for run in self._runs.values() if run.is_waiting]

    def all(self) -> list[RunFacts]:
        """Return every run, the newest first."""
        _ = self.refusal  # where another server has ended, its runs are found
        with self._lock:
            runs = list(self._runs.values())
        found = [(run, self._facts(run)) for run in reversed(runs)]
        return [facts for run, facts in found if not run.is_removed]

    def facts(self, id: str) -> RunFacts:
        """Return what a run has done so far.

        Raises:
            UnknownThing: there is no such run.
            Conflict: it cannot be read.
        """
        return self._facts(self._run(id))

    def _facts(self, run: _Queued) -> RunFacts:
        with self._lock:
            waiting = self._waiting
            place = waiting.index(run) + 1 if run in waiting else 0
            changes: dict[str, Any] = {"can_go_on": run.can_go_on}
            if place:
                changes |= {"state": "waiting", "message": self._no_room}
        return run.facts(place).model_copy(update=changes)

    def change(self, id: str, **asked: Any) -> None:
        """Ask a run for another learning rate, or to pause, go on or stop.

        A run that pauses gives its place to others. One that stopped, or was killed,
        goes on where it stood, or begins again where nothing was saved.

        Args:
            id: the run's.
            asked: `learning_rate` or `state`.

        Raises:
            UnknownThing: there is no such run.
            Conflict: it has ended.
            Overloaded: it cannot be written what is asked, or too many runs wait.
        """
        run = self._run(id)
        state = asked.pop("state", None)
        with self._lock:
            if run.has_ended:
                if state != "running":
                    raise Conflict(f"the run has ended: it is {run.state}")
                self._go_on(run, asked)
                return
            try:
                if state == "stopped":
                    self._stop(run)
                elif state == "paused":
                    run.ask(state="paused")
                    run.is_to_pause = True
                    run.is_waiting = run.is_waiting and not run.is_alive
                elif state == "running" and run.is_alive and not run.has_place:
                    run.is_waiting = True
                elif state == "running":
                    run.ask(state="running")
                    run.is_to_pause = False
                if asked:
                    run.ask(**asked)
            except OSError as error:
                raise room.unwritten("what is asked of the run", error) from None
            self._let_in()

    def _stop(self, run: _Queued) -> None:
        """Have a run stop, with or without room on the disk."""
        if not run.is_alive:
            run.is_waiting = False
            with contextlib.suppress(OSError):
                run.tell("stopped")
            return
        try:
            run.ask(state="stopped")
        except OSError:
            assert run.process is not None
            run.process.terminate()
        run.is_waiting, run.is_to_stop = False, True
        run.ends_at = min(run.ends_at, time.monotonic() + STOP_S)

    def _go_on(self, run: _Queued, asked: Mapping[str, Any]) -> None:
        """Let a run that has ended wait for a place again."""
        if run.is_alive:
            raise Overloaded("the run is about to end; ask again in a moment")
        if not run.can_go_on:
            raise Conflict(
                f"the run has ended: it is {run.state}"
                if run.state == "done"
                else "nothing was saved of the run from which it could go on"
            )
        self._check_queue()
        try:
            run.ask(**asked, state="running", message="")
            run.tell("waiting")
        except OSError as error:
            raise room.unwritten("the run", error, room.LEAST_FREE) from None
        run.is_waiting = True
        self._let_in()

    def remove(self, id: str) -> None:
        """Stop a run, and delete all that it wrote; one that cannot be read, too.

        Raises:
            UnknownThing: there is no such run.
        """
        with self._lock:
            if id in self.refused:
                shutil.rmtree(self._folder / id, ignore_errors=True)
                del self.refused[id]
                return
            self._drop(self._run(id))
            self._let_in()

    def remove_set(self, id: str) -> None:
        """Delete a set of images, or cancel it while it comes or is read.

        Raises:
            UnknownThing: there is no such set.
            Conflict: a run that has not ended needs it.
        """
        with self._lock:
            for run in self._runs.values():
                is_of_it = run.request.recipe.get("dataset") == f"{PREFIX}{id}"
                if is_of_it and not run.has_ended:
                    raise Conflict(
                        f"the run {run.id} trains on this set: stop it first"
                    )
            self.sets.remove(id)

    def _drop(self, run: _Queued) -> None:
        run.is_waiting, run.is_removed = False, True
        self._runs.pop(run.id, None)
        if run.process is not None and run.is_alive:
            run.process.kill()
            run.process.wait()
        shutil.rmtree(run.folder, ignore_errors=True)

    def weights(self, id: str, step: int) -> Path:
        """Return the weight file of a snapshot.

        Args:
            id: the run's.
            step: the snapshot's.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            Conflict: the run cannot be read, or the snapshot's file is gone.
        """
        run = self._run(id)
        run.look()
        if step not in run.snapshots:
            raise UnknownThing(f"the run {id} has no snapshot after step {step}")
        file = run.snapshot(step)
        if not file.exists():
            raise DamagedFile(
                f"the snapshot after step {step} of the run {id} is gone: its file "
                "was deleted"
            )
        return file

    def keep(
        self,
        id: str,
        step: int,
        name: str,
        title: str | None,
        check: Callable[[Path], object],
        others: Collection[str] = (),
    ) -> None:
        """Copy a snapshot and its card to the models that are kept.

        Args:
            id: the run's.
            step: the snapshot's.
            name: of the model, and of its files.
            title: for people; None takes the name.
            check: raises a `DamagedFile` for a weight file that cannot be used.
            others: names of models that are kept elsewhere.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            InvalidRequest: the name or the title cannot be one.
            Conflict: the name is taken, the snapshot is damaged, or as many models are
                kept as may be.
            Overloaded: the disk is full.
        """
        run = self._run(id)
        check_name(name)
        changes = {"title": name if title is None else checked_title(title)}
        if run.request.shown:
            changes["command"] = run.request.shown
        sources = [self.weights(id, step)]
        whole = run.folder / run.request.weights
        is_last = run.state == "done" and step == run.told.get("total")
        if is_last and run.request.weights and whole.exists():
            sources.insert(0, whole)  # the same weights, and what was measured
        for source in sources:
            try:
                card = {**_card_of(source), **changes}
                self.kept.add(name, source, card, check, others)
                return
            except DamagedFile:
                if source is sources[-1]:
                    raise

    def follow(self, id: str, after: int) -> Iterator[tuple[int, str, str]]:
        """Yield a run's events as they come: their numbers from 1, kinds and lines.

        An empty kind says that none has come for a while. It ends after the run's
        last event, after `STREAM_S`, and at once where many follow runs already.

        Args:
            id: the run's.
            after: number of the last event that is known.
        """
        run = self._run(id)
        is_held = self._streams.acquire(blocking=False)
        try:
            end = time.monotonic() + (STREAM_S if is_held else 0)
            log, number = EventLog(run.events_file), 0
            while True:
                has_ended = run.has_ended  # before the events are read
                try:
                    new = log.new()
                except (LogCut, OSError):
                    return
                for line, event in new:
                    number += 1
                    if number > after:
                        yield number, event.event, line
                is_over = time.monotonic() >= end or self._is_closing.is_set()
                if has_ended or run.is_removed or is_over:
                    return
                if not new:
                    yield number, "", ""
                self._is_closing.wait(LOOK_UP_S)
        finally:
            if is_held:
                self._streams.release()

    def close(self) -> None:
        """Ask every run to stop; those that wait never begin."""
        self._is_closing.set()
        self.sets.close()
        self._spare.close()
        self._estimates.close()
        with self._lock:
            for run in self._runs.values():
                run.is_waiting = False
                if run.process is not None and run.is_alive:
                    run.process.terminate()
            if self._held is not None:
                os.close(self._held)
                self._held = None

    def _run(self, id: str) -> _Queued:
        with self._lock:
            if id in self.refused:
                raise DamagedFile(f"the run {id} is damaged: {self.refused[id]}")
            if id not in self._runs:
                raise UnknownThing(f"there is no run {short(id)}")
            return self._runs[id]

    def _data_of(self, run: _Queued) -> Path | None:
        """Return the data folder of a run; None where its set is gone."""
        if (run.folder / SYMBOLS_FILE).exists():
            return run.folder
        dataset = str(run.request.recipe.get("dataset"))
        if dataset.startswith(PREFIX):
            return self.sets.ready().get(dataset.removeprefix(PREFIX))
        return self.data

    def _make_room(self) -> None:
        """Remove the oldest runs that ended where there are too many, or too large."""
        for run in list(self._runs.values()):
            sizes = [size_of(each.folder) for each in self._runs.values()]
            if len(sizes) < MOST_KEPT and sum(sizes) + self.sets.bytes < MOST_BYTES:
                break
            if run.has_ended and not run.is_alive:
                self._drop(run)
        if (why := self._lack()) is not None:
            raise Overloaded(why, after_s=room.RETURN_S)

    def _lack(self) -> str | None:
        """Return what a run lacks on the disk, in words; None for nothing."""
        try:
            free = room.free_bytes(self._folder)
        except OSError as error:
            return f"the folder of training runs cannot be read: {error.strerror}"
        if free >= room.LEAST_FREE:
            return None
        return (
            f"the disk is full: a run needs {size_words(room.LEAST_FREE)} free, "
            f"there are {size_words(free)}"
        )

    def _let_in(self) -> None:
        """Start waiting runs while there is room; the caller holds the lock."""
        if self._is_closing.is_set():
            return
        runs = self._runs.values()
        going = [run for run in runs if run.is_alive and not run.has_ended]
        alive, training = len(going), sum(run.has_place for run in going)
        self._no_room = None
        for run in self._waiting:
            if training >= self.at_once:
                break
            if run.is_alive:
                with contextlib.suppress(OSError):
                    run.ask(state="running")
                    run.is_waiting, run.is_to_pause, run.has_place = False, False, True
                    training += 1
                continue
            if alive >= self.at_once + MOST_PAUSED:
                continue
            self._no_room = self._lack()
            if self._no_room is not None:
                break
            self._begin(run)
            training, alive = training + 1, alive + 1
        if self._keeper is None and (self._waiting or alive):
            self._keeper = threading.Thread(target=self._keep_watch, daemon=True)
            self._keeper.start()

    def _begin(self, run: _Queued) -> None:
        """Start a run's process; without room on the disk, it goes on waiting."""
        own = run.folder
        data = self._data_of(run)
        if data is None:
            run.is_waiting = False
            with contextlib.suppress(OSError):
                run.tell("failed", "its set of images is not there any more")
            return
        start = own / f"start{SUFFIX}"
        arguments = [
            *("--watched", str(os.getpid()), "--run", str(own)),
            *("--data", str(data)),
            *run.request.arguments,
            *(("--start", str(start)) if start.exists() else ()),
            *(("--resume",) if run.checkpoint.exists() else ()),
        ]
        try:
            run.tell("running")
            run.process = self._spare.launched(own, arguments)
        except OSError as error:
            if error.errno not in room.FULL:
                run.is_waiting = False
                with contextlib.suppress(OSError):
                    run.tell("failed", f"its process cannot start: {error.strerror}")
            return
        run.is_waiting, run.is_to_pause, run.is_to_stop = False, False, False
        run.has_place = True
        run.ends_at = time.monotonic() + MOST_S

    def _keep_watch(self) -> None:
        """See to it that processes end in time, and that others get their places."""
        while True:
            self._is_closing.wait(LOOK_UP_S)
            with self._lock:
                for run in list(self._runs.values()):
                    if run.process is not None:
                        self._attend(run, run.process)
                self._let_in()
                runs = self._runs.values()
                # One that was just killed is dead, and its end is not told yet.
                if not any(run.process or run.is_waiting for run in runs):
                    self._keeper = None
                    return
            if self._is_closing.is_set():
                time.sleep(LOOK_UP_S)

    def _attend(self, run: _Queued, process: Process) -> None:
        """Look at a run's process; the caller holds the lock."""
        if process.poll() is not None:
            run.process, run.has_place = None, False
            if not run.has_ended:
                with contextlib.suppress(OSError):
                    hidden, is_asked = [self.data, self._folder], run.is_to_stop
                    how = end_of(process, run.folder, is_asked=is_asked, hidden=hidden)
                    run.tell(*how)
            if run.state == "done":
                shutil.rmtree(run.folder / "checkpoint", ignore_errors=True)
            return
        if run.is_to_pause and run.has_place and run.state == "paused":
            run.has_place = False
        if time.monotonic() < run.ends_at:
            return
        if run.is_to_stop:
            process.kill()
            return
        hours = MOST_S / 3600
        with contextlib.suppress(OSError):
            run.ask(message=f"a run may take {hours:g} hours at most")
        run.ends_at = time.monotonic() + STOP_S
        self._stop(run)


def _card_of(weights: Path) -> dict[str, Any]:
    """Return what a weight file's card says.

    Raises:
        DamagedFile: it cannot be read.
    """
    card = weights.with_suffix(".json")
    try:
        found = orjson.loads(card.read_bytes())
    except OSError as error:
        raise DamagedFile(
            f"the card {card.name} cannot be read: {error.strerror}"
        ) from None
    except ValueError:
        raise DamagedFile(f"the card {card.name} is not JSON") from None
    if not isinstance(found, dict):
        raise DamagedFile(f"the card {card.name} must be an object")
    return found
