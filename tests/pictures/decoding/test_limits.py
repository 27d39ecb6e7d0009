"""The system ends what takes too much."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems have fewer limits"
)


def run(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )


@pytest.mark.parametrize(("size", "output"), [(300, "given"), (400, "refused")])
def test_memory_is_refused(size, output):
    result = run(
        f"""
from capsnet_explorer.pictures.decoding.limits import limit_memory
limit_memory()
try:
    memory = bytearray({size} << 20)
    print("given")
except MemoryError:
    print("refused")
"""
    )
    assert result.stdout.strip() == output, result.stderr


def test_what_never_ends_is_ended():
    result = run(
        """
from capsnet_explorer.pictures.decoding.limits import limited_time
with limited_time():
    sum(range(10**12))  # one call, as of a decoder: Python itself gets no turn
"""
    )
    assert result.returncode == -signal.SIGPROF


def test_what_ends_in_time_may_be_followed_by_more():
    result = run(
        """
import time
from capsnet_explorer.pictures.decoding import limits
limits.PROCESSOR_S = 0.2
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
for _ in range(3):
    with limits.limited_time():
        work(0.1)
work(0.3)
print("done")
"""
    )
    assert result.stdout.strip() == "done"
