"""The real server in a separate process, started as users start it."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from capsnet_explorer.checks import present

ROOT = Path(__file__).parent.parent
STOPS_WITHIN_S = 60


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def memory(self) -> int:
        """Return its memory in bytes; 0 on systems without /proc."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:  # not Linux
            return 0
        match = re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)
        return 1024 * int(match[1]) if match else 0


@contextmanager
def running_server(
    weights: Path | None = None,
    *,
    workers: int = 0,
    checkout: Path = ROOT,
    runs: Path | None = None,
) -> Iterator[Server]:
    """Start the server on a free port, and stop it at the end.

    Args:
        weights: what it serves; all that the project has where nothing is named.
        workers: processes of gunicorn; 0 is the server without it.
        checkout: of the project, such as an earlier version's.
        runs: the folder of runs; None takes the usual one.

    Raises:
        RuntimeError: it does not start, or does not stop cleanly.
    """
    if workers:
        command = [sys.executable, "-m", "gunicorn"]
    else:
        command = [sys.executable, "run_visualization.py", "--port", "0"]
        command += ["--weights", str(weights)] if weights else []
    process = subprocess.Popen(
        command,
        stdout=None if workers else subprocess.PIPE,
        stderr=subprocess.PIPE if workers else None,
        text=True,
        cwd=checkout,
        env={
            **os.environ,
            "CAPSNET_BIND": "127.0.0.1:0",
            **({"CAPSNET_WEIGHTS": str(weights)} if weights else {}),
            **({"CAPSNET_RUNS": str(runs)} if runs else {}),
            "WEB_CONCURRENCY": str(workers or 1),
        },
    )
    try:
        output = present(process.stderr if workers else process.stdout, "its output")
        match = None
        while match is None and (line := output.readline()):
            match = re.search(r"http://[^ ]*:(\d+)", line)
        if match is None:
            raise RuntimeError("the server must say where it is")
        if workers:
            # Or its pipe would fill.
            threading.Thread(target=output.read, daemon=True).start()
        yield Server(process, int(match[1]))
        process.terminate()
        code = process.wait(STOPS_WITHIN_S)
        if code != 0:
            raise RuntimeError(f"the server must end with 0, got {code}")
    finally:
        process.kill()
        process.communicate()
