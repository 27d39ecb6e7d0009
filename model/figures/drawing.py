"""PNG figures of a training run or a weight file."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from capsnet_explorer.dataset_files.catalogue import dataset_of
from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.loading import load_part
from capsnet_explorer.model.figures.curves import (
    Measured,
    curve_names,
    curves_picture,
    curves_table,
)
from capsnet_explorer.model.figures.pictures import (
    capsule_of,
    measured_bounds,
    most_unsure,
    most_wrong,
    papers_bounds,
    reconstructions,
    sheet,
    typical,
)
from capsnet_explorer.model.figures.tables import further_tables
from capsnet_explorer.model.measuring.evaluation import Evaluation, evaluate
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.weights import SUFFIX, load_weights

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 10  # digits side by side
WORST = 4 * COLUMNS  # digits shown
DOTS_PER_INCH = 130

WRONG_WORDS = "Most confident mistakes first: label and predicted class, with scores"
UNSURE_WORDS = "Closest two highest scores first: label and rival class, with scores"

Figures = Iterator[tuple[str, "Figure"]]


def draw_figures(
    source: Path,
    *,
    data: Path,
    output: Path | None,
    device: torch.device,
    sweep: str,
) -> Iterator[Path]:
    """Draw every figure of a run or a weight file.

    Args:
        source: a weight file, or a run's folder, which adds the learning curves.
        data: the data folder.
        output: folder for the figures; None takes `figures` in the run's folder or
            beside the weights.
        device: where the network computes.
        sweep: `measured` or `paper`, see `sheets`.

    Yields:
        The path of each figure once it is written.

    Raises:
        ValueError: there is nothing to draw, a file cannot be used, or matplotlib is
            not installed.
        DataError: the data set is missing or damaged.
    """
    require_matplotlib()
    folder = source if source.is_dir() else source.parent
    place = output or folder / "figures"
    log = RunFolder(folder).log
    networks = sorted(folder.glob(f"*{SUFFIX}")) if source.is_dir() else [source]
    if source.is_dir() and not log.exists() and not networks:
        raise ValueError(f"{source} is neither a run's folder nor a weight file")
    if source.is_dir() and log.exists():
        yield from _written(_curves(log), place)
    measured = [_measured(weights) for weights in networks]
    if curve_names(measured):
        place.mkdir(parents=True, exist_ok=True)
        table = place / "measurements.csv"
        table.write_text(curves_table(measured), encoding="utf-8")
        yield table
        yield from _written(iter([("measurements", curves_picture(measured))]), place)
    for name, text in further_tables(measured).items():
        place.mkdir(parents=True, exist_ok=True)
        table = place / f"{name}.csv"
        table.write_text(text, encoding="utf-8")
        yield table
    for weights in networks:
        trained = load_weights(weights)
        network, card = trained.network, trained.card
        images = _images_of(card, data)
        within = place if len(networks) == 1 else place / weights.stem
        yield from _written(
            _of_network(network.to(device), card, images, device, sweep), within
        )


def require_matplotlib() -> None:
    """Raise ValueError, with what to install, if matplotlib is not there."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError as error:
        raise ValueError(
            "figures need matplotlib: pip install -r requirements-train.txt"
        ) from error


def _written(figures: Figures, place: Path) -> Iterator[Path]:
    place.mkdir(parents=True, exist_ok=True)
    for name, figure in figures:
        path = place / f"{name}.png"
        figure.savefig(path, dpi=DOTS_PER_INCH)
        yield path


def _measured(weights: Path) -> Measured:
    card = load_weights(weights).card
    return Measured(str(card["title"]), card.get("measurements", {}))


def _images_of(card: dict[str, Any], data: Path) -> LabelledImages:
    """Return the images that the network's error was measured on."""
    dataset = dataset_of(card)
    if card.get("measured_on", "test") == "test":
        return load_part(dataset, data, train=False)
    held_out = int(card["training"]["validation"])
    return load_part(dataset, data, train=True).split(held_out)[1]


