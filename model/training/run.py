"""One training run: load the data, train with a progress bar, write the weights."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from capsnet_explorer.datasets.catalogue import Dataset
from capsnet_explorer.datasets.overlapping import REACH
from capsnet_explorer.datasets.parts import class_names_in
from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.architectures import DEFAULT, architecture_named
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.files import DataError, check_files
from capsnet_explorer.model.data.images import LabelledImages, warnings_about
from capsnet_explorer.model.data.loading import load_part, load_validation
from capsnet_explorer.model.data.overlapping import Overlaps
from capsnet_explorer.model.device import chosen_device, keep_large_buffers
from capsnet_explorer.model.measuring.card import Part, measure, provenance
from capsnet_explorer.model.measuring.overlapping import answers
from capsnet_explorer.model.measuring.report import report
from capsnet_explorer.model.presence import Presence
from capsnet_explorer.model.recipe import DISTORTIONS, TONES, TrainingConfig
from capsnet_explorer.model.training import memory
from capsnet_explorer.model.training.folder import RunFolder, record_sitting
from capsnet_explorer.model.training.learning import nothing_learned
from capsnet_explorer.model.training.log import LogRow
from capsnet_explorer.model.training.loop import Stopped, Trainer
from capsnet_explorer.model.training.starting import Start, start_from
from capsnet_explorer.model.training.stopping import stop_asked
from capsnet_explorer.model.training.watching import Watch, alone
from capsnet_explorer.model.weights import SUFFIX, card_path, save_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """The options of a training run.

    Attributes:
        training: the recipe.
        architecture: name of the architecture to train.
        preset: name of the preset that the recipe is based on.
        sizes: network sizes that differ from the architecture's defaults; classes and
            image size come from the data.
        loss: loss settings that differ from the architecture's defaults.
        dataset: the data set to train on.
        data: the data folder.
        run: folder for checkpoint and log.
        start: a weight file with the initial weights; None takes random weights.
        output: the weight file to write; None puts it into the run's folder.
        resume: whether to continue the run in that folder.
        watched: set if others watch the run, and steer it, while it trains: the id of
            the process that started it, with which it ends, or 0.
        device: `auto`, `cpu`, `cuda` or `mps`.
        precision: `auto`, `float32` or `bfloat16`.
        convolution: of PrimaryCaps: `auto`, `direct` or `winograd`.
        compiled: whether to use torch.compile.
        threads: CPU threads; 0 leaves the choice to torch.
        command: the command line, for the card.
    """

    training: TrainingConfig
    dataset: Dataset
    data: Path
    run: Path
    architecture: str = DEFAULT
    preset: str = "paper"
    sizes: Mapping[str, Any] = field(default_factory=dict)
    loss: Mapping[str, Any] = field(default_factory=dict)
    start: Path | None = None
    output: Path | None = None
    resume: bool = False
    watched: int | None = None
    device: str = "auto"
    precision: str = "auto"
    convolution: str = "auto"
    compiled: bool = False
    threads: int = 0
    command: str = ""


def train_and_measure(request: RunRequest) -> None:
    """Train, measure once, write weights and card.

    A run that holds images out is measured on those and never reads the test set.

    Raises:
        ValueError: a setting cannot work, or the folder already holds a run and
            `resume` is false.
        DataError: the data set is missing or damaged.
        CheckpointError: the run cannot be resumed.
        OSError: a file cannot be read or written, for example on a full disk.
    """
    if request.watched is None:
        _train_and_measure(request)
        return
    with alone(request.run):
        _train_and_measure(request)


def _train_and_measure(request: RunRequest) -> None:
    folder = RunFolder(request.run)
    architecture = architecture_named(request.architecture)
    weights = request.output or folder.weights(architecture.name, request.dataset.name)
    check(request, folder, weights)
    keep_large_buffers()
    if request.threads:
        torch.set_num_threads(request.threads)
    run = prepare(request, architecture, folder)
    trainer = run.trainer
    part, images = measured_on(request, trainer)
    if request.resume:
        trainer.resume()
    with _watched(request, run, images) as watch:
        # Or fail before training.
        weights.parent.mkdir(parents=True, exist_ok=True)
        trainer.written(lambda: _record(request, run))
        with stop_asked() as is_stop_asked:
            network = _with_progress_bar(trainer, is_stop_asked, watch)
        evaluation, figures = measure(
            architecture,
            network,
            images,
            trainer.device,
            part,
            _rule(trainer, network),
        )
        failure = nothing_learned(
            evaluation,
            run.class_names,
            part=part,
            recipe=trainer.config,
            steps=trainer.steps_done,
            class_counts=_class_counts(trainer.training_part),
        )
        card = {**_card(request, run, watch), **figures}
        if failure is not None:
            print(f"Warning: {failure}", file=sys.stderr)
            card["learned_nothing"] = failure
        trainer.written(lambda: save_weights(weights, architecture, network, card))
        print(report(evaluation, part, figures))
        print(f"\nWrote {weights} and {card_path(weights)}")
        if watch is not None:
            message = {"message": failure} if failure is not None else {}
            watch.end("done", error=evaluation.error, tested=len(images), **message)


def _class_counts(images: Any) -> list[int]:
    """Return how many images show each class; none where images show several."""
    if not isinstance(images, LabelledImages) or images.labels.ndim > 1:
        return []
    return images.labels.bincount().tolist()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a request comes to: a run that can begin.

    Attributes:
        trainer: ready to run.
        loss: an instance of `architecture.settings.loss`.
        computing: how steps are computed.
        class_names: one for each class.
        start: the initial weights in place of random ones, if any.
    """

    trainer: Trainer
    loss: Any
    computing: Computing
    class_names: Sequence[str]
    start: Start | None


