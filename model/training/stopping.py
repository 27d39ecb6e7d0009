"""Ctrl-C and SIGTERM, deferred until a training step is complete."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stop_asked() -> Iterator[Callable[[], bool]]:
    """Record Ctrl-C and SIGTERM, so that a run can stop between two steps.

    A run stopped within a step might save weights that include the step with a progress
    that does not, and would not resume bit for bit. A second signal stops the run at
    once, without saving.

    Yields:
        A function that returns whether a signal has come.
    """
    is_asked = False

    def note(_signal: int, _frame: object) -> None:
        nonlocal is_asked
        if is_asked:
            raise KeyboardInterrupt
        is_asked = True

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, note) for number in signals]
    try:
        yield lambda: is_asked
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
