"""What the command `measure` does: measure a network, and write its card anew."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from capsnet_explorer.model.data.files import DataError
from capsnet_explorer.model.data.toys import read_views
from capsnet_explorer.model.measured import add_measured
from capsnet_explorer.model.measuring.atlas import measure_atlas
from capsnet_explorer.model.measuring.card import evaluate_fully, legibility_entry
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.measuring.iterations import iteration_figures
from capsnet_explorer.model.measuring.laboratory.crossing import KNOBS as CROSSINGS
from capsnet_explorer.model.measuring.laboratory.experiments import EXPERIMENTS
from capsnet_explorer.model.measuring.laboratory.run import (
    run_crossing,
    run_experiments,
    run_zero_gradients,
)
from capsnet_explorer.model.measuring.of_classes import measure_meanings
from capsnet_explorer.model.measuring.speed import forward_time
from capsnet_explorer.model.measuring.task import Task
from capsnet_explorer.model.measuring.viewpoints import viewpoint_figures
from capsnet_explorer.model.portraits import of_anything

TOYS = "toys"  # the data set


def measure_network(task: Task, names: Sequence[str], *, is_named: bool) -> None:
    """Measure one network.

    Args:
        task: the network, and what with.
        names: of `MEASUREMENTS`, of `ALONE` and of the laboratory's experiments.
        is_named: whether they were asked for one by one. What cannot be measured is
            then an error, and otherwise left out.

    Raises:
        DataError: images are missing that something asked for by name needs.
        ValueError: what was asked for by name cannot be measured for this network.
    """
    measurements = {**ALONE, **MEASUREMENTS}
    wanted = {name: measurements[name] for name in names if name in measurements}
    if experiments := [name for name in EXPERIMENTS if name in names]:
        wanted["experiments"] = partial(run_experiments, names=experiments)
    for name, measure in wanted.items():
        task.network.cpu()  # where another measurement may have left it
        try:
            measure(task)
        except (DataError, ValueError) as error:  # no images, or not for this network
            if is_named:
                raise
            task.pass_over(f"{name} not measured: {error}")


def _keep(task: Task, figures: dict[str, Any]) -> None:
    """Write figures into the card, which is where to read them."""
    task.keep(figures, f"{', '.join(figures)} measured, for its card")


def _forward(task: Task) -> None:
    figure = forward_time(task.architecture, task.network)
    words = f"{figure['milliseconds']} ms a forward pass, one thread, "
    task.keep({"forward": figure}, words + figure["processor"])


def _legibility(task: Task) -> None:
    network = task.network.to(task.device)
    meter = task.architecture.legibility_meter(network)
    if meter is None:
        task.pass_over(f"{task.architecture.title}s have no figures on legibility")
        return
    evaluate(network, task.images(one_class=False), task.device, [meter])
    _keep(task, legibility_entry(meter))


def _iterations(task: Task) -> None:
    if not task.architecture.can.route:
        task.pass_over(f"a {task.architecture.title} does not route")
        return
    figures = iteration_figures(task.trained, task.images(one_class=False))
    errors = {
        f"{number} iterations": error
        for number, error in figures.get("errors_by_iterations", {}).items()
    }
    if (error := figures.get("error_without_agreement")) is not None:
        errors["even couplings"] = error
    task.keep(figures, *(f"{errors[way]:.2%} misread with {way}" for way in errors))


def _pairs(task: Task) -> None:
    if (pairs := task.pairs("pairs are")) is None:
        return
    network, rule = task.network.to(task.device), task.trained.rule
    _, figures = evaluate_fully(task.architecture, network, pairs, task.device, rule)
    _keep(task, figures)


def _meanings(task: Task) -> None:
    if not task.architecture.can.reconstruct:
        task.pass_over(f"a {task.architecture.title} has no poses to measure")
        return
    ranges = task.trained.card.get("pose_ranges")
    _keep(task, measure_meanings(task.network, task.images(), ranges))


def _portraits(task: Task) -> None:
    tensors = task.architecture.portraits(task.network, task.images())
    if not tensors:
        task.pass_over(f"a {task.architecture.title} has no capsules to portray")
        return
    written = add_measured(task.path, task.trained.card["sha256"], tensors)
    entry = of_anything(tensors)
    words = f"{len(entry['types'])} types answer to anything; {written}"
    task.keep({"anything": entry}, words)


def _atlas(task: Task) -> None:
    test, views = task.images(one_class=False), None
    if task.dataset.name == TOYS:
        views = read_views(task.dataset.files_in(task.data), train=False)
    atlas = measure_atlas(task.architecture, task.network, test, views)
    sha256 = task.trained.card["sha256"]
    written = add_measured(task.path, sha256, atlas.tensors)
    task.keep(atlas.figures, f"maps in {written}")


def _viewpoints(task: Task) -> None:
    if task.dataset.name != TOYS:
        task.pass_over("sides are measured for networks that read toys")
        return
    views = read_views(task.dataset.files_in(task.data), train=False)
    _keep(task, viewpoint_figures(task.network, task.images(), views))


MEASUREMENTS: dict[str, Callable[[Task], None]] = {
    "iterations": _iterations,
    "forward": _forward,
    "legibility": _legibility,
    "zero_gradients": run_zero_gradients,
    "atlas": _atlas,
    "viewpoints": _viewpoints,
    "pairs": _pairs,
    **{name: partial(run_crossing, name=name) for name in CROSSINGS},
}
# Each has an option of its own.
ALONE: dict[str, Callable[[Task], None]] = {
    "meanings": _meanings,
    "portraits": _portraits,
}
