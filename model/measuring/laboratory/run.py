"""Running experiments on a weight file: into its card, value by value."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.measuring.laboratory.crossing import crossing
from capsnet_explorer.model.measuring.laboratory.experiments import (
    EXPERIMENTS,
    Subject,
)
from capsnet_explorer.model.measuring.laboratory.measurement import (
    Advance,
    chosen,
    measured,
)
from capsnet_explorer.model.measuring.laboratory.zeros import LOSSES, measured_zeros
from capsnet_explorer.model.weights import (
    Trained,
    add_to_card,
    card_of,
)

CARD_ENTRY = "measurements"
ZERO_GRADIENTS = "zero_gradients"
BAR = 24  # characters


def run_experiments(
    path: Path,
    trained: Trained,
    names: Sequence[str],
    test: LabelledImages,
    images: int,
    device: torch.device,
) -> None:
    """Measure experiments, and write each value into the card at once.

    So an interrupted run keeps what it has measured, and the same command continues
    it.

    Args:
        path: the weight file.
        trained: its network and card.
        names: of `EXPERIMENTS`.
        test: the test set.
        images: how many of these to change; all if there are fewer.
        device: where to compute.

    Raises:
        ValueError: the images are not of the network's size.
    """
    trained.network.require_size(test.images)
    labelled = chosen(test, images)
    subject = subject_of(trained, device)
    entries = dict(trained.card.get(CARD_ENTRY, {}))
    for name in names:
        if EXPERIMENTS[name].needs_gradient and not trained.architecture.can.gradient:
            print(f"{path}: {name}: a {trained.architecture.title} has no gradient")
            continue
        for entry in measured(name, subject, labelled, entries.get(name), _bar(name)):
            entries[name] = entry
            _write(path, name, entry)
        print(f"{path}: {_summary(name, entries[name])}")


def run_zero_gradients(
    path: Path,
    trained: Trained,
    test: LabelledImages,
    images: int,
    device: torch.device,
) -> None:
    """Measure how many images have a gradient of exactly zero, into the card.

    Args:
        path: the weight file.
        trained: its network and card.
        test: the test set.
        images: how many of these to differentiate; all if there are fewer.
        device: where to compute.

    Raises:
        ValueError: the network has no gradient, or the images are not of its size.
    """
    if not trained.architecture.can.gradient:
        raise ValueError(f"a {trained.architecture.title} has no gradient")
    trained.network.require_size(test.images)
    labelled = chosen(test, images)
    entry = measured_zeros(subject_of(trained, device), labelled)
    _write(path, ZERO_GRADIENTS, entry)
    words = ", ".join(f"{of} {entry[of]['images']:.1%}" for of in LOSSES)
    print(f"{path}: gradient exactly zero, share of images: {words}".replace("%", " %"))


def run_crossing(
    name: str, path: Path, trained: Trained, overlaps: Overlaps, images: int
) -> None:
    """Measure one digit that moves across another, into the card.

    Args:
        name: which way it moves; see `crossing`.
        path: the weight file.
        trained: its network and card.
        overlaps: the test pairs.
        images: how many of these to take; all if there are fewer.

    Raises:
        ValueError: the pairs are not of the network's size.
    """
    trained.network.require_size(overlaps.images)
    entry = crossing(name, trained.network, overlaps, images)
    _write(path, name, entry)
    print(f"{path}: {_summary(name, entry)}")


def subject_of(trained: Trained, device: torch.device) -> Subject:
    """Return a trained network, put to the test on a device."""
    architecture = trained.architecture
    network = trained.network.to(device).requires_grad_(False)
    return Subject(
        architecture,
        network,
        device,
        architecture.settings.loss(**trained.card.get("loss", {})),
    )


def _write(path: Path, name: str, entry: Mapping[str, Any]) -> None:
    """Write one entry into the card, and keep those of other experiments."""
    others = card_of(path).get(CARD_ENTRY, {})
    add_to_card(path, {CARD_ENTRY: {**others, name: entry}})


def _bar(name: str) -> Advance:
    """Return what shows the progress on one line of a terminal."""

    def show(value: float, done: int, count: int) -> None:
        if sys.stderr.isatty():
            full = BAR * done // count
            bar = "█" * full + "·" * (BAR - full)
            end = "\r" if done < count else "\r\033[K"
            print(f"{name} {value:g} {bar} {done}/{count}", end=end, file=sys.stderr)

    return show


def _summary(name: str, entry: Mapping[str, Any]) -> str:
    points = zip(entry["values"], entry["accuracy"], strict=True)
    found = ", ".join(f"{value:g}: {accuracy:.1%}" for value, accuracy in points)
    return f"{name}, {entry['images']} images: {found}".replace("%", " %")
