"""What a sweep has found: a table for people, one for programs, and a page."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from capsnet_explorer.kept_files.reading import Unreadable, read_object
from capsnet_explorer.kept_files.writing import replace_file
from capsnet_explorer.model.sweeps.plan import Planned
from capsnet_explorer.model.sweeps.running import WEIGHTS, card_of, measured_in

TABLE, PAGE = "results.csv", "index.html"
EXPLORER = "http://127.0.0.1:5000/"
LEVEL = 0.95
NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)
# Quantiles of Student's t at 97.5 %, by degrees of freedom from 1; beyond, the first
# terms of its expansion.
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
STYLE = (
    ":root { color-scheme: light dark; font-family: system-ui, sans-serif } "
    "body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem } "
    "table { border-collapse: collapse } "
    "th, td { padding: .3rem .8rem; text-align: left } "
    "tr + tr { border-top: 1px solid color-mix(in srgb, currentColor 20%, #0000) }"
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
        (share,) = errors
        squared = NORMAL**2 / images
        middle = (share + squared / 2) / (1 + squared)
        half = math.sqrt(squared * (share * (1 - share) + squared / 4)) / (1 + squared)
        return max(0.0, middle - half), min(1.0, middle + half)
    half = student(len(errors) - 1) * stdev(errors) / math.sqrt(len(errors))
    return max(0.0, mean(errors) - half), min(1.0, mean(errors) + half)


def student(degrees: int) -> float:
    """Return Student's t at 97.5 %."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    return NORMAL + (NORMAL**3 + NORMAL) / (4 * degrees)


def write_results(runs: Sequence[Planned], to: Path, failed: Mapping[str, str]) -> None:
    """Write both tables and the page.

    Args:
        runs: of the sweep.
        to: folder of the sweep.
        failed: why a run has no network, by its name.
    """
    rows = rows_of(runs, to)
    replace_file(to / TABLE, _table(rows, failed).encode(), makes_folder=True)
    replace_file(to / PAGE, _page(rows, to, failed), makes_folder=True)


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


def _page(rows: Sequence[Row], to: Path, failed: Mapping[str, str]) -> bytes:
    """Return a page with a link to each network in the explorer."""
    page = Element("html", lang="en")
    head = SubElement(page, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width")
    SubElement(head, "title").text = f"Sweep {to.name}"
    SubElement(head, "style").text = STYLE
    body = SubElement(page, "body")
    SubElement(body, "h1").text = f"Sweep {to.name}"
    words = SubElement(body, "p")
    words.text = "Links open a network in the explorer, once it runs: "
    command = f"python run_visualization.py --weights {(to / WEIGHTS).absolute()}"
    SubElement(words, "code").text = command
    SubElement(body, "p").text = (
        "Misread: mean over the seeds and its 95 % interval by Student's t, which "
        "tells how seeds differ; of one seed Wilson's, which only tells how few images "
        "it was measured on."
    )
    table = SubElement(body, "table")
    names = list(rows[0].settings)
    heads = SubElement(SubElement(table, "thead"), "tr")
    for name in (*names, "misread", "seeds"):
        SubElement(heads, "th", scope="col").text = name
    lines = SubElement(table, "tbody")
    for row in rows:
        line = SubElement(lines, "tr")
        for name in names:
            SubElement(line, "td").text = _value(row.settings[name])
        SubElement(line, "td").text = _error_words(row)
        _links(SubElement(line, "td"), row, failed)
    text = ElementTree.tostring(page, encoding="unicode", method="html")
    return f"<!doctype html>\n{text}\n".encode()


def _links(cell: Element, row: Row, failed: Mapping[str, str]) -> None:
    for run, error in row.done:
        link = SubElement(cell, "a", href=f"{EXPLORER}#model={run.name}")
        link.text, link.tail = f"{run.seed}: {error:.2%}", " "
    for run in row.left:
        reason = failed.get(run.name, "not trained")
        SubElement(cell, "span").text = f"{run.seed}: {reason} "
