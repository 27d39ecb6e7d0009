"""The process of a run: `python -m capsnet_explorer train`, below whoever draws."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.app.engines.training.facts import State

NICENESS = 10  # whoever draws goes first
KILLED_FIRST = 800  # of 1000: where memory runs out, a run ends before the server
OUTPUT = "output.txt"
PREFIX = "python -m capsnet_explorer: "  # of what it says when it fails

Process = subprocess.Popen[bytes]


def launch(folder: Path, arguments: Sequence[str]) -> Process:
    """Start a run's process.

    Args:
        folder: the run's, for what it prints.
        arguments: of `python -m capsnet_explorer train`.

    Raises:
        OSError: it cannot be started, for example on a full disk.
    """
    with (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "capsnet_explorer", "train", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            # Threads that wait for others of the run sleep: beside a busy server,
            # spinning makes training ten times slower.
            env=subprocess_environment() | {"OMP_WAIT_POLICY": "PASSIVE"},
            start_new_session=True,  # the server's Ctrl-C is not the run's
        )
    let_others_go_first(process, KILLED_FIRST)
    return process


def let_others_go_first(process: Process, killed_first: int) -> None:
    """Give a process the least of the processor, and of memory where it runs out.

    Args:
        process: runs.
        killed_first: of 1000; the larger, the sooner the system ends it for memory.
    """
    with contextlib.suppress(OSError, AttributeError):  # not on every system
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        Path(f"/proc/{process.pid}/oom_score_adj").write_text(f"{killed_first}")


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
        lines = (folder / OUTPUT).read_text(errors="replace").splitlines()
        last = lines[-1].removeprefix(PREFIX) if lines else ""
    for path in (folder, *hidden):
        last = last.replace(f"{path}{os.sep}", "")
    return "failed", last or f"its process ended with status {code}"
