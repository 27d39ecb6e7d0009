"""Ctrl-C and SIGTERM, noted until a run stands between two steps."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stop_asked() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C and SIGTERM, so that a run stops between two steps.

    Stopped inside a step, it might keep weights that have taken the step beside a
    progress that has not, and would not resume bit for bit. A second signal stops at
    once, and what was not saved is lost.
    """
    asked = False

    def note(_signal: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, note) for number in signals]
    try:
        yield lambda: asked
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
