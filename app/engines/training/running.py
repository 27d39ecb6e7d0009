"""A run while it is a server's: its process, its place among others, and its end."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from capsnet_explorer.app.engines.training import room
from capsnet_explorer.app.engines.training.folder import SUFFIX, Run
from capsnet_explorer.app.engines.training.process import Process, end_of
from capsnet_explorer.app.errors import Conflict, DamagedFile, Overloaded, UnknownThing
from capsnet_explorer.checks import present

Launched = Callable[[Path, Sequence[str]], Process]

MOST_S = 2 * 3600  # of a run, pauses included
STOP_S = 60  # within which a process does what it is asked, or is killed


class ServedRun(Run):
    """A run, its process while it has one, and its place.

    Attributes:
        process: None before it begins.
        is_waiting: for a place, be it to begin or to go on.
        has_place: among those that train.
        is_to_pause: whether it was asked to; it keeps its place until it has.
        is_to_stop: whether it was asked to; its process is killed if it does not.
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
        """Whether it has a process."""
        return self.process is not None and self.process.poll() is None

    @property
    def checkpoint(self) -> Path:
        """What it goes on from, be it there or not."""
        return self.folder / "checkpoint" / f"checkpoint{SUFFIX}"

    @property
    def can_go_on(self) -> bool:
        """Whether a run that ended too early can be taken up again."""
        if not self.request.arguments or self.is_alive:
            return False
        state = self.state
        return state == "stopped" or (state == "failed" and self.checkpoint.exists())

    def weights(self, step: int) -> Path:
        """Return the weight file of a snapshot.

        Raises:
            UnknownThing: there is no such snapshot.
            DamagedFile: its file is gone.
        """
        self.look()
        if step not in self.snapshots:
            raise UnknownThing(f"the run {self.id} has no snapshot after step {step}")
        file = self.snapshot(step)
        if not file.exists():
            raise DamagedFile(
                f"the snapshot after step {step} of the run {self.id} is gone: its "
                "file was deleted"
            )
        return file

    def begin(self, launch: Launched, data: Path | None) -> None:
        """Start its process; without room on the disk, it goes on waiting.

        Args:
            launch: starts it.
            data: folder of its images; None where they are gone.
        """
        if data is None:
            self._fail("its set of images is not there any more")
            return
        start = self.folder / f"start{SUFFIX}"
        arguments = [
            *("--watched", str(os.getpid()), "--run", str(self.folder)),
            *("--data", str(data)),
            *self.request.arguments,
            *(("--start", str(start)) if start.exists() else ()),
            *(("--resume",) if self.checkpoint.exists() else ()),
        ]
        try:
            self.tell("running")
            self.process = launch(self.folder, arguments)
        except OSError as error:
            if error.errno not in room.FULL:
                self._fail(f"its process cannot start: {error.strerror}")
            return
        self.is_waiting, self.is_to_pause, self.is_to_stop = False, False, False
        self.has_place = True
        self.ends_at = time.monotonic() + MOST_S

    def _fail(self, why: str) -> None:
        self.is_waiting = False
        with contextlib.suppress(OSError):
            self.tell("failed", why)

    def change(self, state: str | None, changes: Mapping[str, Any]) -> None:
        """Ask it, which has not ended, for another state or another learning rate.

        Args:
            state: `running`, `paused` or `stopped`; None for as it is.
            changes: what else.

        Raises:
            OSError: it cannot be written, for example on a full disk.
        """
        if state == "stopped":
            self.stop()
        elif state == "paused":
            self.ask(state="paused")
            self.is_to_pause = True
            self.is_waiting = self.is_waiting and not self.is_alive
        elif state == "running" and self.is_alive and not self.has_place:
            self.is_waiting = True
        elif state == "running":
            self.ask(state="running")
            self.is_to_pause = False
        if changes:
            self.ask(**changes)

    def stop(self) -> None:
        """Have it stop, with or without room on the disk."""
        if not self.is_alive:
            self.is_waiting = False
            with contextlib.suppress(OSError):
                self.tell("stopped")
            return
        try:
            self.ask(state="stopped")
        except OSError:
            present(self.process, "the process of what is alive").terminate()
        self.is_waiting, self.is_to_stop = False, True
        self.ends_at = min(self.ends_at, time.monotonic() + STOP_S)

    def go_on(self, changes: Mapping[str, Any]) -> None:
        """Let it, which has ended, wait for a place again.

        Raises:
            Conflict: it is done, or nothing was saved.
            Overloaded: its process still ends, or the disk is full.
        """
        if self.is_alive:
            raise Overloaded("the run is about to end; ask again in a moment")
        if not self.can_go_on:
            raise Conflict(
                f"the run has ended: it is {self.state}"
                if self.state == "done"
                else "nothing was saved of the run from which it could go on"
            )
        try:
            self.ask(**changes, state="running", message="")
            self.tell("waiting")
        except OSError as error:
            raise room.unwritten("the run", error, room.LEAST_FREE) from None
        self.is_waiting = True

    def attend(self, hidden: Sequence[Path]) -> None:
        """Look at its process: tell how it ended, and end one that takes too long."""
        if self.process is None:
            return
        if self.process.poll() is not None:
            self._note_end(self.process, hidden)
            return
        if self.is_to_pause and self.has_place and self.state == "paused":
            self.has_place = False
        if time.monotonic() < self.ends_at:
            return
        if self.is_to_stop:
            self.process.kill()
            return
        hours = MOST_S / 3600
        with contextlib.suppress(OSError):
            self.ask(message=f"a run may take {hours:g} hours at most")
        self.ends_at = time.monotonic() + STOP_S
        self.stop()

    def _note_end(self, process: Process, hidden: Sequence[Path]) -> None:
        self.process, self.has_place = None, False
        if not self.has_ended:
            is_asked = self.is_to_stop
            with contextlib.suppress(OSError):
                how = end_of(process, self.folder, is_asked=is_asked, hidden=hidden)
                self.tell(*how)
        if self.state == "done":
            shutil.rmtree(self.folder / "checkpoint", ignore_errors=True)

    def remove(self) -> None:
        """End its process, and delete all that it wrote."""
        self.is_waiting, self.is_removed = False, True
        if self.process is not None and self.is_alive:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
