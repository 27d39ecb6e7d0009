"""Imports a file of weights: finds its network, writes it with a card, says how."""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from capsnet_explorer.datasets.catalogue import DATASETS, Dataset
from capsnet_explorer.datasets.parts import class_names_in
from capsnet_explorer.model.architectures import ARCHITECTURES, architecture_named
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.loading import DataError, load_part
from capsnet_explorer.model.importing.deciding import (
    LAST,
    Candidate,
    Decision,
    Examples,
    decided,
    examples_of,
)
from capsnet_explorer.model.importing.files import read_tensors
from capsnet_explorer.model.importing.matching import (
    Shapes,
    Unmatched,
    assignments,
    needed_shapes,
    sizes_that_fit,
)
from capsnet_explorer.model.importing.ways import AS_IT_IS, choices_of
from capsnet_explorer.model.measuring.card import reconstruction_entry
from capsnet_explorer.model.measuring.evaluation import Evaluation, evaluate
from capsnet_explorer.model.printed import size_words, text_table
from capsnet_explorer.model.weights import (
    SUFFIX,
    WeightsError,
    half_precision,
    save_weights,
)

MEASURED = 500  # images for the error on the card
COLUMNS = ("tensor", "shape", "from", "read")


@dataclass(frozen=True)
class ImportRequest:
    """What is to be imported.

    Attributes:
        file: of weights.
        out: the weight file to write.
        architecture: name of the network's; None tries all.
        dataset: of the test images; None takes MNIST, or drawn digits without it.
        data: folder of the data sets.
        expected: a file of images and the network's own scores; None without one.
        command: the command line, for the card.
    """

    file: Path
    out: Path
    data: Path
    architecture: str | None = None
    dataset: Dataset | None = None
    expected: Path | None = None
    command: str = ""


def import_weights(request: ImportRequest) -> None:
    """Find the network of a file of weights, and write it with its card.

    Raises:
        DataError: there are no test images.
        WeightsError: it is no such file, holds no network of this project, or can be
            read in several ways; one sentence.
    """
    if request.out.suffix != SUFFIX:
        raise WeightsError(f"--out must end in {SUFFIX}, got {request.out.name}")
    file = read_tensors(request.file)
    dataset, labelled = _test_images(request)
    examples = _examples(request, labelled)
    classes = len(class_names_in(dataset, request.data, labelled.classes))
    shapes = {name: tuple(each.shape) for name, each in file.items()}
    if examples.expected is not None:
        classes = examples.expected.shape[1]
    try:
        candidates = _candidates(request, shapes, examples, classes)
    except WeightsError:
        split = {name: _split(each, classes) for name, each in file.items()}
        if all(split[name].shape == each.shape for name, each in file.items()):
            raise
        file = split
        shapes = {name: tuple(each.shape) for name, each in file.items()}
        candidates = _candidates(request, shapes, examples, classes)
    if (ways := sum(each.count for each in candidates)) > 1:
        words = f"can be read in {ways} ways; trying them on images."
        print(f"{request.file.name} {words}", flush=True)
    try:
        decision = decided(candidates, file, examples)
    except WeightsError as error:
        raise WeightsError(f"{request.file.name}: {error}") from None
    network = decision.network
    for name, tensor in half_precision(network).items():
        if not tensor.isfinite().all():
            raise WeightsError(
                f"{request.file.name}: {name} holds numbers above 65504, which no "
                "weight file of this project can hold"
            )
    measured = labelled.drawn(MEASURED, 0)
    found = evaluate(network, measured, torch.device("cpu"))
    card = _card(request, dataset, decision, found)
    save_weights(request.out, decision.best.candidate.architecture, network, card)
    print(_report(decision, shapes, examples, found, dataset.title_in(request.data)))
    print(f"{request.out}: python run_visualization.py --weights {request.out}")


def _test_images(request: ImportRequest) -> tuple[Dataset, LabelledImages]:
    """Return the images to try on: MNIST's if it is there, else drawn digits."""
    if request.dataset is not None:
        return request.dataset, load_part(request.dataset, request.data, train=False)
    dataset = DATASETS["mnist"]
    try:
        return dataset, load_part(dataset, request.data, train=False)
    except DataError:
        dataset = DATASETS["drawn"]
        return dataset, load_part(dataset, request.data, train=False)


def _examples(request: ImportRequest, labelled: LabelledImages) -> Examples:
    if request.expected is None:
        return examples_of(labelled.drawn(LAST, 0))
    path = request.expected
    try:
        if path.suffix == SUFFIX:
            found = load_file(path)
        else:
            with np.load(path, allow_pickle=False) as arrays:
                found = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except Exception as error:
        raise WeightsError(
            f"--expected must be a .npz or {SUFFIX} file with images and scores, "
            f"got {path.name}"
        ) from error
    if not {"images", "scores"} <= set(found):
        raise WeightsError(
            f"{path.name} must hold images and scores, got {', '.join(found)}"
        )
    images, scores = found["images"], found["scores"].float()
    pixels = images.float() / 255 if images.dtype == torch.uint8 else images.float()
    if pixels.ndim == 3:
        pixels = pixels[:, None]
    if (
        pixels.ndim != 4
        or scores.ndim != 2
        or len(pixels) != len(scores)
        or not len(pixels)
    ):
        raise WeightsError(
            f"{path.name}: images must be (count, channels, rows, columns) and scores "
            f"(count, classes), got {tuple(images.shape)} and {tuple(scores.shape)}"
        )
    return Examples(None, pixels, scores)


