"""The runs of a sweep, several at a time; each result is kept once it is there."""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.kept_files.writing import replace_file
from capsnet_explorer.model.printed import time_words
from capsnet_explorer.model.sweeps.plan import Planned

LOOK_UP_S = 0.2  # between two looks at whether a run is to stop
WEIGHTS, RUNS = "weights", "runs"  # folders of a sweep
PREFIX = "python -m capsnet_explorer: "  # of the line that says why a run failed

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Task:
    """A run, for the process that starts it, on this machine or another.

    Attributes:
        run: which.
        folder: of the run; what is there is gone on with.
        data: the data folder.
    """

    run: Planned
    folder: Path
    data: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a run.

    Attributes:
        weights: the weight file's bytes; None if there is none.
        card: its card, as JSON.
        reason: why there is none, for people.
    """

    weights: bytes | None = None
    card: str = ""
    reason: str = ""


Ended = Generator[tuple[Task, Outcome], None, None]
Give = Callable[[Sequence[Task]], Ended]
"""Has the tasks done, and yields each as it ends."""


def run_all(
    runs: Sequence[Planned], to: Path, data: Path, give: Give, say: Say
) -> dict[str, str]:
    """Train every network that is not there yet.

    Args:
        runs: of the sweep.
        to: folder of the sweep.
        data: the data folder.
        give: to whom the runs are given.
        say: told what happens.

    Returns:
        Why a run has no network, by its name.
    """
    (to / WEIGHTS).mkdir(parents=True, exist_ok=True)
    left = [run for run in runs if not card_of(to, run).exists()]
    tasks = [
        Task(run, (to / RUNS / run.name).absolute(), data.absolute()) for run in left
    ]
    if len(left) < len(runs):
        say(f"{len(runs) - len(left)} of {len(runs)} runs are done already")
    failed: dict[str, str] = {}
    begun = time.monotonic()
    with contextlib.closing(give(tasks)) as outcomes:  # or Ctrl-C would leave them
        for ended, (task, outcome) in enumerate(outcomes, start=1):
            run = task.run
            if outcome.weights is None:
                failed[run.name] = outcome.reason
                words = f"failed: {outcome.reason}"
            else:
                words = _keep(to, task, outcome.weights, outcome.card)
            rest = (time.monotonic() - begun) / ended * (len(left) - ended)
            say(
                f"{len(runs) - len(left) + ended} of {len(runs)}, {run.title}: {words}"
                + (f"; about {time_words(rest)} left" if rest else "")
            )
    return failed


def card_of(to: Path, run: Planned) -> Path:
    """Return where a run's card is, once the run is done."""
    return to / WEIGHTS / f"{run.name}.json"


def _keep(to: Path, task: Task, weights: bytes, card: str) -> str:
    """Write a run's network, and remove what it is no longer needed for."""
    found = {**json.loads(card), "title": task.run.title}
    place = card_of(to, task.run)
    replace_file(place.with_suffix(".safetensors"), weights, makes_folder=True)
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    # Last: a run with a card is done.
    replace_file(place, text.encode(), makes_folder=True)
    shutil.rmtree(task.folder / "checkpoint", ignore_errors=True)
    for file in _written(task):
        file.unlink(missing_ok=True)
    error, _ = measured_in(found)
    return f"{error:.2%} misread"


def measured_in(card: Mapping[str, Any]) -> tuple[float, int]:
    """Return the share that a network misreads, and of how many images.

    They are test images, or those that its run held out.
    """
    part = card["measured_on"]
    return card[f"{part}_error"], card[f"{part}_images"]


def _written(task: Task) -> list[Path]:
    """Return the weight file and the card that a run wrote into its folder."""
    found = sorted(task.folder.glob("*.safetensors"))
    return [file for each in found for file in (each, each.with_suffix(".json"))]


def train_one(task: Task, is_stopped: Callable[[], bool] = lambda: False) -> Outcome:
    """Have a process train a network, or go on with it.

    Args:
        task: the run.
        is_stopped: whether the run is to save its step, and end.
    """
    task.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as output:
        with subprocess.Popen(
            [
                *(sys.executable, "-m", "capsnet_explorer.model.sweeps.child"),
                *(str(task.folder), *task.run.arguments, "--data", str(task.data)),
            ],
            stdin=subprocess.PIPE,  # when it closes, the run ends
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=subprocess_environment() | {"OMP_WAIT_POLICY": "PASSIVE"},
            start_new_session=True,  # Ctrl-C is ours
        ) as process:
            while process.poll() is None and not is_stopped():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_UP_S)
        # Leaving closes the pipe, and waits.
        if process.returncode:
            output.seek(0)
            said = output.read().decode(errors="replace").strip().splitlines()
            return Outcome(reason=_reason(process.returncode, said))
    weights, card = _written(task)[:2]
    return Outcome(weights.read_bytes(), card.read_text(encoding="utf-8"))


def _reason(code: int, said: Sequence[str]) -> str:
    """Return why a run failed, by what it said last."""
    if code < 0:
        return f"its process was ended by signal {-code}"
    last = said[-1] if said else ""
    return last.removeprefix(PREFIX) or f"its process ended with {code}"


def here(workers: int) -> Give:
    """Return what trains on this machine, so many runs at a time.

    Ctrl-C lets every run finish its step and save it.
    """

    def give(tasks: Sequence[Task]) -> Ended:
        stopped = threading.Event()
        with ThreadPoolExecutor(workers) as pool:
            under_way = {
                pool.submit(train_one, task, stopped.is_set): task for task in tasks
            }
            try:
                while under_way:
                    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                    for each in done:
                        yield under_way.pop(each), each.result()
            finally:
                stopped.set()
                pool.shutdown(cancel_futures=True)

    return give
