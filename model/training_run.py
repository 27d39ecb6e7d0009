"""One training run from the command line: data, bar, weights, card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from model.capsnet import CapsNet
from model.card import Part, measure, provenance
from model.computing import chosen_computing
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import DigitImages
from model.datasets import Dataset
from model.device import chosen_device, keep_large_buffers
from model.loading import DataError, check_files, load_part
from model.report import report
from model.run_folder import RunFolder, record_sitting
from model.stopping import stop_asked
from model.team import gathered
from model.training import Stopped, Trainer
from model.training_log import LogRow
from model.weights import SUFFIX, card_path, load_weights, save_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What is asked of a training run.

    Attributes:
        training: the recipe.
        preset: the name of the recipe it was begun from.
        sizes: the network's, where not the paper's; classes and image size are those
            of the data.
        loss: what is minimised.
        dataset: what is trained on.
        data: the data folder.
        run: folder for checkpoint and log.
        start: a weight file to begin with; random weights if None.
        output: the weight file; in the run's folder if None.
        resume: continue the run in that folder.
        events: write the log for TensorBoard, too.
        device: `auto`, `cpu`, `cuda` or `mps`.
        precision: `auto`, `float32` or `bfloat16`.
        convolution: of PrimaryCaps, `auto`, `direct` or `winograd`.
        compiled: use torch.compile.
        threads: CPU threads; 0 leaves torch's choice.
        command: what was typed, for the card.
    """

    training: TrainingConfig
    dataset: Dataset
    data: Path
    run: Path
    preset: str = "paper"
    sizes: Mapping[str, Any] = field(default_factory=dict)
    loss: LossConfig = field(default_factory=LossConfig)
    start: Path | None = None
    output: Path | None = None
    resume: bool = False
    events: bool = False
    device: str = "auto"
    precision: str = "auto"
    convolution: str = "auto"
    compiled: bool = False
    threads: int = 0
    command: str = ""


def train_and_measure(request: RunRequest) -> None:
    """Train, measure once, write weights and card.

    A run that holds images out is measured on those, and does not read the test set.

    Raises:
        ValueError: a setting cannot work, or the folder holds a run already and
            `resume` is false.
        DataError: the data set is missing or broken.
        CheckpointError: the run cannot be resumed.
        OSError: the disk is full, say.
    """
    folder = RunFolder(request.run)
    weights = request.output or folder.weights(request.dataset.name)
    _check(request, folder, weights)
    keep_large_buffers()
    if request.threads:
        torch.set_num_threads(request.threads)
    team = gathered(chosen_device(request.device))
    check_files(request.dataset, request.data)
    digits = load_part(request.dataset, request.data, train=True)
    sizes = CapsNetConfig(**{**request.sizes, **_sizes_of(digits)})
    class_names = request.dataset.class_names_in(request.data, sizes.classes)
    computing = chosen_computing(
        team.device,
        sizes,
        precision=request.precision,
        convolution=request.convolution,
        compiled=request.compiled,
    )
    start, ancestor = _started_with(request.start, sizes)
    trainer = Trainer(
        digits,
        folder,
        team=team,
        computing=computing,
        training=request.training,
        sizes=sizes,
        loss=request.loss,
        dataset=request.dataset.name,
        start=start,
        events=request.events,
    )
    part, images = _measured_on(request, trainer, sizes)
    if request.resume:
        trainer.resume()
    if team.rank == 0:
        weights.parent.mkdir(parents=True, exist_ok=True)  # or fail before training
        record_sitting(
            folder,
            command=request.command,
            preset=request.preset,
            dataset=request.dataset.name,
            training=request.training,
            sizes=sizes,
            loss=request.loss,
            computing=computing,
            processes=team.count,
        )
    with stop_asked() as is_stop_asked:
        network = _with_progress_bar(trainer, is_stop_asked)
    if team.rank == 0:
        evaluation, figures = measure(network, images, team.device, part)
        origin = provenance(
            # Who repeats the run in one sitting gets the same.
            command=request.command.replace(" --resume", ""),
            dataset=request.dataset.name,
            title=request.dataset.title_in(request.data),
            source=request.dataset.source,
            class_names=class_names,
            preset=request.preset,
            computing=computing,
            seconds=trainer.progress.seconds,
            training_images=len(trainer.training_part),
            training=request.training,
            loss=request.loss,
        )
        save_weights(weights, network, {**origin, **ancestor, **figures})
        print(report(evaluation, part))
        print(f"\nWrote {weights} and {card_path(weights)}")
    team.leave()


