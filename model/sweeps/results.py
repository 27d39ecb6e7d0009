"""What a sweep has found: a table for people, and one for programs."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from capsnet_explorer.kept_files.reading import Unreadable, read_object
from capsnet_explorer.kept_files.writing import replace_file
from capsnet_explorer.model.measuring.shares import Z, wilson_interval
from capsnet_explorer.model.sweeps.plan import Planned
from capsnet_explorer.model.sweeps.running import card_of, measured_in

TABLE = "results.csv"
# Quantiles of Student's t at 97.5 %, by degrees of freedom from 1; beyond, the first
# terms of its expansion.
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A combination of settings, and its runs.

    Attributes:
        settings: those that vary, by name.
        done: its runs that have a network, and the share that each misreads.
        left: its other runs.
        images: how many each was measured on.
    """

    settings: Mapping[str, Any]
    done: Sequence[tuple[Planned, float]]
    left: Sequence[Planned]
    images: int

    @property
    def errors(self) -> list[float]:
        """Shares that the runs misread."""
        return [error for _, error in self.done]


def rows_of(runs: Sequence[Planned], to: Path) -> list[Row]:
    """Return the combinations, the best first; those without a network last."""
    groups: dict[str, list[Planned]] = {}
    for run in runs:
        groups.setdefault(json.dumps(run.settings, sort_keys=True), []).append(run)
    rows = []
    for group in groups.values():
        cards = [(run, _card(to, run)) for run in group]
        found = [(run, *measured_in(card)) for run, card in cards if card is not None]
        left = [run for run, card in cards if card is None]
        images = min((images for _, _, images in found), default=0)
        done = [(run, error) for run, error, _ in found]
        rows.append(Row(group[0].settings, done, left, images))
    return sorted(rows, key=lambda row: mean(row.errors) if row.done else math.inf)


def _card(to: Path, run: Planned) -> dict[str, Any] | None:
    """Return the card of a run that is done, else None.

    Raises:
        Unreadable: it is damaged; the run is trained again once it is gone.
    """
    file = card_of(to, run)
    if not file.exists():
        return None
    card = read_object(file)
    try:
        error, images = measured_in(card)
        is_whole = 0 <= error <= 1 and images > 0
    except (KeyError, TypeError):
        is_whole = False
    if not is_whole:
        raise Unreadable(f"{file.name} cannot be read: it lacks a test error")
    return card


def interval(errors: Sequence[float], images: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of an error.

    Of several seeds, Student's for their mean, which tells how seeds differ; of one
    seed, Wilson's, which only tells how few images it was measured on.

    Args:
        errors: shares misread, one for each seed; at least one.
        images: that each was measured on.
    """
    if len(errors) == 1:
        return wilson_interval(errors[0], images)
    half = student(len(errors) - 1) * stdev(errors) / math.sqrt(len(errors))
    return max(0.0, mean(errors) - half), min(1.0, mean(errors) + half)


def student(degrees: int) -> float:
    """Return Student's t at 97.5 %."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    return Z + (Z**3 + Z) / (4 * degrees)


def write_results(runs: Sequence[Planned], to: Path, failed: Mapping[str, str]) -> None:
    """Write the table for programs.

    Args:
        runs: of the sweep.
        to: folder of the sweep.
        failed: why a run has no network, by its name.
    """
    text = _table(rows_of(runs, to), failed)
    replace_file(to / TABLE, text.encode(), makes_folder=True)


def report(runs: Sequence[Planned], to: Path) -> str:
    """Return the combinations for people, the best first."""
    return "\n".join(
        f"{_error_words(row):<37}{_settings_words(row.settings)}"
        for row in rows_of(runs, to)
    )


def _error_words(row: Row) -> str:
    if not row.done:
        return "not trained"
    low, high = interval(row.errors, row.images)
    seeds = f"{len(row.done)} seed{'s' if len(row.done) > 1 else ''}"
    return f"{mean(row.errors):.2%} ({low:.2%} to {high:.2%}, {seeds})"


def _settings_words(settings: Mapping[str, Any]) -> str:
    words = [f"{name} {_value(value)}" for name, value in settings.items()]
    return ", ".join(words) or "as asked"


def _value(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(rows: Sequence[Row], failed: Mapping[str, str]) -> str:
    """Return a line for each run, as CSV."""
    names = list(rows[0].settings)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*names, "seed", "error", "images", "network", "failed"])
    for row in rows:
        settings = [_value(row.settings[name]) for name in names]
        for run, error in row.done:
            table.writerow([*settings, run.seed, error, row.images, run.name, ""])
        for run in row.left:
            reason = failed.get(run.name, "not trained")
            table.writerow([*settings, run.seed, "", "", "", reason])
    return text.getvalue()
