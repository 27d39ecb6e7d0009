"""What the command `measure` does: measure a network, and write its card anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from capsnet_explorer.dataset_files.catalogue import dataset_of
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import DataError, load_part
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.data.toys import read_views
from capsnet_explorer.model.device import chosen_device
from capsnet_explorer.model.measured import add_measured
from capsnet_explorer.model.measuring.atlas import measure_atlas
from capsnet_explorer.model.measuring.card import evaluated, legibility_entry
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.iterations import iteration_figures
from capsnet_explorer.model.measuring.laboratory.crossing import KNOBS as CROSSINGS
from capsnet_explorer.model.measuring.laboratory.run import (
    run_crossing,
    run_experiments,
    run_zero_gradients,
)
from capsnet_explorer.model.measuring.of_classes import measure_meanings
from capsnet_explorer.model.measuring.report import (
    legibility_report,
    overlaps_report,
    report_atlas,
    report_meanings,
    report_viewpoints,
)
from capsnet_explorer.model.measuring.speed import forward_time
from capsnet_explorer.model.measuring.viewpoints import viewpoint_figures
from capsnet_explorer.model.weights import Trained, add_to_card, load_weights

Say = Callable[[str], None]

TOYS = "toys"  # the data set


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """What to measure, and with what.

    Attributes:
        names: of `MEASUREMENTS`.
        experiments: of the laboratory.
        is_named: whether names and experiments were asked for one by one. What cannot
            be measured is then an error, and otherwise left out.
        meanings: whether to measure what each number of a pose means.
        portraits: whether to collect what each type of capsules looks for.
        data: the folder of the data sets.
        images: how many each experiment changes.
        device: `auto`, `cpu`, `cuda` or `mps`.
    """

    names: Sequence[str]
    experiments: Sequence[str]
    is_named: bool
    meanings: bool
    portraits: bool
    data: Path
    images: int
    device: str


Measurement = Callable[[Path, Trained, MeasureRequest, Say], None]


def measure_file(path: Path, asked: MeasureRequest, say: Say) -> None:
    """Measure one network.

    Args:
        path: the weight file; its card is written anew.
        asked: what to measure.
        say: told what a network cannot have measured, and why.

    Raises:
        DataError: images are missing that something asked for by name needs.
        ValueError: what was asked for by name cannot be measured for this network.
    """
    trained = load_weights(path)
    if asked.meanings:
        _measure_meanings(path, trained, asked)
    if asked.portraits:
        _measure_portraits(path, trained, asked)

    def attempt(what: str, measure: Measurement) -> None:
        try:
            measure(path, trained, asked, say)
        except (DataError, ValueError) as error:  # no images, or not for this network
            if asked.is_named:
                raise
            say(f"{path}: {what} not measured: {error}")

    for name in asked.names:
        attempt(name, MEASUREMENTS[name])
    if asked.experiments:
        attempt("experiments", _measure_experiments)


def _images(
    trained: Trained, asked: MeasureRequest, *, train: bool, one_class: bool = True
) -> LabelledImages:
    dataset = dataset_of(trained.card)
    return load_part(dataset, asked.data, train=train, one_class=one_class)


def _measure_forward(
    path: Path, trained: Trained, _asked: MeasureRequest, _say: Say
) -> None:
    figure = forward_time(trained.architecture, trained.network)
    add_to_card(path, {"forward": figure})
    print(
        f"{path}: {figure['milliseconds']} ms a forward pass, one thread, "
        f"{figure['processor']}"
    )


def _measure_legibility(
    path: Path, trained: Trained, asked: MeasureRequest, say: Say
) -> None:
    device = chosen_device(asked.device)
    network = trained.network.to(device)
    meter = trained.architecture.legibility_meter(network)
    if meter is None:
        say(f"{path}: {trained.architecture.title}s have no figures on legibility")
        return
    test = _images(trained, asked, train=False, one_class=False)
    evaluate(network, test, device, [meter])
    entry = legibility_entry(meter)
    add_to_card(path, entry)
    print(legibility_report(entry["legibility"]))


def _measure_iterations(
    path: Path, trained: Trained, asked: MeasureRequest, say: Say
) -> None:
    if not trained.architecture.can.route:
        say(f"{path}: a {trained.architecture.title} does not route")
        return
    test = _images(trained, asked, train=False, one_class=False)
    found = iteration_figures(trained, test)
    add_to_card(path, found)
    for number, error in found.get("errors_by_iterations", {}).items():
        print(f"{path}: {error:.2%} misread with {number} iterations")
    if (error := found.get("error_without_agreement")) is not None:
        print(f"{path}: {error:.2%} misread with even couplings")


def _measure_experiments(
    path: Path, trained: Trained, asked: MeasureRequest, _say: Say
) -> None:
    device = chosen_device(asked.device)
    test = _images(trained, asked, train=False)
    run_experiments(path, trained, asked.experiments, test, asked.images, device)


def _measure_zero_gradients(
    path: Path, trained: Trained, asked: MeasureRequest, _say: Say
) -> None:
    device = chosen_device(asked.device)
    test = _images(trained, asked, train=False)
    run_zero_gradients(path, trained, test, asked.images, device)


def _measure_crossing(name: str) -> Measurement:
    def measure(path: Path, trained: Trained, asked: MeasureRequest, say: Say) -> None:
        test = _images(trained, asked, train=False, one_class=False)
        if not isinstance(test, Overlaps):
            say(f"{path}: {name} is measured for networks that read two digits")
            return
        run_crossing(name, path, trained, test, asked.images)

    return measure


def _measure_pairs(
    path: Path, trained: Trained, asked: MeasureRequest, say: Say
) -> None:
    test = _images(trained, asked, train=False, one_class=False)
    if not isinstance(test, Overlaps):
        say(f"{path}: pairs are measured for networks that read two digits")
        return
    device = chosen_device(asked.device)
    network, rule = trained.network.to(device), trained.rule
    _, found = evaluated(trained.architecture, network, test, device, rule)
    add_to_card(path, found)
    print(f"{path}:\n{overlaps_report(found['overlaps'])}")


def _measure_meanings(path: Path, trained: Trained, asked: MeasureRequest) -> None:
    if not trained.architecture.can.reconstruct:
        print(f"{path}: a {trained.architecture.title} has no poses to measure")
        return
    test = _images(trained, asked, train=False)
    found = measure_meanings(trained.network, test, trained.card.get("pose_ranges"))
    add_to_card(path, found)
    print(f"{path}:\n{report_meanings(found)}")


def _measure_portraits(path: Path, trained: Trained, asked: MeasureRequest) -> None:
    test = _images(trained, asked, train=False)
    found = trained.architecture.portraits(trained.network, test)
    if not found:
        print(f"{path}: a {trained.architecture.title} has no capsules to portray")
        return
    print(f"{path}: {add_measured(path, trained.card['sha256'], found)}")


def _measure_atlas(
    path: Path, trained: Trained, asked: MeasureRequest, _say: Say
) -> None:
    test = _images(trained, asked, train=False, one_class=False)
    dataset = dataset_of(trained.card)
    views = None
    if dataset.name == TOYS:
        views = read_views(dataset.files_in(asked.data), train=False)
    found = measure_atlas(trained.architecture, trained.network, test, views)
    add_to_card(path, found.figures)
    written = add_measured(path, trained.card["sha256"], found.tensors)
    print(f"{path}:\n{report_atlas(found.figures['atlas'])}\nmaps: {written}")


def _measure_viewpoints(
    path: Path, trained: Trained, asked: MeasureRequest, say: Say
) -> None:
    dataset = dataset_of(trained.card)
    if dataset.name != TOYS:
        say(f"{path}: sides are measured for networks that read toys")
        return
    test = _images(trained, asked, train=False)
    views = read_views(dataset.files_in(asked.data), train=False)
    found = viewpoint_figures(trained.network, test, views)
    add_to_card(path, found)
    print(f"{path}:\n{report_viewpoints(found['viewpoints'])}")


MEASUREMENTS: dict[str, Measurement] = {
    "iterations": _measure_iterations,
    "forward": _measure_forward,
    "legibility": _measure_legibility,
    "zero_gradients": _measure_zero_gradients,
    "atlas": _measure_atlas,
    "viewpoints": _measure_viewpoints,
    "pairs": _measure_pairs,
    **{name: _measure_crossing(name) for name in CROSSINGS},
}
