"""Whose turn it is: runs that wait, the places they wait for, and who sees to that."""

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.process import launch
from capsnet_explorer.app.engines.training.running import ServedRun
from capsnet_explorer.app.errors import Overloaded
from capsnet_explorer.storage.sizes import size_words

MOST_WAITING = 8
MOST_PAUSED = 4  # processes that hold memory besides those that train
LOOK_UP_S = 0.2  # between two looks at the processes


class Queue:
    """The runs that wait for a place, and the thread that gives it to them.

    It writes nothing down: who waits is in the runs, which another queue finds stopped.

    Args:
        runs: all of them by id, the oldest first; the caller adds and removes.
        lock: held by whoever reads or changes runs.
        folder: of the runs, for the room on its disk.
        at_once: how many train at once; others wait.
        data_of: returns the folder of a run's images; None where they are gone.
        hidden: further folders whose place is nobody's business.

    Attributes:
        launch: starts a process, given its folder and arguments.
        no_room: why nobody is let in, in words; None while somebody is.
    """

    def __init__(
        self,
        runs: Mapping[str, ServedRun],
        lock: threading.RLock,
        folder: Path,
        *,
        at_once: int,
        data_of: Callable[[ServedRun], Path | None],
        hidden: tuple[Path, ...] = (),
    ) -> None:
        self.at_once = at_once
        self.launch = launch
        self.no_room: str | None = None
        self._runs = runs
        self._lock = lock
        self._folder = folder
        self._data_of = data_of
        self._hidden = (*hidden, folder)
        self._is_closing = threading.Event()
        self._keeper: threading.Thread | None = None

    @property
    def waiting(self) -> list[ServedRun]:
        """Those that wait, the next one first."""
        return [run for run in self._runs.values() if run.is_waiting]

    def position(self, run: ServedRun) -> int:
        """Return a run's place among those that wait, from 1; 0 if it does not."""
        waiting = self.waiting
        return waiting.index(run) + 1 if run in waiting else 0

    def check(self) -> None:
        """Refuse another run where too many wait.

        Raises:
            Overloaded: they do.
        """
        if len(self.waiting) >= MOST_WAITING:
            raise Overloaded(
                f"{MOST_WAITING} runs wait already; try again later", after_s=60
            )

    def lack(self) -> str | None:
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

    def let_in(self) -> None:
        """Start waiting runs while there is room; the caller holds the lock."""
        if self._is_closing.is_set():
            return
        runs = self._runs.values()
        going = [run for run in runs if run.is_alive and not run.has_ended]
        alive, training = len(going), sum(run.has_place for run in going)
        self.no_room = None
        for run in self.waiting:
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
            self.no_room = self.lack()
            if self.no_room is not None:
                break
            run.begin(self.launch, self._data_of(run))
            training, alive = training + 1, alive + 1
        if self._keeper is None and (self.waiting or alive):
            self._keeper = threading.Thread(target=self._keep_watch, daemon=True)
            self._keeper.start()

    def _keep_watch(self) -> None:
        """See to it that processes end in time, and that others get their places."""
        while True:
            self._is_closing.wait(LOOK_UP_S)
            with self._lock:
                for run in list(self._runs.values()):
                    run.attend(self._hidden)
                self.let_in()
                runs = self._runs.values()
                # One that was just killed is dead, and its end is not told yet.
                if not any(run.process or run.is_waiting for run in runs):
                    self._keeper = None
                    return
            if self._is_closing.is_set():
                time.sleep(LOOK_UP_S)

    def close(self) -> None:
        """Let nobody in any more, and ask those that train to stop."""
        self._is_closing.set()
        with self._lock:
            for run in self._runs.values():
                run.is_waiting = False
                if run.process is not None and run.is_alive:
                    run.process.terminate()
