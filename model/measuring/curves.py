"""The laboratory's curves of several networks as files: one table, one picture."""

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capsnet_explorer.model.measuring.shares import wilson_interval
from capsnet_explorer.model.weights import card_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 4  # panels side by side
DOTS_PER_INCH = 130

TABLE_HEAD = (
    *("experiment", "knob", "value", "network", "images", "accuracy"),
    *("accuracy_low", "accuracy_high", "true_score", "winner_score"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on one network.

    Attributes:
        name: for people.
        entries: `measurements` of its card.
    """

    name: str
    entries: Mapping[str, Any]

    def curve(self, experiment: str) -> Mapping[str, Any] | None:
        """Return an experiment's entry, if it is a curve of accuracy over a knob."""
        entry = self.entries.get(experiment)
        return entry if entry and "accuracy" in entry else None


def write_curves(weights: Sequence[Path], folder: Path) -> list[Path]:
    """Write the curves on the cards of networks: measurements.csv, measurements.png.

    Args:
        weights: weight files.
        folder: for both; made if missing.

    Returns:
        Their paths.

    Raises:
        ValueError: no card has a curve, or matplotlib is not installed.
    """
    cards = [card_of(path) for path in weights]
    networks = [
        Measured(str(card["title"]), card.get("measurements", {})) for card in cards
    ]
    if not curve_names(networks):
        raise ValueError(
            "nothing was measured on changed images: begin with "
            "python -m capsnet_explorer measure"
        )
    try:
        picture = curves_picture(networks)
    except ImportError as error:
        raise ValueError(
            "figures need matplotlib: pip install -r requirements-train.txt"
        ) from error
    folder.mkdir(parents=True, exist_ok=True)
    table, drawn = folder / "measurements.csv", folder / "measurements.png"
    table.write_text(curves_table(networks), encoding="utf-8")
    picture.savefig(drawn, dpi=DOTS_PER_INCH)
    return [table, drawn]


def curve_names(networks: Sequence[Measured]) -> list[str]:
    """Return the experiments of which any network has a curve, in the cards' order."""
    named = [name for network in networks for name in network.entries]
    return [
        name
        for name in dict.fromkeys(named)
        if any(network.curve(name) for network in networks)
    ]


def curves_table(networks: Sequence[Measured]) -> str:
    """Return every measured value as CSV: a line for each network and value.

    Accuracies come with the ends of their 95 % interval.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(TABLE_HEAD)
    table.writerows(_lines(networks))
    return written.getvalue()


def _lines(networks: Sequence[Measured]) -> Iterator[Sequence[object]]:
    for name in curve_names(networks):
        for network in networks:
            entry = network.curve(name)
            if entry is None:
                continue
            for index, value in enumerate(entry["values"]):
                accuracy, images = entry["accuracy"][index], entry["images"]
                low, high = wilson_interval(accuracy, images)
                yield (
                    *(name, entry["knob"], value, network.name, images, accuracy),
                    *(round(low, 6), round(high, 6)),
                    *(entry["true_score"][index], entry["winner_score"][index]),
                )


def curves_picture(networks: Sequence[Measured]) -> "Figure":
    """Draw accuracy over each knob, one panel for each experiment.

    A band around each line is its 95 % interval.

    Args:
        networks: with at least one curve.
    """
    from matplotlib.figure import Figure

    names = curve_names(networks)
    rows = math.ceil(len(names) / COLUMNS)
    figure = Figure(figsize=(3.4 * COLUMNS, 2.7 * rows + 0.5), layout="constrained")
    panels = figure.subplots(rows, COLUMNS, squeeze=False, sharey=True).flat
    lines: dict[str, Any] = {}
    for name, axes in zip(names, panels, strict=False):
        for color, network in enumerate(networks):
            entry = network.curve(name)
            if entry is None:
                continue
            ends = [wilson_interval(a, entry["images"]) for a in entry["accuracy"]]
            low, high = zip(*ends, strict=True)
            (line,) = axes.plot(
                entry["values"], entry["accuracy"], f"C{color}", linewidth=1.4
            )
            axes.fill_between(
                entry["values"], low, high, color=f"C{color}", alpha=0.2, linewidth=0
            )
            axes.set_xlabel(entry["knob"], fontsize=8)
            lines[network.name] = line
        axes.set_title(name.replace("_", ", "), fontsize=10)
        axes.set_ylim(-0.02, 1.02)
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    for axes in panels:  # those left over
        axes.set_visible(False)
    figure.suptitle("Share of changed test images read right, with 95 % intervals")
    figure.legend(
        lines.values(), lines.keys(), loc="outside lower center", ncols=6, frameon=False
    )
    return figure
