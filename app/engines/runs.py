"""Training runs: processes of their own, watched and steered by files in their folders.

A run is `python -m model train --watched`, as anybody could start it. What it does is
read from its folder alone, so a server that starts again finds the runs that were there.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from app.engines.recipes import Recipe
from app.errors import InvalidRequest, UnknownThing, short

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
ENDED: tuple[State, ...] = ("done", "stopped", "failed")

AT_ONCE = 2  # runs that train at once; others wait
MOST = 20  # runs that are kept; the oldest that ended goes first
SUFFIX = ".safetensors"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a run has done so far.

    Attributes:
        id: names it in addresses.
        state: what it does.
        place: how many runs go before it while it waits; else 0.
        recipe: as the request gave it.
        total: steps of the whole run; 0 until it has begun.
        step: steps so far.
        images: images so far, counted once for each epoch.
        seconds: of training so far.
        loss: mean over the last steps; None before the first.
        error: share of the test images that the last snapshot counted misread.
        tested: number of those images.
        learning_rate: of the last step.
        snapshots: after which steps the network was kept.
        message: why it failed.
    """

    id: str
    state: State
    place: int = 0
    recipe: Mapping[str, Any] = field(default_factory=dict)
    total: int = 0
    step: int = 0
    images: int = 0
    seconds: float = 0.0
    loss: float | None = None
    error: float | None = None
    tested: int | None = None
    learning_rate: float | None = None
    snapshots: tuple[int, ...] = ()
    message: str | None = None