def _split(tensor: Tensor, classes: int) -> Tensor:
    """Return a matrix for each capsule below, all classes' in one, as one for each.

    Args:
        tensor: (capsules, size, classes · size of theirs); others stay.
        classes: their number.
    """
    if tensor.ndim != 3 or tensor.shape[-1] % classes or tensor.shape[-1] == classes:
        return tensor
    return tensor.unflatten(-1, (classes, -1))


def _candidates(
    request: ImportRequest, shapes: Shapes, examples: Examples, classes: int
) -> list[Candidate]:
    """Return every network of this project that has such tensors."""
    names = [request.architecture] if request.architecture else [*ARCHITECTURES]
    channels, rows, columns = examples.pixels.shape[1:]
    image = channels, rows, columns
    found: list[Candidate] = []
    problems: list[str] = []
    for decodes, name in itertools.product((True, False), names):
        architecture = architecture_named(name)
        if architecture.importable is None or (found and not decodes):
            continue
        for config in sizes_that_fit(
            architecture, shapes, image, classes, decodes=decodes
        ):
            needed = needed_shapes(architecture, config, decodes=decodes)
            listings = architecture.importable.listings(config)
            try:
                ways = [
                    (way, choices_of(way, shapes, needed, listings))
                    for way in assignments(needed, shapes)
                ]
            except Unmatched as error:
                problems.append(f"read as a {architecture.title}, it {error}")
                continue
            variants = dict(architecture.importable.variants(config))
            if examples.expected is not None:
                variants |= architecture.importable.alike(config)
            found.append(Candidate(architecture, config, variants, ways, decodes))
    if found:
        return found
    if problems:
        raise WeightsError(f"{request.file.name}: {problems[0]}")
    titles = ", ".join(architecture_named(name).title for name in names)
    raise WeightsError(
        f"{request.file.name} has not the tensors of any network of this project "
        f"({titles}) for images of {size_words(image)} and {classes} classes: "
        "name the images by --dataset, or describe another network "
        "(docs/own-networks.md)"
    )


def _card(
    request: ImportRequest, dataset: Dataset, decision: Decision, found: Evaluation
) -> dict[str, Any]:
    title = decision.best.candidate.architecture.title
    content = request.file.read_bytes()
    return {
        "title": f"{title} from {request.file.name}",
        "dataset": dataset.name,
        "data": dataset.source,
        "class_names": class_names_in(dataset, request.data, found.scores.shape[1]),
        "command": request.command,
        "date": date.today().isoformat(),
        "imported": {
            "file": request.file.name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "ways": decision.ways,
            "read": dict(_settings(decision)),
        },
        "measured_on": "test",
        "test_error": found.error,
        "test_images": len(found.labels),
        "class_errors": [round(error, 6) for error in found.class_errors],
        **(
            reconstruction_entry(found)
            if decision.best.candidate.decodes
            else {"loss": {"reconstruction_weight": 0.0}}
        ),
    }


def _settings(decision: Decision) -> Iterator[tuple[str, str]]:
    """Yield what was open, and how it was decided."""
    way = decision.best.way
    if way.variant:
        yield "network", way.variant
    if way.iterations is not None:
        yield "iterations", str(way.iterations)
    for choice, option in zip(way.choices, way.options, strict=True):
        if not choice.tensor and len(choice.options) > 1:
            yield choice.about, option.words


def _report(
    decision: Decision,
    shapes: Shapes,
    examples: Examples,
    found: Evaluation,
    images: str,
) -> str:
    """Return the table of what went where, and what the images said."""
    way, candidate = decision.best.way, decision.best.candidate
    turned = {
        choice.tensor: option.words
        for choice, option in zip(way.choices, way.options, strict=True)
        if choice.tensor
    }
    needed = needed_shapes(
        candidate.architecture, candidate.config, decodes=candidate.decodes
    )
    rows = [COLUMNS] + [
        (
            name,
            size_words(shape),
            f"{way.names[name]} ({size_words(shapes[way.names[name]])})",
            turned.get(name, AS_IT_IS),
        )
        for name, shape in needed.items()
    ]
    said = [f"* {about}: {words}" for about, words in _settings(decision)]
    return "\n".join(
        [*text_table(rows), "", *said, *_evidence(decision, examples, found, images)]
    )


def _evidence(
    decision: Decision, examples: Examples, found: Evaluation, images: str
) -> Iterator[str]:
    title = decision.best.candidate.architecture.title
    count = len(examples.pixels)
    if not decision.best.candidate.decodes:
        yield "* the file has no decoder: the network draws nothing"
    if examples.expected is not None:
        off = decision.best.losses.max().item()
        yield f"* its answers differ from those expected by at most {off:.1e}"
    if decision.runner_up is not None and examples.expected is None:
        yield (
            f"* on {count} images its loss is {decision.best.loss:.3g}; read in the "
            f"next best way, {decision.runner_up.loss:.3g} ({_difference(decision)})"
        )
    importable = decision.best.candidate.architecture.importable
    assert importable is not None
    alike = importable.alike(decision.best.candidate.config)
    if alike and examples.expected is None:
        yield (
            f"* not tried, as only answers given by --expected tell it: a {title} "
            + " or ".join(alike)
        )
    yield (
        f"* {title}: misreads {len(found.mistakes)} of {len(found.labels)} test images "
        f"of {images}"
    )


def _difference(decision: Decision) -> str:
    assert decision.runner_up is not None
    own, other = decision.best.way.settings, decision.runner_up.way.settings
    names = [name for name in other if own.get(name) != other[name]]
    return "; ".join(f"{name}: {other[name]}" for name in names[:2])
