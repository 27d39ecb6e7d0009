"""Processor times of processes are told by kind, with those of their children."""

import subprocess
import sys

import pytest

from benchmarks.browser.devtools import PROCESSES, times

BURNS = (
    "import time\nwhile time.process_time() < {}: pass\nprint(1, flush=True)\ninput()"
)


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="needs Linux's /proc")
def test_what_children_spend_is_told_by_their_kind():
    """A parent burns 0.1 s, and its child, which passes for a page, 0.3 s."""
    child = [sys.executable, "-c", BURNS.format(0.3), "--type=renderer"]
    parent = f"import subprocess\n{BURNS.format(0.1)}\n"
    parent = parent.replace("print", f"subprocess.Popen({child}); print")
    with subprocess.Popen(
        [sys.executable, "-c", parent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stdin
        for _ in range(2):
            process.stdout.readline()
        found = times(process.pid)
        process.stdin.close()
    assert set(found) == {"page", "browser and network"}
    assert found["page"] > found["browser and network"] >= 0.09
