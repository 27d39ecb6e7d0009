"""What is in memory of the networks: whatever is unused longest leaves beyond a budget.

Networks are read from their files when they are first used. An attack needs copies
besides, which the next networks push out again.
"""

import threading
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar

from capsnet_explorer.app.engines.heap import give_memory_back

MEBI = 1 << 20
BUDGET = 256 * MEBI  # bytes

Value = TypeVar("Value")


class Memory:
    """Keeps what was used last, within a budget.

    Attributes:
        budget: bytes of all that is kept; the newest may exceed it alone.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._lock = threading.Lock()
        # The unused longest first. Weak: what nobody can use any more is not kept.
        self._sizes: weakref.WeakKeyDictionary[Held[Any], int] = (
            weakref.WeakKeyDictionary()
        )

    def used(self, held: "Held[Any]", size: int) -> None:
        """Note that something is in memory and was just used; others make room."""
        with self._lock:
            is_new = self._sizes.pop(held, None) is None
            self._sizes[held] = size
            if not is_new:
                return
            sizes = list(self._sizes.items())
            total = sum(size for _, size in sizes)
            has_dropped = False
            for holder, size in sizes[:-1]:
                if total <= self.budget:
                    break
                holder.drop()
                del self._sizes[holder]
                total -= size
                has_dropped = True
        if has_dropped:
            give_memory_back()


@cache
def process_memory() -> Memory:
    """Return the one that all networks of this process share."""
    return Memory()


class Held(Generic[Value]):
    """A value that is made when it is needed, and made again after it was dropped.

    Whoever uses it keeps it alive meanwhile.

    Args:
        make: makes it.
        size: bytes that it takes, about.
        memory: decides when it is dropped.
    """

    def __init__(self, make: Callable[[], Value], size: int, memory: Memory) -> None:
        self._make = make
        self._size = size
        self._memory = memory
        self._lock = threading.Lock()
        self._value: Value | None = None

    def get(self) -> Value:
        """Return the value."""
        value = self._value
        if value is None:
            with self._lock:
                value = self._value
                if value is None:
                    value = self._value = self._make()
        self._memory.used(self, self._size)
        return value

    def drop(self) -> None:
        """Forget the value, until it is needed again."""
        self._value = None
