"""The guide's figures of the CNN, of matrix capsules, and of several networks."""

import numpy as np

from capsnet_explorer.model.figures.guide.capsnet import CLEAR, WIDTH, _course
from capsnet_explorer.model.figures.guide.figure import Draw, Figure, Material, listed
from capsnet_explorer.model.figures.guide.svg import (
    ACCENT,
    LINE,
    Axes,
    Drawing,
    coloured,
)
from capsnet_explorer.model.matrix.tensors import named_tensors

PATCH = 8  # pixels of a map that are drawn, a side


def pooling(material: Material) -> Figure:
    """Draw a part of the brightest map, its 2x2 windows, and what pooling keeps."""
    trace = material.pass_over(CLEAR)
    maps = trace.conv1_relu[0].numpy()
    # Where the ground is 0, the pattern alone is seen; not every network has such maps.
    is_dark = np.median(maps, axis=(1, 2)) == 0
    sums = maps.sum((1, 2))
    which = int(np.where(is_dark, sums, sums - sums.max() - 1).argmax())
    values, kept = maps[which], trace.pool1[0, which].numpy()
    peak = np.unravel_index(values.argmax(), values.shape)
    top, left = (
        int(np.clip(2 * (place // 2) - PATCH // 2, 0, size - PATCH)) // 2 * 2
        for place, size in zip(peak, values.shape, strict=True)
    )
    patch = values[top : top + PATCH, left : left + PATCH]
    half = PATCH // 2
    pooled = kept[top // 2 : top // 2 + half, left // 2 : left // 2 + half]
    most = float(values.max())
    drawing = Drawing(WIDTH, 310)
    side = 34
    drawing.picture(14, 12, side * PATCH, coloured(patch, "viridis", most))
    drawing.picture(340, 12, 2 * side * half, coloured(pooled, "viridis", most))
    for row in range(half):
        for column in range(half):
            x, y = 14 + 2 * side * column, 12 + 2 * side * row
            drawing.frame(x, y, 2 * side, "#ffffff")
            window = patch[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
            winner = int(window.argmax())
            if window.max() > 0:
                drawing.frame(
                    x + side * (winner % 2) + 3,
                    y + side * (winner // 2) + 3,
                    side - 6,
                    "#e0703a",
                )
            drawing.frame(340 + 2 * side * column, y, 2 * side, "#ffffff")
    drawing.text(14, 302, f"map {which}, with 2×2 windows; the largest is framed")
    drawing.text(340, 302, "what pooling passes on")
    total = float(maps.sum())
    lost = 1 - float(trace.pool1.sum()) / total if total else 0.0
    return Figure(
        drawing,
        f"A part of map {which} of the CNN’s Conv1 for the open 4, {PATCH} by {PATCH}"
        f" pixels in {half * half} windows of 2 by 2, and what max-pooling keeps: the"
        f" largest of each four. Over all maps {lost:.0%} of the activation is thrown"
        " away, and with it where in each window the pattern was.",
    )


def activations(material: Material) -> Figure:
    """Draw the activations of the classes over the iterations of EM routing."""
    trace = material.pass_over(CLEAR)
    read = named_tensors(material.trained.network.config)["routing.activations"].read
    values = read(trace, 0).numpy()
    order = np.argsort(-values[-1], kind="stable")
    lines = [
        (values[:, d].tolist(), ACCENT if d == order[0] else LINE) for d in order[::-1]
    ]
    drawing = _course(lines, 1.0, "iteration; activation of each class")
    steps = listed([f"{value:.2f}" for value in values[:, order[0]]])
    return Figure(
        drawing,
        f"Activations of the ten classes over {len(values)} iterations of EM routing"
        f" for the open 4: that of {order[0]} is {steps}; of the others the largest"
        f" ends at {values[-1, order[1]]:.2f}.",
    )


def turned(materials: dict[str, Material]) -> Figure | None:
    """Draw the accuracy over the angle by which test digits were turned."""
    found = {
        name: material.card.get("measurements", {}).get("rotation")
        for name, material in materials.items()
    }
    entries = {name: entry for name, entry in found.items() if entry}
    if not {"capsnet", "cnn"} <= set(entries):
        return None
    drawing = Drawing(WIDTH, 270)
    axes = Axes(50, WIDTH - 120, 20, 215, (-180, 180), (0, 1))
    axes.draw(
        drawing, (-180, -90, 0, 90, 180), (0, 0.5, 1), "degrees; share read right"
    )
    colors = {"capsnet": ACCENT, "cnn": "#b2182b", "matrix": "#5b6070"}
    words = []
    for place, (name, entry) in enumerate(entries.items()):
        title = str(materials[name].card["title"])
        points = sorted(zip(entry["values"], entry["accuracy"], strict=True))
        drawing.line([axes.at(x, y) for x, y in points], colors[name], 2)
        drawing.text(
            WIDTH - 112,
            40 + 20 * place,
            title.split(" on ")[0],
            color=colors[name],
            size=12,
        )
        at = dict(points)
        told = [
            f"{at[knob]:.0%} at {knob:g}°" for knob in (0, 30, 60, 90) if knob in at
        ]
        words.append(f"{title}: {listed(told)}")
    return Figure(
        drawing,
        "Share of test digits read right over the angle by which they were turned. "
        + "; ".join(words)
        + ".",
    )


CNN: dict[str, Draw] = {"pooling": pooling}
MATRIX: dict[str, Draw] = {"activations": activations}
