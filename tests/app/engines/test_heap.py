"""Threads share one heap, and what is free goes back to the system."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Pieces that the C library keeps, since the last one of them is still in use.
CODE = """
import re
from capsnet_explorer.app.engines.heap import give_memory_back
def megabytes():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmRSS:\\s*(\\d+)", file.read())[1]) // 1024
pieces = [bytes(60_000) for _ in range(2000)]
last = pieces.pop()
full = megabytes()
del pieces
kept = megabytes()
give_memory_back()
print(full - kept, full - megabytes())
"""

# What malloc says of its heaps, once a second thread has used it.
HEAPS = """
import ctypes, threading
from capsnet_explorer.app.engines.heap import share_one_heap
share_one_heap()
libc = ctypes.CDLL(None)
thread = threading.Thread(target=lambda: libc.malloc(1000))
thread.start()
thread.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""

of_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="others keep nothing"
)


@of_glibc
def test_threads_share_one_heap():
    result = subprocess.run(
        [sys.executable, "-c", HEAPS], cwd=ROOT, capture_output=True, text=True
    )
    assert result.stdout.count("<heap nr=") == 1


@of_glibc
def test_free_memory_goes_back():
    result = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True
    )
    returned_at_once, returned = map(int, result.stdout.split())
    assert returned_at_once < 20
    assert returned > 80
