"""What a run, or a weight file, has learned, as PNG files."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from model.capsnet import CapsNet
from model.data import DigitImages, to_network
from model.datasets import dataset_of
from model.evaluation import Evaluation, evaluate
from model.loading import load_part
from model.pictures import (
    capsule_of,
    measured_bounds,
    most_unsure,
    most_wrong,
    papers_bounds,
    reconstructions,
    sheet,
    typical,
)
from model.run_folder import RunFolder
from model.weights import SUFFIX, load_weights

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 10  # digits side by side
WORST = 4 * COLUMNS  # digits shown
DOTS_PER_INCH = 130

WRONG_WORDS = "The surest mistakes first: label and class read, with lengths"
UNSURE_WORDS = "The two longest capsules nearest first: label and rival, with lengths"

Figures = Iterator[tuple[str, "Figure"]]


def draw_figures(
    source: Path,
    *,
    data: Path,
    output: Path | None,
    device: torch.device,
    sweep: str,
) -> Iterator[Path]:
    """Draw everything that can be told of a run or a weight file.

    Args:
        source: a run's folder, of which the learning curves are drawn, too; or a weight
            file.
        data: the data folder.
        output: where the pictures go; `figures` in the run or beside the weights if
            None.
        device: where the network reads the images.
        sweep: `measured` or `paper`, see `sheets`.

    Yields:
        Each file, once it is written.

    Raises:
        ValueError: nothing there to draw, a file that cannot be used, or matplotlib is
            not installed.
        DataError: the data set is missing or broken.
    """
    try:
        import matplotlib as _  # noqa: F401
    except ImportError as error:
        raise ValueError(
            "figures need matplotlib: pip install -r requirements-train.txt"
        ) from error
    folder = source if source.is_dir() else source.parent
    place = output or folder / "figures"
    log = RunFolder(folder).log
    networks = sorted(folder.glob(f"*{SUFFIX}")) if source.is_dir() else [source]
    if source.is_dir() and not log.exists() and not networks:
        raise ValueError(f"{source} is neither a run's folder nor a weight file")
    if source.is_dir() and log.exists():
        yield from _written(_curves(log), place)
    for weights in networks:
        network, card = load_weights(weights)
        images = _images_of(card, data)
        within = place if len(networks) == 1 else place / weights.stem
        yield from _written(
            _of_network(network.to(device), card, images, device, sweep), within
        )


def _written(figures: Figures, place: Path) -> Iterator[Path]:
    place.mkdir(parents=True, exist_ok=True)
    for name, figure in figures:
        path = place / f"{name}.png"
        figure.savefig(path, dpi=DOTS_PER_INCH)
        yield path


def _images_of(card: dict[str, Any], data: Path) -> DigitImages:
    """Return the images that the network's error was measured on."""
    dataset = dataset_of(card)
    if card.get("measured_on", "test") == "test":
        return load_part(dataset, data, train=False)
    held_out = int(card["training"]["validation"])
    return load_part(dataset, data, train=True).split(held_out)[1]


def _curves(log: Path) -> Figures:
    from model.plots import learning_curves

    with log.open(newline="") as file:
        rows = [
            {name: float(cell) if cell else None for name, cell in row.items()}
            for row in csv.DictReader(file)
            if None not in row.values()  # cut short by a crash
        ]
    if rows:
        yield "learning-curves", learning_curves(rows, log.parent.name)


def _of_network(
    network: CapsNet,
    card: dict[str, Any],
    digits: DigitImages,
    device: torch.device,
    sweep: str,
) -> Figures:
    from model.plots import confusion_matrix, grid_of_digits

    found = evaluate(network, digits, device)
    network.to("cpu")
    names = [str(name) for name in card["class_names"]]
    part = card.get("measured_on", "test")
    title = (
        f"{card['title']}: {len(found.mistakes)} of {len(digits)} "
        f"{part} images read wrong ({found.error:.2%})"
    )
    yield "confusion", confusion_matrix(found.confusion, names, title)
    for name, indices, words in (
        ("most-wrong", most_wrong(found, WORST), WRONG_WORDS),
        ("most-unsure", most_unsure(found, WORST), UNSURE_WORDS),
    ):
        shown = _captioned(found, digits, indices, names)
        if shown:
            yield name, grid_of_digits(shown, words, COLUMNS)
    yield from _drawn_back(network, found, digits, names)
    yield from sheets(network, found, digits, names, sweep)


def _captioned(
    found: Evaluation, digits: DigitImages, indices: torch.Tensor, names: list[str]
) -> list[Any]:
    """Put label and class read above each image, with their capsules' lengths."""
    from model.plots import Captioned

    captioned = []
    for index in indices.tolist():
        label, read = int(found.labels[index]), int(found.predictions[index])
        lengths = found.lengths[index]
        rival = read if read != label else int(lengths.topk(2).indices[1])
        words = (
            f"{names[label]}: {lengths[label]:.2f}\n"
            f"{'read ' if rival == read else ''}{names[rival]}: {lengths[rival]:.2f}"
        )
        captioned.append(Captioned(to_network(digits.images[index]), words))
    return captioned


def _drawn_back(
    network: CapsNet, found: Evaluation, digits: DigitImages, names: list[str]
) -> Figures:
    from model.plots import input_and_reconstruction

    shown = typical(found)
    if not shown:
        return
    indices = torch.tensor(list(shown.values()))
    images = digits.images[indices]
    drawn = reconstructions(network, images, torch.tensor(list(shown)))
    yield (
        "reconstructions",
        input_and_reconstruction(
            to_network(images),
            drawn,
            [names[digit] for digit in shown],
            "A typical image of each class, and what its capsule draws",
        ),
    )


def sheets(
    network: CapsNet,
    found: Evaluation,
    digits: DigitImages,
    names: list[str],
    sweep: str,
) -> Figures:
    """Draw the capsule of a typical image of each class, each number moved in turn.

    `measured` moves it over what images of the class use, `paper` by 0.25 either way.
    """
    from model.plots import sweep_sheet

    for digit, index in typical(found).items():
        capsule = capsule_of(network, digits, index, digit)
        if sweep == "measured":
            bounds = measured_bounds(found.pose_ranges[digit], capsule)
            words = "over what images of its class use"
        else:
            bounds = papers_bounds(capsule)
            words = "by 0.25 either way"
        title = f"{names[digit]}: each number of its capsule moved {words}"
        drawn = sheet(network, digit, capsule, bounds)
        yield f"sheet-{digit}", sweep_sheet(drawn, bounds, title)
