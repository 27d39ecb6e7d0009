"""An explorer, started as a user starts it."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import START_S

ROOT = Path(__file__).parents[2]
EXPLORER = "explorer"  # what a worker is told the address of the shared one by


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def running(*options: str, folder: Path = ROOT) -> Iterator[str]:
    """Run an explorer with these options, and give its address.

    Args:
        options: of its command line.
        folder: the project that is run.
    """
    with subprocess.Popen(
        [sys.executable, "run_visualization.py", "--port", "0", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        watchdog = threading.Timer(START_S, server.kill)
        watchdog.start()
        try:
            assert server.stdout is not None
            first_line = server.stdout.readline()
            watchdog.cancel()
            found = re.search(r"http://\S+", first_line)
            assert found, f"the explorer did not start: {first_line!r}"
            yield found.group()
        finally:
            server.terminate()