def _check(request: RunRequest, folder: RunFolder, weights: Path) -> None:
    if folder.checkpoint.exists() and not request.resume:
        raise ValueError(
            f"{request.run} holds a run already; add --resume to continue it, "
            "or name another folder with --run"
        )
    if weights.suffix != SUFFIX:
        raise ValueError(f"--output must end in {SUFFIX}, got {weights}")
    if request.training.flags and request.dataset.name != "mnist":
        raise ValueError(f"--flags draws digits: {request.dataset.name} has others")
    if request.training.start_share and request.start is None:
        raise ValueError("--start-share needs a network to begin with: --start FILE")
    if request.threads < 0:
        raise ValueError(f"threads must not be negative, got {request.threads}")


def _started_with(
    weights: Path | None, sizes: CapsNetConfig
) -> tuple[CapsNet | None, dict[str, Any]]:
    """Return the network to begin with, if any, and the card's words on it.

    Raises:
        ValueError: it cannot be used, or is of other sizes.
    """
    if weights is None:
        return None, {}
    network, card = load_weights(weights)
    for name in sizes.__slots__:
        asked, found = getattr(sizes, name), getattr(network.config, name)
        if asked != found:
            raise ValueError(
                f"--start must be a network with {name} {asked}, {weights} has {found}"
            )
    told = ("sha256", "command", "date", "training_images", "training", "loss")
    return network, {"start": {name: card[name] for name in told if name in card}}


def _sizes_of(digits: DigitImages) -> dict[str, int]:
    """Return the sizes of a network for such images."""
    rows, columns = digits.images.shape[1:]
    if rows != columns:
        raise DataError(f"images must be square, got {rows} x {columns} pixels")
    return {"image_size": rows, "classes": int(digits.labels.max()) + 1}


def _measured_on(
    request: RunRequest, trainer: Trainer, sizes: CapsNetConfig
) -> tuple[Part, DigitImages]:
    """Return the images that the run's error will be measured on."""
    if request.training.validation:
        return "validation", trainer.validation_part
    test = load_part(request.dataset, request.data, train=False)
    found = _sizes_of(test)
    if found["image_size"] != sizes.image_size or not found["classes"] <= sizes.classes:
        raise DataError(
            f"test images must be like training images, {sizes.image_size} pixels wide "
            f"and of {sizes.classes} classes, got {found['image_size']} and "
            f"{found['classes']}"
        )
    return "test", test


def _with_progress_bar(trainer: Trainer, is_stop_asked: Callable[[], bool]) -> CapsNet:
    team = trainer.team
    with tqdm(
        total=trainer.config.epochs * len(trainer.training_part),
        initial=trainer.images_done,
        unit=" images",
        smoothing=0.05,
        disable=team.rank > 0,
    ) as bar:

        def show(row: LogRow, seen: int) -> None:
            bar.set_description(f"epoch {row.epoch:.2f}/{trainer.config.epochs}", False)
            bar.set_postfix_str(
                f"loss {row.loss:.4f}, accuracy {row.accuracy:.2%}", refresh=False
            )
            bar.update(seen)
            # All processes stop after the same step, whichever was told to.
            asked = torch.tensor(float(is_stop_asked()), device=team.device)
            if team.total(asked).item():
                raise Stopped

        return trainer.run(show)
