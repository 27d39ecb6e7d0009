"""Turns of what people ask many times a second, so that nobody waits for everybody.

Python runs one thread at a time, and a forward pass lets others run after each of its
steps. If forty threads are about to convert strokes or decode capsules, the pass waits
for all of them at every step, and takes half a second in place of a few milliseconds.
So those of a kind go on one after the other.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 1.0  # after which a request goes on without its turn


class Turns:
    """Lets one thread go on at a time; the others wait.

    A thread that has waited for `patience_s` goes on without its turn, so that no slow
    request, such as one with a large photograph, holds up the others for longer.

    Args:
        patience_s: longest wait, in seconds.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._free = threading.Lock()
        self._patience_s = patience_s

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Go on when it is this thread's turn, or its patience is over."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def _take(self) -> None:
        _this.held = self if self._free.acquire(timeout=self._patience_s) else None

    def _give(self) -> None:
        held, _this.held = _this.held, None
        if held is not None:
            held._free.release()


class _Thread(threading.local):
    """What a thread knows of itself: whose turn it has, if any."""

    held: Turns | None = None


_this = _Thread()


@contextmanager
def letting_others_go_on() -> Iterator[None]:
    """Give this thread's turn, if it has one, to others while it only waits."""
    held = _this.held
    if held is None:
        yield
        return
    held._give()
    try:
        yield
    finally:
        held._take()


DRAWING = Turns()  # strokes, which the intake converts
LOOKING = Turns()  # traces of images
DRAGGING = Turns()  # steps of sliders, which take a millisecond
