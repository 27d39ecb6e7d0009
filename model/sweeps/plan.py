"""What a sweep's file asks for, and the runs that it comes to. Imports no torch."""

import hashlib
import itertools
import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capsnet_explorer.commands import parsed
from capsnet_explorer.dataset_files.catalogue import file_name
from capsnet_explorer.model.architectures import ARCHITECTURES, DEFAULT, settings_of

GRID, SEEDS, SEED = "grid", "seeds", "seed"
MOST_RUNS = 10_000
# The sweep itself says where runs stand, and what becomes of them.
OF_THE_SWEEP = ("run", "resume", "watched", "output", "data", "help", SEED)

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """One run of a sweep.

    Attributes:
        name: of its files, and of its network in the explorer.
        title: for people: what tells it from the others.
        settings: those that vary, by name, without the seed.
        seed: of its weights, order and augmentation.
        arguments: of `python -m capsnet_explorer train`.
    """

    name: str
    title: str
    settings: Values
    seed: int
    arguments: tuple[str, ...]


def read_plan(path: Path) -> list[Planned]:
    """Return the runs that a file asks for; those of the first seed come first.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no such file, or a run that it asks for could not work; says
            what is needed.
    """
    try:
        asked = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not text
        raise ValueError(f"{path} must be a TOML file: {error}") from error
    return planned(asked)


def planned(asked: Values) -> list[Planned]:
    """Return the runs that the settings come to.

    Args:
        asked: settings of `train` that are the same for all runs, `seeds`, and `grid`,
            with a list of values for each setting that varies.

    Raises:
        ValueError: says what is needed.
    """
    fixed = {
        _plain(name): value
        for name, value in asked.items()
        if name not in {GRID, SEEDS}
    }
    seeds = _seeds(asked.get(SEEDS, [0]))
    varied = list(_crossed(asked.get(GRID, {}), len(seeds)))
    runs = [_planned(fixed, each, seed) for seed in seeds for each in varied]
    return list({run.name: run for run in runs}.values())  # each once


def _seeds(asked: Any) -> list[int]:
    are_whole = isinstance(asked, list) and all(type(each) is int for each in asked)
    if not are_whole or not asked or len(set(asked)) < len(asked):
        raise ValueError(f"{SEEDS} must be a list of different whole numbers")
    return asked


def _plain(name: str) -> str:
    """Return a setting's name as Python has it; the command line has hyphens."""
    return name.replace("-", "_")


def _crossed(asked: Any, seeds: int) -> Iterator[Values]:
    """Yield every combination of the values."""
    if not isinstance(asked, dict):
        raise ValueError(f"{GRID} must be a table: write [{GRID}]")
    grid = {_plain(key): value for key, value in asked.items()}
    for name, values in grid.items():
        if not isinstance(values, list) or not values:
            raise ValueError(f"{GRID}.{name} must be a list of values")
    if math.prod(len(values) for values in grid.values()) * seeds > MOST_RUNS:
        raise ValueError(f"a sweep has at most {MOST_RUNS} runs")
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def _planned(fixed: Values, varied: Values, seed: int) -> Planned:
    """Return one run, if its settings could work."""
    both = fixed.keys() & varied.keys()
    if both:
        raise ValueError(f"{min(both)} is both fixed and varied: leave one out")
    settings = {**fixed, **varied}
    arguments = _arguments(settings)
    architecture = str(settings.get("architecture", DEFAULT))
    options = _checked(architecture, [*arguments, "--seed", str(seed)])
    arguments += ["--seed", str(seed)]
    digest = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:8]
    title = ", ".join(
        f"{name} {_words(value)}" for name, value in {**varied, SEED: seed}.items()
    )
    return Planned(
        name=f"{architecture}-{file_name(options['dataset'])}-{digest}",
        title=title,
        settings=dict(varied),
        seed=seed,
        arguments=tuple(arguments),
    )


def _arguments(settings: Values) -> list[str]:
    """Write settings as options of the command line, in the order of their names."""
    arguments = []
    for name, value in sorted(settings.items()):
        if name in OF_THE_SWEEP:
            raise ValueError(
                f"{name} is not for a sweep's file"
                + (f": use {SEEDS}" if name == SEED else "")
            )
        if isinstance(value, dict):
            raise ValueError(f"{name} must be a value, got a table")
        if value is False:
            continue
        arguments.append(f"--{name.replace('_', '-')}")
        if value is not True:
            values = value if isinstance(value, list) else [value]
            arguments += [str(each) for each in values]
    return arguments


def _checked(architecture: str, arguments: Sequence[str]) -> Values:
    """Return what `train` makes of the options.

    Raises:
        ValueError: names the setting that cannot work.
    """
    if architecture not in ARCHITECTURES:
        raise ValueError(
            f"architecture must be one of {', '.join(ARCHITECTURES)}, got "
            f"{architecture!r}"
        )
    settings = settings_of(architecture)
    options = parsed("train", arguments)
    changed = settings.changed(options["preset"], options)
    settings.sizes(**changed.sizes)
    settings.loss(**changed.loss)
    return options


def _words(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "yes" if value is True else "no" if value is False else str(value)
