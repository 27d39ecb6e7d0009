"""Running experiments on a weight file: into its card, value by value."""

from collections.abc import Mapping, Sequence
from typing import Any

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.laboratory.crossing import crossing
from capsnet_explorer.model.measuring.laboratory.experiments import EXPERIMENTS, Subject
from capsnet_explorer.model.measuring.laboratory.measurement import (
    choose_images,
    measure_experiment,
)
from capsnet_explorer.model.measuring.laboratory.zeros import ALL_LOSSES, measured_zeros
from capsnet_explorer.model.measuring.task import Task
from capsnet_explorer.model.weights import card_of

CARD_ENTRY = "measurements"
ZERO_GRADIENTS = "zero_gradients"


def run_experiments(task: Task, names: Sequence[str]) -> None:
    """Measure experiments, and write each value into the card at once.

    So an interrupted run keeps what it has measured, and the same command continues
    it.

    Args:
        task: the network, and what with.
        names: of `EXPERIMENTS`.

    Raises:
        ValueError: the images are not of the network's size.
    """
    labelled = _read_images(task)
    subject = _subject_of(task)
    entries = dict(task.trained.card.get(CARD_ENTRY, {}))
    for name in names:
        if EXPERIMENTS[name].needs_gradient and not task.architecture.can.gradient:
            task.pass_over(f"{name}: a {task.architecture.title} has no gradient")
            continue
        if EXPERIMENTS[name].needs_alarm and subject.alarm is None:
            task.pass_over(f"{name}: no reconstruction of this network raises an alarm")
            continue
        for entry in measure_experiment(name, subject, labelled, entries.get(name)):
            entries[name] = entry
            _keep(task, name, entry)
        print(f"{task.path}: {_summary(name, entries[name])}")


def run_zero_gradients(task: Task) -> None:
    """Measure how many images have a gradient of exactly zero, into the card.

    Raises:
        ValueError: the network has no gradient, or the images are not of its size.
    """
    if not task.architecture.can.gradient:
        raise ValueError(f"a {task.architecture.title} has no gradient")
    entry = measured_zeros(_subject_of(task), _read_images(task))
    words = ", ".join(f"{of} {entry[of]['images']:.1%}" for of in ALL_LOSSES)
    summary = f"gradient exactly zero, share of images: {words}"
    _keep(task, ZERO_GRADIENTS, entry, summary.replace("%", " %"))


def run_crossing(task: Task, name: str) -> None:
    """Measure one digit that moves across another, into the card.

    Args:
        task: the network, and what with.
        name: which way the digit moves; see `crossing`.

    Raises:
        ValueError: the pairs are not of the network's size.
    """
    if (overlaps := task.pairs(f"{name} is")) is None:
        return
    task.network.require_size(overlaps.images)
    entry = crossing(name, task.network, overlaps, task.most)
    _keep(task, name, entry, _summary(name, entry))


def _read_images(task: Task) -> LabelledImages:
    """Return test images of the network's size, as many as are asked for."""
    test = task.images()
    task.network.require_size(test.images)
    return choose_images(test, task.most)


def _subject_of(task: Task) -> Subject:
    network = task.network.to(task.device).requires_grad_(False)
    loss = task.architecture.settings.loss(**task.trained.card.get("loss", {}))
    measures = task.trained.card.get("outliers", {}).get("measures", {})
    alarm = measures.get("error", {}).get("threshold")
    if not task.architecture.can.reconstruct:
        alarm = None
    return Subject(task.architecture, network, task.device, loss, alarm)


def _keep(task: Task, name: str, entry: Mapping[str, Any], *lines: str) -> None:
    """Write one entry into the card, and keep those of other experiments."""
    others = card_of(task.path).get(CARD_ENTRY, {})
    task.keep({CARD_ENTRY: {**others, name: entry}}, *lines)


def _summary(name: str, entry: Mapping[str, Any]) -> str:
    points = zip(entry["values"], entry["accuracy"], strict=True)
    figures = ", ".join(f"{value:g}: {accuracy:.1%}" for value, accuracy in points)
    return f"{name}, {entry['images']} images: {figures}".replace("%", " %")
