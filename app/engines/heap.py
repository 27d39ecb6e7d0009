"""The C library's memory: one heap, and what is free of it given back."""

import ctypes
from contextlib import suppress

ARENA_MAX = -8  # M_ARENA_MAX of glibc's <malloc.h>


def share_one_heap() -> None:
    """Make glibc serve all threads from one heap; call before other threads begin.

    Otherwise each thread gets a heap of its own, which keeps most of what was once used
    in it: 25 MB after all weight files have been checked. With other C libraries it
    does nothing.
    """
    with suppress(AttributeError, OSError, TypeError):  # no glibc; Windows
        ctypes.CDLL(None).mallopt(ARENA_MAX, 1)


def give_memory_back() -> None:
    """Make glibc release free memory; it would keep tens of MB for each thread.

    This takes about a millisecond. With other C libraries it does nothing.
    """
    with suppress(AttributeError, OSError, TypeError):  # no glibc; Windows
        ctypes.CDLL(None).malloc_trim(0)