def prepare(
    request: RunRequest, architecture: Architecture, folder: RunFolder
) -> Prepared:
    """Read the data, and build the network and its trainer."""
    loss = architecture.settings.loss(**request.loss)
    check_files(request.dataset, request.data)
    images = load_part(request.dataset, request.data, train=True, one_class=False)
    class_names = class_names_in(request.dataset, request.data, images.classes)
    if images.labels.ndim == 1 and not (images.labels != images.labels[0]).any():
        raise DataError(
            "training images must show two classes or more, got "
            f"{class_names[int(images.labels[0])]} alone"
        )
    for words in warnings_about(images, class_names):
        print(f"Warning: {words}", file=sys.stderr)
    channels, rows, columns = images.shape
    of_data = {"image_channels": channels, "image_rows": rows, "image_columns": columns}
    sizes = architecture.settings.sizes(
        **{**request.sizes, **of_data, "classes": images.classes}
    )
    computing = architecture.chosen_computing(
        chosen_device(request.device),
        sizes,
        precision=request.precision,
        convolution=request.convolution,
        compiled=request.compiled,
    )
    torch.manual_seed(request.training.seed)  # what begins at random does so by it
    start = None
    if request.start is not None:
        start = start_from(request.start, architecture, sizes)
    training = request.training
    if not request.resume:  # which goes on as it began
        training = memory.fit_batch(
            training,
            memory.needed_by(architecture, sizes, loss, images.shape),
            memory.free_bytes(computing.device),
            lambda words: print(f"Warning: {words}", file=sys.stderr),
        )
    trainer = Trainer(
        architecture,
        images,
        folder,
        computing=computing,
        training=training,
        sizes=sizes,
        loss=loss,
        dataset=request.dataset.name,
        start=None if start is None else start.network,
        held_out=_own_validation(request, sizes),
    )
    return Prepared(trainer, loss, computing, class_names, start)


def _own_validation(request: RunRequest, sizes: Any) -> LabelledImages | None:
    """Return the data set's own part for validation, if it has one."""
    images = load_validation(request.dataset, request.data)
    if images is None:
        return None
    if request.training.validation:
        raise ValueError(
            "the data has images of its own for validation: leave out --validation"
        )
    _check_match(images, sizes, "validation")
    return images


def _record(request: RunRequest, run: Prepared) -> None:
    """Write into the run's folder how this sitting was started."""
    settings = {
        "architecture": run.trainer.architecture.name,
        "preset": request.preset,
        "dataset": request.dataset.name,
        "training": asdict(run.trainer.config),
        "sizes": asdict(run.trainer.network.config),
        "loss": asdict(run.loss),
    }
    record_sitting(run.trainer.folder, settings, request.command, run.computing)


def check(request: RunRequest, folder: RunFolder, weights: Path) -> None:
    """Refuse settings that cannot work together, and a folder that is taken.

    Raises:
        ValueError: says which.
    """
    if folder.checkpoint.exists() and not request.resume:
        raise ValueError(
            f"{request.run} already holds a run; add --resume to continue it, "
            "or name another folder with --run"
        )
    if weights.suffix != SUFFIX:
        raise ValueError(f"--output must end in {SUFFIX}, got {weights}")
    if request.training.flags and request.dataset.name != "mnist":
        raise ValueError(
            f"--flags draws the digit 1: it needs mnist, got {request.dataset.name}"
        )
    if request.dataset.overlaps:
        _check_overlaps(request.training)
    if request.training.start_share and request.start is None:
        raise ValueError("--start-share needs initial weights: add --start FILE")
    if request.threads < 0:
        raise ValueError(f"threads must not be negative, got {request.threads}")


def _check_overlaps(recipe: TrainingConfig) -> None:
    """Refuse what is not done to digits that overlap."""
    if recipe.shift != REACH:
        raise ValueError(
            f"digits that overlap are shifted by up to {REACH} pixels: add --shift "
            f"{REACH}, or choose a preset for them, got {recipe.shift}"
        )
    for name in (*DISTORTIONS, *TONES):
        if value := getattr(recipe, name):
            raise ValueError(
                f"digits that overlap are only shifted, got {name} {value}"
            )


