"""The process of a run: `python -m capsnet_explorer train`, below whoever draws."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.app.engines.training.facts import State

NICENESS = 10  # whoever draws goes first
KILLED_FIRST = 800  # of 1000: where memory runs out, a run ends before the server
OUTPUT = "output.txt"
PREFIX = "python -m capsnet_explorer: "  # of what it says when it fails

SPARED_S = 180.0  # after which a process that nobody needed ends

Process = subprocess.Popen[bytes]


def launched(folder: Path, arguments: Sequence[str]) -> Process:
    """Start a run's process.

    Args:
        folder: the run's, for what it prints.
        arguments: of `python -m capsnet_explorer train`.

    Raises:
        OSError: it cannot be started, for example on a full disk.
    """
    with (folder / OUTPUT).open("wb") as output:
        return _started(
            ["capsnet_explorer", "train", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )


class Spare:
    """A process that has imported what training needs, for the run that starts next."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._end: threading.Timer | None = None

    def warm(self) -> None:
        """Start it, unless it is there; it ends after three minutes without a run."""
        with self._lock:
            if self._end is not None:
                self._end.cancel()
            if self._process is None or self._process.poll() is not None:
                with contextlib.suppress(OSError):  # then runs start without it
                    self._process = _started(
                        ["capsnet_explorer.model.spare"],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
            self._end = threading.Timer(SPARED_S, self.close)
            self._end.daemon = True
            self._end.start()

    def launched(self, folder: Path, arguments: Sequence[str]) -> Process:
        """Let it run, or another process where it is not there.

        Args:
            folder: the run's, for what it prints.
            arguments: of `python -m capsnet_explorer train`.

        Raises:
            OSError: no process can be started, for example on a full disk.
        """
        (folder / OUTPUT).touch()  # on a full disk, nothing is spent
        with self._lock:
            process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            asked = {
                "output": os.fspath((folder / OUTPUT).absolute()),
                "arguments": ["train", *arguments],
            }
            with contextlib.suppress(OSError), process.stdin as pipe:
                pipe.write(json.dumps(asked).encode() + b"\n")
                pipe.flush()
                if process.poll() is None:
                    return process
        return launched(folder, arguments)

    def close(self) -> None:
        """End it."""
        with self._lock:
            if self._end is not None:
                self._end.cancel()
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()


def _started(
    command: Sequence[str], stdin: int, stdout: int | IO[bytes], stderr: int
) -> Process:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=ROOT,
        # Threads that wait for others of the run sleep: beside a busy server, spinning
        # makes training ten times slower.
        env=subprocess_environment() | {"OMP_WAIT_POLICY": "PASSIVE"},
        start_new_session=True,  # the server's Ctrl-C is not the run's
    )
    with contextlib.suppress(OSError, AttributeError):  # not on every system
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        Path(f"/proc/{process.pid}/oom_score_adj").write_text(f"{KILLED_FIRST}")
    return process


def end_of(
    process: Process, folder: Path, *, is_asked: bool, hidden: Sequence[Path] = ()
) -> tuple[State, str]:
    """Return how a process ended that could not tell it, and why.

    Args:
        process: has ended.
        folder: the run's.
        is_asked: whether it was asked to stop, and killed because it did not.
        hidden: further folders whose place is nobody's business.
    """
    code = process.returncode
    if is_asked and code == -signal.SIGKILL:
        return "stopped", "its process did not answer, and was ended"
    if code == -signal.SIGTERM:
        return "stopped", "its process was asked to end"
    if code < 0:
        name = signal.Signals(-code).name
        return "failed", f"its process was killed ({name}): memory may have run out"
    last = ""
    with contextlib.suppress(OSError):
        said = (folder / OUTPUT).read_text(errors="replace").splitlines()
        last = said[-1].removeprefix(PREFIX) if said else ""
    for each in (folder, *hidden):
        last = last.replace(f"{each}{os.sep}", "")
    return "failed", last or f"its process ended with status {code}"
