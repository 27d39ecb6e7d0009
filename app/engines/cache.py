"""Keeps the most recently used traces, within a budget of memory."""

import threading
from collections import OrderedDict
from collections.abc import Hashable

from capsnet_explorer.app.engines.protocol import Trace


class TraceCache:
    """The most recently used traces; safe to share between threads.

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
        """Return the trace of a key, if it is kept, and mark it as just used."""
        with self._lock:
            trace = self._traces.get(key)
            if trace is not None:
                self._traces.move_to_end(key)
            return trace

    def put(self, key: Hashable, trace: Trace) -> None:
        """Keep a trace, in place of an older one of the same key.

        Its tensors become read-only, because many requests share them. The least
        recently used traces make room; one larger than the budget is not kept.
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