def _curves(log: Path) -> Figures:
    from capsnet_explorer.model.figures.plots import learning_curves

    with log.open(newline="") as file:
        rows = [
            {name: float(cell) if cell else None for name, cell in row.items()}
            for row in csv.DictReader(file)
            if None not in row.values()  # a line truncated by a crash
        ]
    if rows:
        yield "learning-curves", learning_curves(rows, log.parent.name)


def _of_network(
    network: Network,
    card: dict[str, Any],
    labelled: LabelledImages,
    device: torch.device,
    sweep: str,
) -> Figures:
    from capsnet_explorer.model.figures.plots import confusion_matrix, grid_of_images

    found = evaluate(network, labelled, device)
    network.to("cpu")
    names = [str(name) for name in card["class_names"]]
    part = card.get("measured_on", "test")
    title = (
        f"{card['title']}: {len(found.mistakes)} of {len(labelled)} "
        f"{part} images read wrong ({found.error:.2%})"
    )
    if found.confusion is not None:
        yield "confusion", confusion_matrix(found.confusion, names, title)
    for name, indices, words in (
        ("most-wrong", most_wrong(found, WORST), WRONG_WORDS),
        ("most-unsure", most_unsure(found, WORST), UNSURE_WORDS),
    ):
        shown = _captioned(found, labelled, indices, names)
        if shown:
            yield name, grid_of_images(shown, words, COLUMNS)
    if found.reconstruction_mse is not None:
        yield from _drawn_back(network, found, labelled, names)
    yield from sheets(network, found, labelled, names, sweep)


def _captioned(
    found: Evaluation, labelled: LabelledImages, indices: torch.Tensor, names: list[str]
) -> list[Any]:
    """Caption each image with its label and the predicted class, and their scores."""
    from capsnet_explorer.model.figures.plots import Captioned

    captioned = []
    for index in indices.tolist():
        label, read = int(found.labels[index]), int(found.predictions[index])
        scores = found.scores[index]
        rival = read if read != label else int(scores.topk(2).indices[1])
        words = (
            f"{names[label]}: {scores[label]:.2f}\n"
            f"{'read ' if rival == read else ''}{names[rival]}: {scores[rival]:.2f}"
        )
        captioned.append(Captioned(to_network(labelled.images[index]), words))
    return captioned


def _drawn_back(
    network: Network, found: Evaluation, labelled: LabelledImages, names: list[str]
) -> Figures:
    from capsnet_explorer.model.figures.plots import input_and_reconstruction

    shown = typical(found)
    if not shown:
        return
    indices = torch.tensor(list(shown.values()))
    images = labelled.images[indices]
    drawn = reconstructions(network, images, torch.tensor(list(shown)))
    yield (
        "reconstructions",
        input_and_reconstruction(
            to_network(images),
            drawn,
            [names[label] for label in shown],
            "A typical image of each class, and its reconstruction",
        ),
    )


def sheets(
    network: Network,
    found: Evaluation,
    labelled: LabelledImages,
    names: list[str],
    sweep: str,
) -> Figures:
    """Decode a typical capsule of each class while one component at a time varies.

    `measured` varies it over the range found on images of the class, `paper` by 0.25
    either way.
    """
    from capsnet_explorer.model.figures.plots import sweep_sheet

    if (ranges := found.pose_ranges) is None:
        return  # no poses to move
    for label, index in typical(found).items():
        capsule = capsule_of(network, labelled, index, label)
        if sweep == "measured":
            bounds = measured_bounds(ranges[label], capsule)
            words = "over its range on images of the class"
        else:
            bounds = papers_bounds(capsule)
            words = "by 0.25 either way"
        title = f"{names[label]}: each component of its capsule varied {words}"
        drawn = sheet(network, label, capsule, bounds)
        yield f"sheet-{label}", sweep_sheet(drawn, bounds, title)
