"""A process that decodes pictures, so that a crash of a decoder harms nothing else."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, cast

from PIL import Image

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.pictures.decoding.part import WHOLE, Part
from capsnet_explorer.pictures.decoding.wire import (
    READY,
    BrokenOff,
    receive_answer,
    send_file,
)

COMMAND = (sys.executable, "-m", "capsnet_explorer.pictures.decoding")
ENVIRONMENT = {
    # glibc keeps 16 MB for the next picture and returns the rest at once.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(16 << 20),
}

START_S = 20  # until a new process is ready, on a busy machine
# For one file. Except on Windows, processor time has its own limit, and this one leaves
# room for a busy machine.
ANSWER_S = 10 if hasattr(signal, "setitimer") else 2
END_S = 1  # for an idle process to end
DEATH_S = 0.2  # for a process to end after it closed its output

# Ends a process that exceeds its processor time; Windows has no such signal.
OUT_OF_TIME = getattr(signal, "SIGPROF", 0)

KILLED = getattr(signal, "SIGKILL", 0)

# Keeps Ctrl-C in a terminal from the process: the server ends it.
_APART: dict[str, Any] = (
    {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    if sys.platform == "win32"
    else {"process_group": 0}
)


class NotStarted(Exception):
    """The process ended before it was ready to read a file."""


class DecoderDied(Exception):
    """The process ended without an answer.

    Args:
        reason: for the log.
        is_late: whether it took too long; else it crashed, or was killed.
        was_killed: whether somebody else did, as where memory runs out: the file may
            be whole.
    """

    def __init__(self, reason: str, *, is_late: bool, was_killed: bool = False) -> None:
        super().__init__(reason)
        self.is_late = is_late
        self.was_killed = was_killed


class DecoderProcess:
    """A process that decodes one file after another. It starts in the background.

    Args:
        command: the program; it uses the protocol of `pictures.decoding.wire`.
        start_s: longest time until it is ready, in seconds.
        answer_s: longest time for one file, in seconds.

    Raises:
        OSError: no process can be started.
    """

    def __init__(
        self,
        command: Sequence[str] = COMMAND,
        *,
        start_s: float = START_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._start_s = start_s
        self._answer_s = answer_s
        self._is_ready = False
        self._is_late = False
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=subprocess_environment() | ENVIRONMENT,
            **_APART,
        )
        self._questions = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    def decode(self, data: bytes, part: Part = WHOLE) -> Image.Image:
        """Decode a file, as `pictures.decoding.reading.read` does.

        Raises:
            Refusal: the file yields no picture.
            NotStarted: the process ended before it was ready.
            DecoderDied: it ended without an answer.
        """
        self._wait_until_ready()
        try:
            with self._ended_after(self._answer_s):
                send_file(self._questions, data, part)
                return receive_answer(self._answers)
        except (OSError, BrokenOff) as error:
            raise self._death() from error

    def close(self) -> None:
        """End the process; an idle one ends by itself."""
        with suppress(OSError):
            self._questions.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def abandon(self) -> None:
        """Forget the process after a fork: its parent will end it."""
        self._process.returncode = 0  # not our child, so we cannot wait for it
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._questions, self._answers):
            with suppress(OSError):  # from flushing bytes that nobody will read
                pipe.close()

    def _wait_until_ready(self) -> None:
        if self._is_ready:
            return
        try:
            with self._ended_after(self._start_s):
                if self._answers.read(len(READY)) != READY:
                    raise BrokenOff("it sent nothing")
        except (OSError, BrokenOff) as error:
            raise NotStarted(str(self._death())) from error
        self._is_ready = True

    def _death(self) -> DecoderDied:
        """Kill the process if it is still running, and return the reason."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DEATH_S)
        code = self._process.poll()
        self.kill()
        if self._is_late or code == -OUT_OF_TIME:
            return DecoderDied("it took too long", is_late=True)
        was_killed = code is not None and code == -KILLED
        return DecoderDied(
            f"it ended with {code}", is_late=False, was_killed=was_killed
        )

    @contextmanager
    def _ended_after(self, seconds: float) -> Iterator[None]:
        """Kill the process, and so end any wait for it, if the block takes longer.

        Waiting for a pipe with a deadline would not work on Windows.
        """
        is_over = threading.Lock()  # acquired by whichever comes first, end or alarm

        def end() -> None:
            if is_over.acquire(blocking=False):
                self._is_late = True
                self._process.kill()

        alarm = threading.Timer(seconds, end)
        alarm.daemon = True
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()
            if not is_over.acquire(blocking=False):
                raise BrokenOff(f"it took longer than {seconds} s")
