"""One process that decodes pictures, so that a decoder takes only itself down."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from PIL import Image

from picture_files.part import WHOLE, Part
from picture_files.wire import READY, BrokenOff, receive_answer, send_file

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "picture_files")
ENVIRONMENT = {
    "PYTHONPATH": os.pathsep.join(
        filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    ),
    # glibc keeps 16 MB for the next picture and gives back at once what was more.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(16 << 20),
}

START_S = 20  # until a new process is ready, on a machine that does much else
# For one file. What keeps a processor busy has a limit of its own, but on Windows; and
# a picture that is sent to a busy machine may have to wait for its turns.
ANSWER_S = 10 if hasattr(signal, "setitimer") else 2
END_S = 1  # for a process that has nothing more to do
DEATH_S = 0.2  # for one that has broken off, and so is likely to be ending

# What ends a process whose time on a processor is up; Windows has no such thing.
OUT_OF_TIME = getattr(signal, "SIGPROF", 0)

# Ctrl-C in a terminal is for the server, which then ends its processes.
_APART: dict[str, Any] = (
    {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    if sys.platform == "win32"
    else {"process_group": 0}
)


class NotStarted(Exception):
    """The process has not come so far as to look at a file."""


class DecoderDied(Exception):
    """The process has ended in place of an answer.

    Args:
        reason: for a log.
        is_late: it took too long; else it crashed.
    """

    def __init__(self, reason: str, *, is_late: bool) -> None:
        super().__init__(reason)
        self.is_late = is_late


class DecoderProcess:
    """A process that decodes one file after the other; starting it takes no waiting.

    Args:
        command: the program, which speaks as `picture_files` does.
        start_s: seconds that it may take until it is ready.
        answer_s: seconds that it may take for one file.

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
            env=os.environ | ENVIRONMENT,
            **_APART,
        )
        self._questions = cast(BinaryIO, self._process.stdin)
        self._answers = cast(BinaryIO, self._process.stdout)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def decode(self, data: bytes, part: Part = WHOLE) -> Image.Image:
        """Decode a file, as `picture_files.reading.read` does.

        Raises:
            Refusal: it gives no picture.
            NotStarted: the process has ended before it was ready.
            DecoderDied: it has ended in place of an answer.
        """
        self._wait_until_ready()
        try:
            with self._ended_after(self._answer_s):
                send_file(self._questions, data, part)
                return receive_answer(self._answers)
        except (OSError, BrokenOff) as error:
            raise self._death() from error

    def close(self) -> None:
        """End it, in peace if it is idle."""
        with suppress(OSError):
            self._questions.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def abandon(self) -> None:
        """Let go of it: after a fork, it is the other process that ends it."""
        self._process.returncode = 0  # it is no child here that could be waited for
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._questions, self._answers):
            with suppress(OSError):  # of what nobody will read
                pipe.close()

    def _wait_until_ready(self) -> None:
        if self._is_ready:
            return
        try:
            with self._ended_after(self._start_s):
                if self._answers.read(len(READY)) != READY:
                    raise BrokenOff("it has said nothing")
        except (OSError, BrokenOff) as error:
            raise NotStarted(str(self._death())) from error
        self._is_ready = True

    def _death(self) -> DecoderDied:
        """End the process, if it has not ended itself, and say how it came to that."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DEATH_S)
        code = self._process.poll()
        self.kill()
        if self._is_late or code == -OUT_OF_TIME:
            return DecoderDied("it took too long", is_late=True)
        return DecoderDied(f"it ended with {code}", is_late=False)

    @contextmanager
    def _ended_after(self, seconds: float) -> Iterator[None]:
        """End the process, and so any wait for it, if what is within takes longer.

        A pipe can be waited for with a deadline everywhere but on Windows.
        """
        is_over = threading.Lock()  # taken by what comes first: the end or the alarm

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
