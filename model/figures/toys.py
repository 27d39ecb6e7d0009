"""A contact sheet of a set of toys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.catalogue import DATASETS
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.data.toys import read_views
from capsnet_explorer.toys import CATEGORIES, LIGHTS
from capsnet_explorer.toys.collection import MOST

EACH = 3  # toys of a category in the sheet
DOTS_PER_INCH = 130


@dataclass(frozen=True, slots=True)
class Seen:
    """Pictures of a part of a set.

    Attributes:
        ink: (images, rows, columns) in 0..1.
        labels: (images,).
        views: (images, 4), as `model.data.toys.read_views` returns them.
    """

    ink: NDArray[np.float64]
    labels: NDArray[np.int64]
    views: NDArray[np.int64]


def draw_toy_figures(data: Path, output: Path) -> Iterator[str]:
    """Draw a contact sheet of a set's test toys.

    Args:
        data: contains the complete set.
        output: folder for `contact-sheet.png`.

    Yields:
        Its path once it is written, and then what the set holds.
    """
    dataset = DATASETS["toys"]
    folder = dataset.files_in(data)
    test = load_part(dataset, data, train=False)
    shown, views = (read_views(folder, train=part) for part in (True, False))
    seen = Seen(test.images[:, 0].double().numpy() / MOST, test.labels.numpy(), views)
    output.mkdir(parents=True, exist_ok=True)
    path = output / "contact-sheet.png"
    contact_sheet(seen).savefig(path, dpi=DOTS_PER_INCH)
    yield str(path)
    for title, sides in (("training", shown), ("test", views)):
        toys, azimuths, elevations = (len(np.unique(sides[:, k])) for k in range(3))
        yield (
            f"{title}: {toys} toys, {toys // len(CATEGORIES)} of each category, from "
            f"{azimuths} azimuths and {elevations} elevations: {len(sides)} views"
        )


def contact_sheet(seen: Seen) -> Figure:
    """Draw toys of each category along azimuths, and one along elevations and lights.

    Every picture is one of the set's, in the light and zoom that it has there.
    """
    toys, azimuths, elevations, _ = seen.views.T
    of_each = [np.unique(toys[seen.labels == k])[:EACH] for k in range(len(CATEGORIES))]
    chosen = [int(toy) for some in of_each for toy in some]
    sides, heights = np.unique(azimuths), np.unique(elevations)
    height = heights[len(heights) // 2]
    figure = Figure(figsize=(12, 15), layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(len(chosen), 6))
    above, below = halves
    names = list(CATEGORIES)
    _mosaic(
        above.subplots(),
        [
            [
                _picture(
                    seen, (toys == toy) & (azimuths == side) & (elevations == height)
                )
                for side in sides
            ]
            for toy in chosen
        ],
        [
            names[label] if not k else ""
            for label, some in enumerate(of_each)
            for k in range(len(some))
        ],
        [f"{side}°" for side in sides],
        f"Azimuths, from an elevation of {height}°",
    )
    first = [int(some[0]) for some in of_each]
    upward, lit = below.subplots(1, 2, width_ratios=(len(heights), len(LIGHTS)))
    _mosaic(
        upward,
        [
            [
                _picture(
                    seen, (toys == toy) & (azimuths == sides[2]) & (elevations == each)
                )
                for each in heights
            ]
            for toy in first
        ],
        names,
        [f"{each}°" for each in heights],
        f"Elevations, from an azimuth of {sides[2]}°",
    )
    _mosaic(
        lit,
        [
            [_picture(seen, (toys == toy) & (seen.views[:, 3] == light))
             for light in range(len(LIGHTS))]
            for toy in first
        ],
        [""] * len(first),
        [f"{light.azimuth:g}°, {light.elevation:g}°".replace("-", "−")
         for light in LIGHTS],
        "Lights: to the right of the camera, above the ground",
    )  # fmt: skip
    return figure


def _picture(seen: Seen, which: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the first such picture, as the camera sees it; white if there is none."""
    places = np.flatnonzero(which)
    return 1 - seen.ink[places[0]] if len(places) else np.ones_like(seen.ink[0])


def _mosaic(
    axes: Axes,
    pictures: Sequence[Sequence[NDArray[np.float64]]],
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
) -> None:
    axes.imshow(np.block([list(row) for row in pictures]), "gray", vmin=0, vmax=1)
    side = len(pictures[0][0])
    axes.set_yticks([side * (k + 0.5) - 0.5 for k in range(len(rows))], rows)
    places = [side * (k + 0.5) - 0.5 for k in range(len(columns))]
    axes.set_xticks(places, columns, fontsize=8)
    axes.tick_params(length=0)
    axes.set_title(title, fontsize=10)
