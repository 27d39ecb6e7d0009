"""One training run from the command line: data, bar, weights, card."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from tqdm import tqdm

from model.capsnet import CapsNet
from model.card import measure, provenance
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import load_mnist
from model.device import chosen_device, has_fast_bfloat16, keep_large_buffers
from model.report import report
from model.training import RunFolder, Trainer
from model.training_log import LogRow
from model.weights import card_path, save_weights


def train_and_measure(
    recipe: TrainingConfig,
    *,
    run: Path,
    data: Path,
    output: Path | None,
    resume: bool,
    device: str,
    precision: str,
    threads: int,
    command: str,
) -> None:
    """Train, read the test set once, write weights and card.

    Args:
        recipe: what decides the outcome.
        run: folder for checkpoint and log.
        data: folder that holds MNIST/raw.
        output: the weight file; in the run's folder if None.
        resume: continue the run in that folder.
        device: `auto`, `cpu`, `cuda` or `mps`.
        precision: `auto`, `float32` or `bfloat16`.
        threads: CPU threads; 0 leaves torch's choice.
        command: what was typed, for the card.

    Raises:
        ValueError: the folder holds a run already and `resume` is false.
        DataError: MNIST is missing or broken.
        CheckpointError: the run cannot be resumed.
    """
    folder = RunFolder(run)
    if folder.checkpoint.exists() and not resume:
        raise ValueError(
            f"{run} holds a run already; add --resume to continue it, "
            "or name another folder with --run"
        )
    keep_large_buffers()
    if threads < 0:
        raise ValueError(f"threads must not be negative, got {threads}")
    if threads:
        torch.set_num_threads(threads)
    where = chosen_device(device)
    sizes, loss = CapsNetConfig(), LossConfig()
    bfloat16 = precision == "bfloat16" or (
        precision == "auto" and has_fast_bfloat16(where)
    )
    digits, test = load_mnist(data, train=True), load_mnist(data, train=False)
    trainer = Trainer(
        digits,
        folder,
        device=where,
        bfloat16=bfloat16,
        training=recipe,
        sizes=sizes,
        loss=loss,
    )
    if resume:
        trainer.resume()
    with _stop_asked() as is_stop_asked:
        network = _with_progress_bar(trainer, is_stop_asked)
    evaluation, figures = measure(network, test, where)
    weights = output or run / "capsnet-mnist.safetensors"
    origin = provenance(
        command=command,
        device=where,
        bfloat16=bfloat16,
        seconds=trainer.progress.seconds,
        training_images=len(trainer.training_part),
        training=recipe,
        loss=loss,
        sizes=sizes,
    )
    save_weights(weights, network, {**origin, **figures})
    print(report(evaluation))
    print(f"\nWrote {weights} and {card_path(weights)}")


def _with_progress_bar(trainer: Trainer, is_stop_asked: Callable[[], bool]) -> CapsNet:
    images = trainer.config.epochs * len(trainer.training_part)
    before = trainer.steps_done * trainer.config.batch_size
    with tqdm(
        total=images, initial=min(before, images), unit=" images", smoothing=0.05
    ) as bar:

        def show(row: LogRow, seen: int) -> None:
            bar.set_description(f"epoch {row.epoch:.2f}/{trainer.config.epochs}", False)
            bar.set_postfix_str(
                f"loss {row.loss:.4f}, accuracy {row.accuracy:.2%}", refresh=False
            )
            bar.update(seen)
            if is_stop_asked():
                raise KeyboardInterrupt

        return trainer.run(show)


@contextmanager
def _stop_asked() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C and SIGTERM, so that a run stops between two steps.

    Stopped inside a step, it might keep weights that have taken the step beside a
    progress that has not, and would not resume bit for bit. A second signal stops at
    once.
    """
    asked = False

    def note(_signal: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, note) for number in signals]
    try:
        yield lambda: asked
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
