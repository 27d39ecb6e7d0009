"""What runs would take: a few steps of each, measured by a process, one at a time."""

import json
import subprocess
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from capsnet_explorer.app.engines.training.process import (
    OUTPUT,
    Process,
    end_of,
    launched,
)

MOST_S = 90.0  # of a measurement
FRESH_S = 600.0  # afterwards, the machine may be less busy, or more
MOST_KEPT = 32


class EstimateFacts(BaseModel):
    """What a run would take on this machine: measured, as busy as it is now."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    state: Literal["measuring", "done", "failed"]
    """`measuring`: ask again in a moment."""
    error: str | None = None
    """Why it failed."""
    steps: int = 0
    """Of the whole run."""
    batch: int = 0
    """Images of a step; fewer than asked where memory has no room for more."""
    measured: int = 0
    """Steps that were measured."""
    step_s: float = 0.0
    """Median of these, in seconds."""
    seconds: float = 0.0
    """Of the whole run, tests included."""
    memory: int | None = None
    """Bytes that the process took at most; null where nobody can tell."""
    taken: tuple[str, ...] = ()
    """Titles of the layers whose weights are those of the network it starts from."""
    anew: tuple[str, ...] = ()
    """Titles of the layers that begin at random all the same."""
    beside: int = 0
    """Runs that trained meanwhile."""
    most_s: float = 0.0
    """Seconds after which a run is stopped."""


MEASURING = EstimateFacts(state="measuring")


class Estimates:
    """The estimates of a server. What is known is kept for some minutes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[float, EstimateFacts]] = OrderedDict()
        self._process: Process | None = None
        self._is_busy = False
        self._is_closed = False

    def ask(
        self,
        arguments: Sequence[str],
        *,
        version: float = 0.0,
        beside: int = 0,
        hidden: Sequence[Path] = (),
    ) -> EstimateFacts:
        """Return an estimate, or have it measured if nothing else is.

        Args:
            arguments: of `python -m capsnet_explorer train`.
            version: changes with the images.
            beside: runs that train now.
            hidden: folders whose place is nobody's business.
        """
        key = json.dumps([version, *arguments])
        with self._lock:
            if key in self._known:
                at, found = self._known[key]
                is_fresh = time.monotonic() - at <= FRESH_S
                if found.state == "failed" or not is_fresh:
                    del self._known[key]
                if is_fresh:
                    return found
            if not self._is_busy and not self._is_closed:
                self._is_busy = True
                threading.Thread(
                    target=self._measure,
                    args=(key, arguments, beside, hidden),
                    daemon=True,
                ).start()
        return MEASURING

    def close(self) -> None:
        """End what is measured."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def _measure(
        self, key: str, arguments: Sequence[str], beside: int, hidden: Sequence[Path]
    ) -> None:
        try:
            found = self._measured(arguments, hidden)
        except OSError as error:
            words = f"nothing could be measured: {error.strerror}"
            found = EstimateFacts(state="failed", error=words)
        with self._lock:
            found = found.model_copy(update={"beside": beside})
            self._known[key] = time.monotonic(), found
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
            self._is_busy = False

    def _measured(
        self, arguments: Sequence[str], hidden: Sequence[Path]
    ) -> EstimateFacts:
        """Have a process take a few steps in a folder that is then deleted."""
        with tempfile.TemporaryDirectory(prefix="capsnet-") as name:
            folder = Path(name)
            asked = ["--estimate", "json", "--run", name, *arguments]
            with self._lock:
                if self._is_closed:
                    return MEASURING
                process = self._process = launched(folder, asked)
            try:
                process.wait(MOST_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                words = f"a step, and what it needs, takes more than {MOST_S:.0f} s"
                return EstimateFacts(state="failed", error=words)
            finally:
                self._process = None
            if process.returncode:
                _, words = end_of(process, folder, is_asked=False, hidden=hidden)
                return EstimateFacts(state="failed", error=words)
            said = (folder / OUTPUT).read_text("utf-8", errors="replace")
            told: dict[str, Any] = json.loads(said.splitlines()[-1])
            return EstimateFacts(state="done", **told)
