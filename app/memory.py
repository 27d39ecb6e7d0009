"""Gives memory back to the system once something large is done."""

import ctypes
from contextlib import suppress


def give_memory_back() -> None:
    """Let go of what is free: glibc would keep tens of MB for each thread.

    It takes about a millisecond; other C libraries are left to themselves.
    """
    with suppress(AttributeError, OSError, TypeError):  # no glibc; Windows
        ctypes.CDLL(None).malloc_trim(0)
