"""Running experiments on a weight file: into its card, value by value."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from model.data.images import DigitImages
from model.measuring.laboratory.experiments import EXPERIMENTS, Subject
from model.measuring.laboratory.measurement import Advance, chosen, measured
from model.weights import Trained, add_to_card

CARD_ENTRY = "measurements"
BAR = 24  # characters


def run_experiments(
    path: Path,
    trained: Trained,
    names: Sequence[str],
    test: DigitImages,
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
    network = trained.network.to(device).requires_grad_(False)
    network.require_size(test.images)
    digits = chosen(test, images)
    subject = Subject(trained.architecture, network, device)
    entries = dict(trained.card.get(CARD_ENTRY, {}))
    for name in names:
        if EXPERIMENTS[name].needs_gradient and not trained.architecture.can.gradient:
            print(f"{path}: {name}: a {trained.architecture.title} has no gradient")
            continue
        for entry in measured(name, subject, digits, entries.get(name), _bar(name)):
            entries[name] = entry
            add_to_card(path, {CARD_ENTRY: entries})
        print(f"{path}: {_summary(name, entries[name])}")


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
