"""Running a part of somebody's program: whatever it does, this process goes on."""

import contextlib
import faulthandler
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NoReturn, TextIO, TypeVar

TOLD_S = 10.0  # between two lines on something that takes long
MOST_S = 300.0  # of opening a network

Answer = TypeVar("Answer")


class Failed(Exception):
    """Somebody's program did not come to its end.

    Attributes:
        error: what it raised: any kind, such as `SystemExit` or a `BaseException` of
            its own.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


class _Outcome(Generic[Answer]):
    """What a call on another thread comes to."""

    def __init__(self, compute: Callable[[], Answer]) -> None:
        self._compute = compute
        self._answer: list[Answer] = []
        self._error: BaseException | None = None
        self.is_there = threading.Event()

    def run(self) -> None:
        """Call, and note what comes of it."""
        try:
            self._answer.append(self._compute())
        except BaseException as error:  # of any kind: none may end the process
            self._error = error
        finally:
            self.is_there.set()

    def take(self) -> Answer:
        """Return the answer, or raise what was raised."""
        if self._error is not None:
            raise Failed(self._error)
        return self._answer[0]


def attend(
    compute: Callable[[], Answer], doing: str, *, most_s: float = MOST_S
) -> Answer:
    """Return what a call comes to, on a thread of its own that nobody has to wait for.

    Says on the error stream what is being done, and for how long; a crash in C ends the
    process, but says where it came. Threads that the
    program starts are daemons, as this one is, unless it says otherwise.

    Args:
        compute: runs somebody's program.
        doing: what that is, such as `Opening net.py`.
        most_s: seconds that it may take.

    Raises:
        Failed: it raised something, ended the process, or takes longer.
    """
    stream = sys.stderr  # which the program may change
    outcome = _Outcome(compute)
    _say(stream, f"{doing} …")
    begun = time.monotonic()
    with _outliving_exits(), _crashes_told(stream):
        threading.Thread(target=outcome.run, daemon=True).start()
        while not outcome.is_there.wait(TOLD_S):
            took = time.monotonic() - begun
            if took > most_s:
                raise Failed(
                    TimeoutError(f"it has not come to an end in {most_s:.0f} s")
                )
            _say(stream, f"{doing} … for {took:.0f} s so far")
    return outcome.take()


def _say(stream: TextIO | None, line: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # a full disk, a closed stream
        print(line, file=stream, flush=True)


@contextmanager
def _crashes_told(stream: TextIO | None) -> Iterator[None]:
    """Have a crash in C say at which line of Python it came."""
    was_on = faulthandler.is_enabled()
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if stream is not None:
            faulthandler.enable(stream)  # where it is a file
    try:
        yield
    finally:
        if not was_on:
            faulthandler.disable()


@contextmanager
def _outliving_exits() -> Iterator[None]:
    """Make what would end this process at once an exception, and nothing of a child."""
    process = os.getpid()

    def instead(name: str) -> Callable[..., NoReturn]:
        real = getattr(os, name)

        def end(*arguments: Any) -> NoReturn:
            if os.getpid() != process:
                real(*arguments)
            raise SystemExit(f"os.{name}")

        return end

    replaced = {name: getattr(os, name) for name in ("_exit", "abort")}
    for name in replaced:
        setattr(os, name, instead(name))
    try:
        yield
    finally:
        for name, real in replaced.items():
            setattr(os, name, real)
