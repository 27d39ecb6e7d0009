"""Answers kept for whoever asks the same again, within a budget of memory."""

import threading
from collections import OrderedDict
from collections.abc import Hashable

from app.engine import Trace


class TraceCache:
    """The traces used last; for any number of threads.

    Args:
        budget: bytes of tensors kept at most.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._traces: OrderedDict[Hashable, Trace] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes of all tensors kept."""
        return self._size

    def get(self, key: Hashable) -> Trace | None:
        """Return what is kept under `key`, and keep it longer than the rest."""
        with self._lock:
            trace = self._traces.get(key)
            if trace is not None:
                self._traces.move_to_end(key)
            return trace

    def put(self, key: Hashable, trace: Trace) -> None:
        """Keep a trace in place of an older one of its key.

        Its tensors can no longer be written: they are everybody's. Those used least
        recently make room; a trace larger than the whole budget is not kept.
        """
        for array in trace.tensors.values():
            array.flags.writeable = False
        with self._lock:
            if (old := self._traces.pop(key, None)) is not None:
                self._size -= _size(old)
            self._traces[key] = trace
            self._size += _size(trace)
            while self._size > self._budget:
                _, dropped = self._traces.popitem(last=False)
                self._size -= _size(dropped)


def _size(trace: Trace) -> int:
    return sum(array.nbytes for array in trace.tensors.values())
