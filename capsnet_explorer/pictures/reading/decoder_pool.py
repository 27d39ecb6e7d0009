"""A pool of processes that decode pictures for all threads of this one."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from PIL import Image

from capsnet_explorer.pictures.decoding.errors import Damaged, Refusal
from capsnet_explorer.pictures.decoding.kinds import READABLE
from capsnet_explorer.pictures.decoding.part import WHOLE, Part
from capsnet_explorer.pictures.reading.decoder_process import (
    DecoderDied,
    DecoderProcess,
    NotStarted,
)
from capsnet_explorer.pictures.reading.errors import Busy

PROCESSES = 2  # so that a small picture need not wait for a large one
MOST_WAITING = 16  # files that may wait for a process, each kept in memory

log = logging.getLogger("capsnet.intake")


class DecoderPool:
    """Decoder processes, started when needed and replaced when they end.

    Args:
        processes: maximum number of processes.
        most_waiting: maximum number of files waiting for a process.
        start: starts a process.

    Attributes:
        around: what to do around each wait for a process; nothing unless it is set.
    """

    around: Callable[[], AbstractContextManager[None]] = nullcontext

    def __init__(
        self,
        processes: int = PROCESSES,
        most_waiting: int = MOST_WAITING,
        start: Callable[[], DecoderProcess] = DecoderProcess,
    ) -> None:
        self._processes = processes
        self._most_waiting = most_waiting
        self._start = start
        self._forget()

    def decode(self, data: bytes, part: Part = WHOLE) -> Image.Image:
        """Decode a file, as `pictures.decoding.reading.read` does.

        Raises:
            Refusal: the file yields no picture.
            Busy: too many files are waiting, or no process can be started.
        """
        with self.around(), self._turn():
            try:
                return self._decode(data, part)
            except NotStarted as error:
                log.warning("a decoder did not start: %s", error)
            except DecoderDied as death:
                if not death.was_killed:
                    raise self._blamed(death) from death
                log.warning("a decoder was killed: %s", death)
            try:  # another process may live
                return self._decode(data, part)
            except NotStarted as error:
                log.error("no picture can be decoded: %s", error)
                raise _unable() from error
            except DecoderDied as death:
                raise self._blamed(death) from death

    def _decode(self, data: bytes, part: Part) -> Image.Image:
        process = self._take()
        try:
            picture = process.decode(data, part)
        except Refusal:
            self._idle.append(process)
            raise
        self._idle.append(process)
        return picture

    def _blamed(self, death: DecoderDied) -> Damaged:
        """Return what to say of a file that ended its decoder."""
        log.warning("a picture crashed its decoder: %s", death)
        self.warm_up()
        return _blame(is_late=death.is_late)

    def warm_up(self) -> None:
        """Start a process if none is idle, so that the next picture need not wait."""
        if self._idle:
            return
        try:
            self._idle.append(self._start())
        except OSError as error:
            log.error("no process can be started to decode pictures: %s", error)

    def close(self) -> None:
        """End all idle processes; later calls start new ones."""
        while self._idle:
            self._idle.pop().close()

    def abandon(self) -> None:
        """Forget all processes after a fork: they belong to the parent."""
        for process in self._idle:
            process.abandon()
        self._forget()

    def _forget(self) -> None:
        self._idle: list[DecoderProcess] = []  # the most recently used one is last
        self._free = threading.Semaphore(self._processes)
        self._lock = threading.Lock()
        self._inside = 0  # files being decoded or waiting

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self._inside >= self._processes + self._most_waiting:
                raise Busy(
                    f"the server is busy: {self._most_waiting} pictures are already "
                    "waiting to be read; try again in a moment"
                )
            self._inside += 1
        try:
            with self._free:
                yield
        finally:
            with self._lock:
                self._inside -= 1

    def _take(self) -> DecoderProcess:
        """Return a running process for this thread's exclusive use."""
        while self._idle:
            try:
                process = self._idle.pop()
            except IndexError:  # another thread took it
                break
            if process.is_alive:
                return process
            process.kill()
        try:
            return self._start()
        except OSError as error:
            log.error("no process can be started to decode pictures: %s", error)
            raise _unable() from error


def _unable() -> Busy:
    return Busy("the server cannot read pictures now; try again in a moment")


def _blame(*, is_late: bool) -> Damaged:
    if is_late:
        return Damaged(
            "Send a picture that is faster to decode, such as a smaller one or a JPEG; "
            "this file takes too long."
        )
    return Damaged(
        f"Send an undamaged {READABLE} picture; this file is so damaged that it "
        "crashed its decoder."
    )
