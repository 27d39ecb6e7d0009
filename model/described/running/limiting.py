"""A limit to the seconds that a search may compute."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DEADLINE: ContextVar[float] = ContextVar("deadline", default=float("inf"))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End what asks for time after some seconds of this thread's work."""
    token = _DEADLINE.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def require_time() -> None:
    """Ask whether another way may be tried.

    Raises:
        ValueError: the time is over.
    """
    if time.thread_time() > _DEADLINE.get():
        raise ValueError("a description took too long to be compared")
