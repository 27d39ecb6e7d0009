"""The real server in a separate process, started as users start it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COMMAND = ROOT / "run_visualization.py"
STOPS_WITHIN_S = 60


class Server:
    """A running server.

    Args:
        process: its process.
        port: on this machine.
    """

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def memory(self) -> int:
        """Return its memory in bytes; 0 on systems without /proc."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:  # not Linux
            return 0
        found = re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)
        return 1024 * int(found[1]) if found else 0


@contextmanager
def running_server(*arguments: object) -> Iterator[Server]:
    """Start the server on a free port, and stop it at the end.

    Raises:
        RuntimeError: it does not start, or does not stop cleanly.
    """
    command = [sys.executable, COMMAND, "--port", 0, *arguments]
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        found = re.search(r"http://[^ ]*:(\d+)", ready)
        if found is None:
            raise RuntimeError(f"the server must say where it is, got {ready!r}")
        yield Server(process, int(found[1]))
        process.terminate()
        code = process.wait(STOPS_WITHIN_S)
        if code != 0:
            raise RuntimeError(f"the server must end with 0, got {code}")
    finally:
        process.kill()
        process.communicate()
