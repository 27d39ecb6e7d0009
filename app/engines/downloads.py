"""Downloads of data sets: processes of their own, `python -m capsnet_explorer data`."""

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.app.errors import InvalidRequest, short
from capsnet_explorer.checks import present
from capsnet_explorer.datasets.catalogue import DATASETS

EXTENSION = "capsnet-downloads"  # of an app
COMMAND = (sys.executable, "-m", "capsnet_explorer", "data", "--lines")
SAID_BY = "python -m capsnet_explorer: "  # begins what the command says of a failure


State = Literal["none", "running", "done", "failed", "stopped"]


class DownloadFacts(BaseModel):
    """How far a download is."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    dataset: str
    """What is downloaded, by its name."""
    state: State
    """What it does; `none` was started. Its files are there only once it is done."""
    bytes: int
    """How many have come."""
    total: int
    """How many there are."""
    message: str | None = None
    """Why it failed."""


class Downloads:
    """The downloads of a server, one of a data set at a time.

    Args:
        data: folder of the data sets.
        command: downloads one, named by `--dataset`, into the folder that `--data`
            names; prints the number of bytes that have come, a line each time.
    """

    def __init__(self, data: Path, command: Sequence[str] = COMMAND) -> None:
        self._data = data
        self._command = command
        self._lock = threading.Lock()
        self._known: dict[str, _Download] = {}

    def start(self, name: str) -> DownloadFacts:
        """Start to download a data set, unless that is under way already.

        Raises:
            InvalidRequest: there is no such data set, or it cannot be downloaded.
        """
        _check(name)
        with self._lock:
            known = self._known.get(name)
            if known is None or known.facts.state != "running":
                options = ("--dataset", name, "--data", str(self._data))
                known = self._known[name] = _Download(
                    name, self._data, [*self._command, *options]
                )
            return known.facts

    def facts(self, name: str) -> DownloadFacts:
        """Return how far a download is.

        Raises:
            InvalidRequest: there is no such data set, or it cannot be downloaded.
        """
        _check(name)
        known = self._known.get(name)
        if known is not None:
            return known.facts
        total = DATASETS[name].archive_bytes
        return DownloadFacts(dataset=name, state="none", bytes=0, total=total)

    def stop(self, name: str) -> DownloadFacts:
        """Stop a download if it is under way; what has come is deleted.

        Raises:
            InvalidRequest: there is no such data set, or it cannot be downloaded.
        """
        known = self._known.get(name)
        if known is not None:
            known.stop()
        return self.facts(name)

    def close(self) -> None:
        """Stop every download."""
        with self._lock:
            for download in self._known.values():
                download.stop()


def _check(name: str) -> None:
    able = [dataset.name for dataset in DATASETS.values() if dataset.archives]
    if name not in able:
        raise InvalidRequest(
            f"dataset must be one of {', '.join(able)}, got {short(name)}",
            field="dataset",
        )


class _Download:
    """One process, and a thread that reads what it says."""

    def __init__(self, name: str, data: Path, command: Sequence[str]) -> None:
        self._name = name
        self._data = data
        self._bytes = 0
        self._words = ""
        self._is_stopped = False
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=subprocess_environment(),
            start_new_session=True,  # the server's Ctrl-C is not its own
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._process as process:  # waits for its end
            for line in present(process.stdout, "the output of the process"):
                text = line.strip()
                if text.isdecimal():
                    self._bytes = int(text)
                else:
                    self._words = text

    @property
    def facts(self) -> DownloadFacts:
        # As long as it is read from, not all that it said is known.
        code = None if self._reader.is_alive() else self._process.returncode
        total = DATASETS[self._name].archive_bytes
        if code is None:
            state: State = "running"
        elif code == 0:
            state = "done"
        else:
            state = "stopped" if self._is_stopped else "failed"
        words = self._words.removeprefix(SAID_BY)
        # Where the folder is, is no business of whoever asks from elsewhere.
        words = words.replace(str(self._data), "the data folder")
        why = words or f"its process ended with {code}"
        return DownloadFacts(
            dataset=self._name,
            state=state,
            bytes=total if state == "done" else self._bytes,
            total=total,
            message=why if state == "failed" else None,
        )

    def stop(self) -> None:
        """Ask the process to end, and wait until it has."""
        if self._process.poll() is None:
            self._is_stopped = True
            self._process.terminate()
        self._reader.join()
