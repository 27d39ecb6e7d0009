"""An explorer, started as a user starts it."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_S = 60  # a cold machine reads torch from a slow disk


@contextmanager
def running(*options: str) -> Iterator[str]:
    """Run an explorer with these options, and give its address."""
    with subprocess.Popen(
        [sys.executable, "run_visualization.py", "--port", "0", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        watchdog = threading.Timer(START_S, server.kill)
        watchdog.start()
        assert server.stdout is not None
        first_line = server.stdout.readline()
        watchdog.cancel()
        found = re.search(r"http://\S+", first_line)
        assert found, f"the explorer did not start: {first_line!r}"
        yield found.group()
        server.terminate()
