"""The training runs of a server: which there are, and what is asked of them.

A run is `python -m capsnet_explorer train --watched`, as anybody could start it. What
it did is read from its folder alone, so a server that starts again finds the runs that
were.
"""

import contextlib
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from capsnet_explorer.app.engines.sets import FOLDER as SETS
from capsnet_explorer.app.engines.sets import PREFIX, Sets
from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.events import EventLog, LogCut
from capsnet_explorer.app.engines.training.facts import ENDED, RunFacts
from capsnet_explorer.app.engines.training.folder import (
    REQUEST,
    read_request,
    size_of,
)
from capsnet_explorer.app.engines.training.holding import Hold
from capsnet_explorer.app.engines.training.keeping import (
    KeptModels,
    check_name,
    checked_title,
)
from capsnet_explorer.app.engines.training.queue import Queue
from capsnet_explorer.app.engines.training.requests import Requests, card_of
from capsnet_explorer.app.engines.training.running import ServedRun
from capsnet_explorer.app.errors import (
    Conflict,
    DamagedFile,
    Overloaded,
    UnknownThing,
    short,
)
from capsnet_explorer.storage.reading import Unreadable

EXTENSION = "capsnet-runs"  # of an app
ID = re.compile(r"[0-9a-f]{8}")

MOST_KEPT = 20  # runs; the oldest that ended goes first
MOST_BYTES = 2 << 30  # of all runs together; likewise
LOOK_UP_S = 0.2  # between two looks for new events
STREAM_S = 25.0  # the server ends an exchange after 60 s
MOST_STREAMS = 8  # held at once, each by a thread of the server


