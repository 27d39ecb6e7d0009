"""Errors over the number of training examples: the results of `model examples`."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.examples.plan import IMAGES, TIME
from capsnet_explorer.model.examples.results import Point, points

TITLES = {
    IMAGES: "Equal numbers of images shown",
    TIME: "Equal times of training",
}


def errors_by_examples(found: Mapping[str, Any]) -> Figure:
    """Draw a panel for each comparison, on logarithmic axes.

    A line joins the means of the runs; its band covers them all.

    Args:
        found: of at least one run.

    Raises:
        ValueError: there is none.
    """
    every = list(points(found))
    if not every:
        raise ValueError("the results must have at least one run, got none")
    figure = Figure(figsize=(12, 5), layout="constrained")
    panels = figure.subplots(1, len(TITLES), sharey=True)
    lines: dict[str, Any] = {}
    for axes, (budget, title) in zip(panels, TITLES.items(), strict=True):
        for color, name in enumerate(found["speeds"]):
            own = [
                point
                for point in every
                if (point.budget, point.architecture) == (budget, name)
            ]
            if own:
                lines[architecture_named(name).title] = _line(axes, own, f"C{color}")
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        axes.set_yscale("log")
        numbers = sorted({point.examples for point in every})
        axes.set_xticks(
            numbers, [f"{number:,}".replace(",", " ") for number in numbers]
        )
        axes.set_xticks([], minor=True)
        axes.set_xlabel("training examples")
        axes.yaxis.set_major_formatter(_percent)
        axes.yaxis.set_minor_formatter(_percent)
        axes.grid(which="both", color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", labelsize=8)
    panels[0].set_ylabel("share of the test images misread")
    figure.suptitle(
        "Error over the number of training examples: mean and range of runs"
    )
    figure.legend(
        lines.values(), lines.keys(), loc="outside lower center", ncols=6, frameon=False
    )
    return figure


def _line(axes: Axes, own: list[Point], color: str) -> Any:
    numbers = [point.examples for point in own]
    (line,) = axes.plot(
        numbers, [point.error for point in own], color, marker="o", markersize=3
    )
    axes.fill_between(
        numbers,
        [min(point.errors) for point in own],
        [max(point.errors) for point in own],
        color=color,
        alpha=0.2,
        linewidth=0,
    )
    return line


def _percent(share: float, _place: object) -> str:
    """Write a share, unless its first digit would crowd a logarithmic axis."""
    return f"{100 * share:.3g} %" if f"{share:e}"[0] in "125" else ""