class Runs:
    """The training runs of a server.

    Args:
        folder: where each has a folder; created when the first one starts.
        data: folder of the data sets.
        threads: of each run; 0 leaves the choice to torch.
    """

    def __init__(self, folder: Path, data: Path, *, threads: int = 0) -> None:
        self._folder = folder
        self._data = data
        self._threads = threads
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._waiting: list[str] = []

    def start(self, recipe: Recipe, asked: Mapping[str, Any], start: Path | None) -> str:
        """Start a run, or let it wait for its turn.

        Args:
            recipe: checked.
            asked: the recipe as the request gave it, to repeat.
            start: the weight file that it starts from, if any.

        Returns:
            Its id.

        Raises:
            OSError: its folder cannot be written to.
        """
        id = secrets.token_hex(4)
        own = self._folder / id
        (own / "watched").mkdir(parents=True)
        command = [
            *(sys.executable, "-m", "model", "train", "--watched"),
            *("--run", str(own), "--data", str(self._data)),
            *("--threads", str(self._threads)),
            *([] if start is None else ["--start", str(start)]),
            *recipe.arguments,
        ]
        (own / "request.json").write_text(
            json.dumps({"recipe": dict(asked), "command": command}), encoding="utf-8"
        )
        with self._lock:
            self._waiting.append(id)
        self._let_in()
        return id

    def all(self) -> list[RunFacts]:
        """Return every run, the newest first."""
        if not self._folder.is_dir():
            return []
        folders = [each for each in self._folder.iterdir() if _is_run(each)]
        newest = sorted(folders, key=lambda each: -each.stat().st_mtime)
        return [self.facts(each.name) for each in newest]

    def facts(self, id: str) -> RunFacts:
        """Return what a run has done so far.

        Raises:
            UnknownThing: there is no such run.
        """
        own = self._own(id)
        request = json.loads((own / "request.json").read_bytes())
        with self._lock:
            is_waiting = id in self._waiting
            place = self._waiting.index(id) if is_waiting else 0
            process = self._processes.get(id)
            is_alive = process is not None and process.poll() is None
        found = RunFacts(id, "waiting", place=place, recipe=request["recipe"])
        if is_waiting:
            return found
        return _after(found, events_of(own), is_alive=is_alive)

    def change(
        self, id: str, *, learning_rate: float | None, state: str | None
    ) -> None:
        """Ask a run for another learning rate, or to pause, go on or stop.

        Raises:
            UnknownThing: there is no such run.
            InvalidRequest: it has ended.
        """
        found = self.facts(id)
        if found.state in ENDED:
            raise InvalidRequest(f"the run must not have ended, it is {found.state}")
        control = self._own(id) / "watched" / "control.json"
        asked: dict[str, Any] = {}
        if control.exists():
            asked = json.loads(control.read_bytes())
        if learning_rate is not None:
            asked["learning_rate"] = learning_rate
        if state is not None:
            asked["state"] = state
        beside = control.with_suffix(".new")
        beside.write_text(json.dumps(asked), encoding="utf-8")
        beside.replace(control)
        if state == "stopped":
            with self._lock:
                if id in self._waiting:
                    self._waiting.remove(id)

    def remove(self, id: str) -> None:
        """Stop a run, and delete all that it wrote.

        Raises:
            UnknownThing: there is no such run.
        """
        own = self._own(id)
        with self._lock:
            if id in self._waiting:
                self._waiting.remove(id)
            process = self._processes.pop(id, None)
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        shutil.rmtree(own, ignore_errors=True)
        self._let_in()

    def weights(self, id: str, step: int) -> Path:
        """Return the weight file of a snapshot.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
        """
        path = self._own(id) / "watched" / f"{step}{SUFFIX}"
        if not path.is_file() or step not in self.facts(id).snapshots:
            raise UnknownThing(f"the run {id} has no snapshot after step {step}")
        return path

    def close(self) -> None:
        """Ask every run to stop; those that waited never begin."""
        with self._lock:
            self._waiting.clear()
            processes = list(self._processes.values())
        for process in processes:
            if process.poll() is None:
                process.terminate()

    def _own(self, id: str) -> Path:
        own = self._folder / id
        if not id.isalnum() or not _is_run(own):
            raise UnknownThing(f"there is no run {short(id)}")
        return own

    def _let_in(self) -> None:
        """Start waiting runs while there is room, and remove the oldest that ended."""
        with self._lock:
            alive = [each for each in self._processes.values() if each.poll() is None]
            room = AT_ONCE - len(alive)
            for id in self._waiting[: max(0, room)]:
                self._waiting.remove(id)
                self._processes[id] = process = self._launch(id)
                threading.Thread(
                    target=self._wait_for, args=(process,), daemon=True
                ).start()
        ended = [each for each in self.all() if each.state in ENDED]
        for each in ended[MOST:]:
            shutil.rmtree(self._folder / each.id, ignore_errors=True)

    def _launch(self, id: str) -> subprocess.Popen[bytes]:
        own = self._folder / id
        command = json.loads((own / "request.json").read_bytes())["command"]
        with (own / "output.txt").open("wb") as output:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=Path(__file__).parents[2],
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,  # the server's Ctrl-C is not the run's
            )

    def _wait_for(self, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        self._let_in()


def _is_run(folder: Path) -> bool:
    return (folder / "request.json").is_file()


def events_of(own: Path) -> list[dict[str, Any]]:
    """Return the complete events of a run, the first one first.

    Args:
        own: the run's folder.
    """
    try:
        text = (own / "watched" / "events.jsonl").read_text(encoding="utf-8")
    except OSError:
        return []
    complete = text[: text.rfind("\n") + 1]
    return [json.loads(line) for line in complete.splitlines()]


def _after(
    found: RunFacts, events: Sequence[Mapping[str, Any]], *, is_alive: bool
) -> RunFacts:
    """Return the facts after some events."""
    facts: dict[str, Any] = {"state": "running"}
    snapshots: list[int] = []
    for event in events:
        facts |= {name: event[name] for name in ("step", "images", "seconds")}
        for name in ("state", "total", "message"):
            if name in event:
                facts[name] = event[name]
        if event["event"] == "progress":
            facts |= {name: event[name] for name in ("loss", "learning_rate")}
        if event["event"] == "snapshot":
            snapshots.append(event["step"])
            if "error" in event:
                facts |= {name: event[name] for name in ("error", "tested")}
    if not is_alive and facts["state"] not in ENDED:
        facts["state"] = "stopped" if events else "failed"
        facts.setdefault("message", "its process ended before it could say why")
    known = {name: getattr(found, name) for name in ("id", "place", "recipe")}
    return RunFacts(**known, **facts, snapshots=tuple(snapshots))
