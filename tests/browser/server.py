"""An explorer, started as a user starts it, and a host of files."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
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
def _started(*command: str | Path, stderr: int | None = None) -> Iterator[str]:
    """Run Python with this command, and give the address that it prints first."""
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as server:
        watchdog = threading.Timer(START_S, server.kill)
        watchdog.start()
        try:
            assert server.stdout is not None
            first_line = server.stdout.readline()
            watchdog.cancel()
            address = re.search(r"http://[\w.:]+", first_line)
            assert address, f"no server started: {first_line!r}"
            yield address.group()
        finally:
            server.terminate()


def running(*options: str) -> AbstractContextManager[str]:
    """Run an explorer with these options of its command line, and give its address."""
    return _started("run_visualization.py", "--port", "0", *options)


def hosted(folder: Path) -> AbstractContextManager[str]:
    """Serve a folder as any host of files does, and give its address."""
    host = ("-m", "http.server", "0", "--bind", "127.0.0.1", "--directory")
    return _started(*host, folder, stderr=subprocess.DEVNULL)
