"""Figures of a training run and of its network, drawn with matplotlib."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from torch import Tensor

DIGITS = "gray"  # ink is light on dark, as the network sees it
AMOUNTS = "viridis"
DIFFERENCES = "RdBu_r"  # red is positive, as on the page
FAINT = "#777777"

Row = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Captioned:
    """An image (channels, rows, columns) and its caption."""

    image: Tensor
    words: str


def learning_curves(rows: Sequence[Row], title: str) -> Figure:
    """Plot losses, errors and learning rate over the epochs, one panel each.

    Args:
        rows: at least one line of the log, as numbers by name.
        title: above the panels.
    """
    figure = Figure(figsize=(12, 4), layout="constrained")
    figure.suptitle(title)
    losses, errors, rates = figure.subplots(1, 3)
    for name, words in {
        "loss": "total",
        "class_loss": "classification",
        "reconstruction_loss": "reconstruction, weighted",
        "further_loss": "further terms, weighted",
    }.items():
        # Older logs have no further terms, and most runs none above 0.
        if any(row.get(name) for row in rows):
            _curve(losses, [(row["epoch"], row[name]) for row in rows], words)
    losses.set_title("Loss on training images")
    _curve(errors, [_error(row, "accuracy") for row in rows], "training, augmented")
    held_out = [_error(row, "validation_accuracy") for row in rows]
    _curve(errors, held_out, "held out, at each epoch's end", marker="o")
    errors.set_title("Share of images read wrong")
    _curve(rates, [(row["epoch"], row["learning_rate"]) for row in rows], "Adam's")
    rates.set_title("Learning rate")
    for axes in (losses, errors, rates):
        axes.set_xlabel("epochs")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
        axes.legend(frameon=False, fontsize=8)
    return figure


def _error(row: Row, name: str) -> tuple[float | None, float | None]:
    accuracy = row[name]
    return row["epoch"], None if accuracy is None else 1 - accuracy


def _curve(
    axes: Axes,
    points: Sequence[tuple[float | None, float | None]],
    words: str,
    marker: str | None = None,
) -> None:
    # A logarithmic axis cannot show zero.
    shown = [(x, y) for x, y in points if x is not None and y]
    if shown:
        xs, ys = zip(*shown, strict=True)
        marker = marker or (None if len(shown) > 1 else "o")
        axes.plot(xs, ys, label=words, linewidth=1.2, marker=marker, markersize=4)


def confusion_matrix(confusion: Tensor, names: Sequence[str], title: str) -> Figure:
    """Draw counts by label and predicted class, with mistakes in colour.

    Args:
        confusion: (classes, classes) counts; row: label, column: predicted class.
        names: of the classes.
        title: above the matrix.
    """
    classes = len(names)
    side = max(4.5, 0.55 * classes + 2)
    figure = Figure(figsize=(side + 1, side), layout="constrained")
    axes = figure.subplots()
    wrong = confusion.float()
    wrong.fill_diagonal_(0)
    shown = wrong.masked_fill(wrong == 0, float("nan"))
    most = max(2.0, float(wrong.max()))
    picture = axes.imshow(shown.numpy(), cmap=AMOUNTS, norm=LogNorm(1, most))
    bar = figure.colorbar(picture, ax=axes, label="images read wrong", shrink=0.8)
    bar.ax.yaxis.set_major_formatter("{x:.0f}")
    bar.ax.yaxis.set_minor_formatter("{x:.0f}")
    for label in range(classes):
        for read in range(classes):
            count = int(confusion[label, read])
            if count:
                is_light = label != read and count > most**0.6
                axes.text(
                    *(read, label, f"{count}"),
                    ha="center",
                    va="center",
                    fontsize=9 if label != read else 7,
                    color="black" if is_light else "white" if label != read else FAINT,
                )
    long = max(map(len, names)) > 3
    axes.set_xticks(range(classes), names, rotation=60 if long else 0)
    axes.set_yticks(range(classes), names)
    axes.set_xlabel("predicted class")
    axes.set_ylabel("label")
    axes.set_title(title)
    return figure


def grid_of_images(digits: Sequence[Captioned], title: str, columns: int) -> Figure:
    """Draw captioned images, row by row."""
    rows = max(1, -(-len(digits) // columns))
    figure = Figure(figsize=(1.35 * columns, 1.65 * rows + 0.5), layout="constrained")
    figure.suptitle(title)
    for axes in figure.subplots(rows, columns, squeeze=False).flat:
        axes.axis("off")
    for axes, digit in zip(figure.axes, digits, strict=False):
        _draw(axes, digit.image)
        axes.set_title(digit.words, fontsize=8)
    return figure


def _draw(axes: Axes, image: Tensor) -> None:
    """Draw (channels, rows, columns) in colour if there are three channels."""
    shown = image.movedim(0, -1) if len(image) == 3 else image.mean(dim=0)
    axes.imshow(shown.numpy(), cmap=DIGITS, vmin=0, vmax=1, interpolation="nearest")


def input_and_reconstruction(
    images: Tensor, drawn: Tensor, names: Sequence[str], title: str
) -> Figure:
    """Draw images, their reconstructions and the differences in three rows.

    Args:
        images: (count, channels, rows, columns) in [0, 1].
        drawn: the reconstructions, of the same shape and range.
        names: of the images' classes.
        title: above the rows.
    """
    count = len(images)
    figure = Figure(figsize=(1.15 * count + 2, 4.4), layout="constrained")
    figure.suptitle(title)
    grid = figure.subplots(3, count, squeeze=False)
    for axes in grid.flat:
        axes.set_xticks([])
        axes.set_yticks([])
    picture = None
    for column in range(count):
        _draw(grid[0, column], images[column])
        _draw(grid[1, column], drawn[column])
        difference = (drawn[column] - images[column]).mean(dim=0).numpy()
        picture = grid[2, column].imshow(difference, cmap=DIFFERENCES, vmin=-1, vmax=1)
        grid[0, column].set_title(names[column], fontsize=9)
    for row, words in enumerate(("input", "reconstruction", "difference")):
        grid[row, 0].set_ylabel(words)
    if picture is not None:
        bar = figure.colorbar(picture, ax=grid, shrink=0.7, pad=0.01)
        bar.set_label("difference: too little ink, too much ink")
    return figure


def sweep_sheet(sheet: Tensor, bounds: Tensor, title: str) -> Figure:
    """Draw a sweep: one row for each component, with its bounds at both ends.

    Args:
        sheet: (digit_dim, steps, channels, rows, columns) in [0, 1].
        bounds: (digit_dim, 2), low and high.
        title: above the sheet.
    """
    dim, steps, channels, rows, columns = sheet.shape
    figure = Figure(figsize=(0.6 * steps + 2, 0.6 * dim + 0.8), layout="constrained")
    axes = figure.subplots()
    whole = sheet.permute(2, 0, 3, 1, 4)
    _draw(axes, whole.reshape(channels, dim * rows, steps * columns))
    places = [rows * (number + 0.5) - 0.5 for number in range(dim)]
    lows, highs = bounds.unbind(1)
    numbered = enumerate(lows.tolist(), start=1)
    axes.set_yticks(places, [f"{number}:  {_signed(low)}" for number, low in numbered])
    right = axes.secondary_yaxis("right")
    right.set_yticks(places, [_signed(high) for high in highs.tolist()])
    for side in (axes, right):
        side.tick_params(length=0)
    axes.set_xticks([])
    axes.set_ylabel("component of the capsule: low bound")
    right.set_ylabel("high bound")
    axes.set_title(title)
    return figure


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
