"""The runs, one after another; each result is kept as soon as it is there."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.examples.kinds import CPU, Kind, shown, speed, trained
from capsnet_explorer.model.examples.plan import Grid, Planned, planned
from capsnet_explorer.model.examples.results import packed, read_results, write_results
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.speed import processor

Say = Callable[[str], None]


def run_all(
    grid: Grid,
    kinds: Mapping[str, Kind],
    training: LabelledImages,
    test: LabelledImages,
    to: Path,
    *,
    command: str,
    say: Say,
) -> dict[str, Any]:
    """Train every network that is not in the file yet, and add it.

    Args:
        grid: the runs that are wanted.
        kinds: how each of their architectures is trained, and `PACE`.
        training: images to draw examples from.
        test: read once by each network, when it is done.
        to: the file.
        command: that does this, for the file.
        say: told what happens.

    Returns:
        What the file says.

    Raises:
        ValueError: the runs in the file were made in another way; or there are fewer
            training images than examples are wanted.
    """
    if max(grid.numbers) > len(training):
        raise ValueError(
            f"numbers must be at most {len(training)}, as many as there are training "
            f"images, got {max(grid.numbers)}"
        )
    with _one_thread():
        _begin(to, grid, kinds, training, len(test), command, say)
        left = _left(to, grid, kinds)
        rate = _Rate()
        while left:
            next_one, *left = left
            begun = time.monotonic()
            run = _result(next_one, kinds[next_one.architecture], training, test)
            found = read_results(to)  # another process may have added to it
            found["runs"].append(run)
            write_results(to, found)
            rate.add(_expected(next_one, found), time.monotonic() - begun)
            left = _left(to, grid, kinds)
            rest = rate.seconds(sum(_expected(each, found) for each in left))
            say(f"{_words(next_one, run, len(test))}; {_left_words(left, rest)}")
    return read_results(to)


def _begin(
    to: Path,
    grid: Grid,
    kinds: Mapping[str, Kind],
    training: LabelledImages,
    tested: int,
    command: str,
    say: Say,
) -> None:
    """Write how runs are made, and measure speeds that are not known yet."""
    own = {
        "presented": grid.presented,
        "training_images": len(training),
        "test_images": tested,
    }
    found: dict[str, Any] = {
        "command": command,
        "date": date.today().isoformat(),
        "torch": torch.__version__,
        "processor": processor(),
        "threads": torch.get_num_threads(),
        **own,
        "speeds": {},
        "recipes": {},
        "runs": [],
    }
    if to.exists():
        found = read_results(to)
    for name, value in own.items():
        if found.get(name) != value:
            raise ValueError(
                f"{to} holds runs with {name} {found.get(name)}, got {value}: name "
                "another file with --output"
            )
    for name, kind in kinds.items():
        recipe = kind.recipe
        if found["recipes"].setdefault(name, recipe) != recipe:
            raise ValueError(
                f"{to} holds runs of {name} with another recipe: name another file "
                "with --output"
            )
        if name not in found["speeds"]:
            found["speeds"][name] = round(speed(kind, training), 1)
            say(
                f"{architecture_named(name).title}: {found['speeds'][name]:.0f} "
                "images a second"
            )
    write_results(to, found)


def _left(to: Path, grid: Grid, kinds: Mapping[str, Kind]) -> list[Planned]:
    """Return the runs that are not in the file yet, in their order."""
    found = read_results(to)
    batch_sizes = {name: kind.training.batch_size for name, kind in kinds.items()}
    done = {
        (run["architecture"], run["examples"], run["seed"], tuple(run["budgets"]))
        for run in found["runs"]
    }
    every = planned(grid, found["speeds"], batch_sizes)
    return [each for each in every if each.key not in done]


def _result(
    run: Planned, kind: Kind, training: LabelledImages, test: LabelledImages
) -> dict[str, Any]:
    """Train one network, and read the test images."""
    stream = shown(training, run.examples, run.seed, run.presented)
    network, seconds = trained(kind, stream, run.seed)
    mistakes = evaluate(network, test, CPU).mistakes
    is_misread = np.zeros(len(test), dtype=bool)
    is_misread[mistakes.numpy()] = True
    return {
        **asdict(run),
        "seconds": round(seconds, 2),
        "wrong": len(mistakes),
        "misread": packed(is_misread),
    }


def _expected(run: Planned, found: Mapping[str, Any]) -> float:
    """Return the seconds that training takes on an idle machine."""
    return run.presented / found["speeds"][run.architecture]


class _Rate:
    """How much longer runs take than expected: they are tested, and share a machine."""

    def __init__(self) -> None:
        self._expected = 0.0
        self._taken = 0.0

    def add(self, expected: float, taken: float) -> None:
        """Count a run."""
        self._expected += expected
        self._taken += taken

    def seconds(self, expected: float) -> float:
        """Return how long runs will take that are expected to take so long."""
        return expected * self._taken / self._expected


def _words(run: Planned, result: Mapping[str, Any], tested: int) -> str:
    title = architecture_named(run.architecture).title
    return (
        f"{title}, {run.examples} examples, seed {run.seed}, {run.presented} images "
        f"({' and '.join(run.budgets)}): {result['wrong'] / tested:.2%} misread after "
        f"{result['seconds']:.0f} s"
    )


def _left_words(left: list[Planned], seconds: float) -> str:
    return f"{len(left)} runs left, {seconds / 60:.0f} min" if left else "done"


@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