class Runs:
    """The training runs of a server.

    Args:
        folder: where each has a folder; created when the first one starts.
        data: folder of the data sets.
        kept: folder of the models that are kept.
        at_once: runs that train at once; others wait.
        is_for_others: whether those who come through a proxy may train, too.
        shipped: weight files of further networks to start from, by name.

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
    ) -> None:
        self.data = data
        self.at_once = at_once
        self.is_for_others = is_for_others
        self.kept = KeptModels(kept)
        self.refused: dict[str, str] = {}
        self.sets = Sets(folder / SETS)
        self._folder = folder
        self._hold = Hold(folder)
        self._lock = threading.RLock()
        self._streams = threading.BoundedSemaphore(MOST_STREAMS)
        self._is_closing = threading.Event()
        self._runs: dict[str, ServedRun] = {}  # the oldest first
        self._requests = Requests(data, self.sets, self.kept, shipped or {}, self._run)
        self._queue = Queue(
            self._runs,
            self._lock,
            folder,
            at_once=at_once,
            data_of=self._requests.data_of,
            hidden=(data,),
        )
        self._is_found = False
        if folder.exists():
            _ = self.refusal

    @property
    def refusal(self) -> str | None:
        """Why nobody can train here just now; None where one can.

        Where another server that held the folder has ended, its runs are found.
        """
        with self._lock:
            if (why := self._hold.take()) is not None:
                return why
            if not self._is_found:
                self._is_found = True
                self._find()
            return None

    def _find(self) -> None:
        """Find the runs of an earlier server, which have ended with it."""
        self.sets.find()
        runs = []
        for folder in self._folder.iterdir():
            if not (ID.fullmatch(folder.name) or (folder / REQUEST).exists()):
                continue
            try:
                runs.append(ServedRun(folder, read_request(folder)))
            except Unreadable as error:
                self.refused[folder.name] = str(error)
        for run in sorted(runs, key=lambda run: run.request.started):
            self._runs[run.id] = run
            run.find()
            state = run.latest.get("state")
            if run.events and state not in ENDED:
                did = "while the run trained"
                if state == "waiting" and not run.latest.get("total"):
                    did = "before the run began"
                with contextlib.suppress(OSError):
                    run.tell("stopped", f"the server was stopped {did}")

    def start(self, request: Mapping[str, Any]) -> str:
        """Start a run, or let it wait for its turn.

        Args:
            request: the recipe, unchecked. For the data set `symbols` it may hold
                `symbols`: the set, or the id of a run that trained on it.

        Returns:
            Its id.

        Raises:
            InvalidRequest: the recipe cannot work.
            UnknownThing: there is no such snapshot to start from, or no such data.
            Conflict: the snapshot is damaged.
            Overloaded: too many runs wait, or the disk is full.
        """
        checked = self._requests.checked(request)
        id = secrets.token_hex(4)
        with self._lock:
            self._queue.check()
            self._make_room()
            folder = self._folder / id
            try:
                folder.mkdir(parents=True)
            except OSError as error:
                raise room.unwritten("the run", error, room.LEAST_FREE) from None
            try:
                self._runs[id] = self._requests.written(folder, checked)
            except OSError as error:
                shutil.rmtree(folder, ignore_errors=True)
                raise room.unwritten("the run", error, room.LEAST_FREE) from None
            self._queue.let_in()
        return id

    def all(self) -> list[RunFacts]:
        """Return every run, the newest first."""
        _ = self.refusal  # where another server has ended, its runs are found
        with self._lock:
            runs = list(self._runs.values())
        pairs = [(run, self._facts(run)) for run in reversed(runs)]
        return [facts for run, facts in pairs if not run.is_removed]

    def facts(self, id: str) -> RunFacts:
        """Return what a run has done so far.

        Raises:
            UnknownThing: there is no such run.
            Conflict: it cannot be read.
        """
        return self._facts(self._run(id))

    def _facts(self, run: ServedRun) -> RunFacts:
        with self._lock:
            position = self._queue.position(run)
            changes: dict[str, Any] = {"can_go_on": run.can_go_on}
            if position:
                changes |= {"state": "waiting", "message": self._queue.no_room}
        return run.facts(position).model_copy(update=changes)

    def change(self, id: str, **request: Any) -> None:
        """Ask a run for another learning rate, or to pause, go on or stop.

        A run that pauses gives its place to others. One that stopped, or was killed,
        goes on where it stood, or begins again where nothing was saved.

        Args:
            id: the run's.
            request: `learning_rate` or `state`.

        Raises:
            UnknownThing: there is no such run.
            Conflict: it has ended.
            Overloaded: it cannot be written what is asked, or too many runs wait.
        """
        run = self._run(id)
        state = request.pop("state", None)
        with self._lock:
            if run.has_ended:
                if state != "running":
                    raise Conflict(f"the run has ended: it is {run.state}")
                if run.can_go_on:
                    self._queue.check()
                run.go_on(request)
                self._queue.let_in()
                return
            try:
                run.change(state, request)
            except OSError as error:
                raise room.unwritten("what is asked of the run", error) from None
            self._queue.let_in()

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
            self._queue.let_in()

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

    def weights(self, id: str, step: int) -> Path:
        """Return the weight file of a snapshot.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            Conflict: the run cannot be read, or the snapshot's file is gone.
        """
        return self._run(id).weights(step)

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
        is_last = run.state == "done" and step == run.latest.get("total")
        if is_last and run.request.weights and whole.exists():
            sources.insert(0, whole)  # the same weights, and what was measured
        for source in sources:
            try:
                card = {**card_of(source), **changes}
                self.kept.add(name, source, card, check, others)
                return
            except DamagedFile:
                if source is sources[-1]:
                    raise

    def follow(self, id: str, after: int) -> Iterator[tuple[int, str, str]]:
        """Yield a run's events as they come: their numbers from 1, kinds and lines.

        An empty kind says that none has come for a while. It ends after the run's
        last event, after `STREAM_S`, and at once where many follow runs already.
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
        self._queue.close()
        self._hold.release()

    def _drop(self, run: ServedRun) -> None:
        self._runs.pop(run.id, None)
        run.remove()

    def _run(self, id: str) -> ServedRun:
        with self._lock:
            if id in self.refused:
                raise DamagedFile(f"the run {id} is damaged: {self.refused[id]}")
            if id not in self._runs:
                raise UnknownThing(f"there is no run {short(id)}")
            return self._runs[id]

    def _make_room(self) -> None:
        """Remove the oldest runs that ended where there are too many, or too large."""
        for run in list(self._runs.values()):
            sizes = [size_of(run.folder) for run in self._runs.values()]
            if len(sizes) < MOST_KEPT and sum(sizes) + self.sets.bytes < MOST_BYTES:
                break
            if run.has_ended and not run.is_alive:
                self._drop(run)
        if (why := self._queue.lack()) is not None:
            raise Overloaded(why, after_s=room.RETURN_S)