def _card(
    request: RunRequest, run: Prepared, watch: Watch | None = None
) -> dict[str, Any]:
    """Return the card's entries on how the weights were trained, and from what."""
    trainer = run.trainer
    network = trainer.architecture.title_of(trainer.network.config)
    steered = [] if watch is None else watch.steered
    return {
        **provenance(
            title=f"{network} on {request.dataset.title_in(request.data)}",
            dataset=request.dataset.name,
            data=request.dataset.source,
            class_names=list(run.class_names),
            training_images=len(trainer.training_part),
            # The same run in one sitting gives the same weights.
            command=request.command.replace(" --resume", ""),
            preset=request.preset,
            computing=run.computing,
            seconds=trainer.progress.seconds,
            training=trainer.config,
            loss=run.loss,
            start=None if run.start is None else run.start.card,
        ),
        **_ancestor(run.start),
        **_as_read(request.dataset),
        **({"steered": steered} if steered else {}),
    }


def _as_read(dataset: Dataset) -> dict[str, Any]:
    """Return the card's entries for pictures that are read otherwise than usual."""
    form, folders = dataset.form, dataset.folders
    return {
        **({"inverted": True} if form is not None and form.is_inverted else {}),
        **({"folders": folders} if folders is not None else {}),
    }


def _ancestor(start: Start | None) -> dict[str, Any]:
    """Return the card's entry for the network that the run started from."""
    if start is None:
        return {}
    copied = ("sha256", "command", "date", "training_images", "training", "loss")
    known = {name: start.card[name] for name in copied if name in start.card}
    parts = {"taken": list(start.taken), "anew": list(start.anew)} if start.anew else {}
    return {"start": {**known, **parts}}


def measured_on(request: RunRequest, trainer: Trainer) -> tuple[Part, LabelledImages]:
    """Return the images for measuring the run's error, and which part they are."""
    if request.training.validation:
        return "validation", trainer.validation_part
    test = load_part(request.dataset, request.data, train=False, one_class=False)
    _check_match(test, trainer.network.config, "test")
    return "test", test


def _check_match(images: LabelledImages, sizes: Any, part: str) -> None:
    """Refuse images that a network cannot read."""
    if images.shape != sizes.image_shape or images.classes > sizes.classes:
        raise DataError(
            f"{part} images must match the training images, "
            f"{_words(sizes.image_shape)} with {sizes.classes} classes, got "
            f"{_words(images.shape)} with {images.classes}"
        )


def _rule(trainer: Trainer, network: Network) -> Presence:
    """Return the rule for the classes that an answer names, for the card.

    Held-out digits choose the score from which on one of two digits counts.
    """
    held_out = trainer.validation_part
    if not isinstance(held_out, Overlaps):
        return trainer.rule
    return answers(network, held_out, trainer.device).rule


def _words(shape: Sequence[int]) -> str:
    return f"{' x '.join(map(str, shape))} channels, rows and columns"


@contextmanager
def _watched(
    request: RunRequest, run: Prepared, images: LabelledImages
) -> Iterator[Watch | None]:
    """Have others watch the run, if the request says so.

    They are told how it ended, unless it is done: the caller tells that.
    """
    if request.watched is None:
        yield None
        return
    watch = Watch(
        run.trainer,
        images,
        card=lambda: _card(request, run, watch),
        parent=request.watched,
    )
    try:
        watch.begin()
        yield watch
    except KeyboardInterrupt as error:  # `Stopped` is one
        watch.end("stopped", **({"message": str(error)} if str(error) else {}))
        raise
    except Exception as error:
        watch.end("failed", message=_words_of(error, request))
        raise


def _words_of(error: Exception, request: RunRequest) -> str:
    """Return what those who watch are told of an error: not where the files stand."""
    words = str(error)
    if isinstance(error, OSError) and error.strerror:
        words = error.strerror
    for folder in (request.run, request.data):
        words = words.replace(f"{folder}{os.sep}", "")
    return words


def _with_progress_bar(
    trainer: Trainer, is_stop_asked: Callable[[], bool], watch: Watch | None
) -> Network:
    with tqdm(
        total=trainer.config.epochs * len(trainer.training_part),
        initial=trainer.images_done,
        unit=" images",
        smoothing=0.05,
        disable=watch is not None and watch.has_parent,
    ) as bar:

        def show(row: LogRow, count: int) -> None:
            bar.set_description(f"epoch {row.epoch:.2f}/{trainer.config.epochs}", False)
            bar.set_postfix_str(
                f"loss {row.loss:.4f}, accuracy {row.accuracy:.2%}", refresh=False
            )
            bar.update(count)
            if is_stop_asked():
                raise Stopped
            if watch is not None:
                watch.report(row, is_stop_asked)

        return trainer.run(show)
