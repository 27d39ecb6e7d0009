"""The training loop: batches in, weights and a log out, resumable at any step."""

import csv
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import torch

from model.capsnet import CapsNet
from model.checkpoint import Progress, load_checkpoint, save_checkpoint
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import Batch, DigitImages, epoch_batches
from model.evaluation import evaluate
from model.loss import margin_loss, reconstruction_loss

LOG_EVERY = 50  # steps
CHECKPOINT_EVERY_S = 300


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a run's log: means since the line before.

    Attributes:
        epoch: epochs done, with fraction.
        step: optimizer steps done.
        seconds: training time so far.
        images_per_second: speed since the line before.
        learning_rate: in the last step.
        loss: what is minimised.
        margin_loss: its first part.
        reconstruction_loss: its second part, weighted.
        accuracy: share of training images read right, before each step.
        validation_accuracy: share of held-out images read right, at an epoch's end.
    """

    epoch: float
    step: int
    seconds: float
    images_per_second: float
    learning_rate: float
    loss: float
    margin_loss: float
    reconstruction_loss: float
    accuracy: float
    validation_accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where one run keeps its files."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Where the run stands."""
        return self.path / "checkpoint.safetensors"

    @property
    def log(self) -> Path:
        """The log, one `LogRow` a line."""
        return self.path / "log.csv"


def learning_rate(step: int, total_steps: int, config: TrainingConfig) -> float:
    """Return Adam's rate for step 0, 1, ..., total_steps - 1."""
    if config.schedule == "exponential":
        return config.learning_rate * config.decay ** (step / config.decay_steps)
    warmup = min(config.warmup_steps, total_steps)
    if step < warmup:
        return config.learning_rate * (step + 1) / warmup
    done = (step - warmup) / max(1, total_steps - warmup)
    return config.learning_rate * (1 + math.cos(math.pi * done)) / 2


class Trainer:
    """One training run.

    Args:
        digits: all training images; the last `validation` of them are held out.
        folder: where checkpoint and log go.
        device: where to compute.
        bfloat16: whether products are computed in bfloat16 (autocast).
        training: the recipe.
        sizes: the network's.
        loss: what is minimised.

    Raises:
        ValueError: no training images are left.
    """

    def __init__(
        self,
        digits: DigitImages,
        folder: RunFolder,
        *,
        device: torch.device,
        bfloat16: bool,
        training: TrainingConfig,
        sizes: CapsNetConfig,
        loss: LossConfig,
    ) -> None:
        self.training_part, self.validation_part = digits.split(training.validation)
        if not len(self.training_part):
            raise ValueError(
                f"validation must leave training images, got {training.validation} "
                f"of {len(digits)}"
            )
        self.folder = folder
        self.device = device
        self.bfloat16 = bfloat16
        self.config = training
        self.loss = loss
        torch.manual_seed(training.seed)
        self.network = CapsNet(sizes).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), fused=True)
        self.progress = Progress()
        self._saved_at = 0.0
        self.settings: dict[str, object] = {
            **asdict(training),
            **asdict(sizes),
            **asdict(loss),
            "images": len(digits),
            "bfloat16": bfloat16,
        }

    @property
    def steps_per_epoch(self) -> int:
        """Optimizer steps in one pass; the last batch may be smaller."""
        return math.ceil(len(self.training_part) / self.config.batch_size)

    @property
    def total_steps(self) -> int:
        """Optimizer steps of the whole run."""
        return self.config.epochs * self.steps_per_epoch

    @property
    def steps_done(self) -> int:
        """Optimizer steps so far, earlier sittings included."""
        return self.progress.epoch * self.steps_per_epoch + self.progress.batch

    def resume(self) -> None:
        """Continue from the folder's checkpoint.

        Raises:
            CheckpointError: it cannot be read or is of a run with other settings.
        """
        self.progress = load_checkpoint(
            self.folder.checkpoint, self.network, self.optimizer, self.settings
        )

    def save(self) -> None:
        """Write the checkpoint."""
        save_checkpoint(
            self.folder.checkpoint,
            self.network,
            self.optimizer,
            self.progress,
            self.settings,
        )

    def run(self, report: Callable[[LogRow, int], None]) -> CapsNet:
        """Train to the end, saving now and then, also when interrupted.

        Args:
            report: called after each step with the running means and images seen.

        Returns:
            The trained network.
        """
        log = Log(self.folder.log, keep_until=self.steps_done)
        clock = Clock(self.progress.seconds)
        self._saved_at = clock.seconds
        try:
            while self.progress.epoch < self.config.epochs:
                self._run_epoch(log, clock, report)
        finally:
            self.save()
        return self.network

    def _run_epoch(
        self, log: "Log", clock: "Clock", report: Callable[[LogRow, int], None]
    ) -> None:
        epoch = self.progress.epoch
        batches = epoch_batches(
            self.training_part,
            epoch=epoch,
            batch_size=self.config.batch_size,
            shift=self.config.shift,
            seed=self.config.seed,
        )
        means = RunningMeans(clock.seconds)
        for number in range(self.progress.batch, len(batches)):
            batch = batches[number].read()
            rate = learning_rate(self.steps_done, self.total_steps, self.config)
            means.add(self.step(batch, rate), len(batch.labels))
            is_end = number + 1 == len(batches)
            # Assigned in one go, so that an interruption finds steps whole.
            self.progress = Progress(
                epoch + is_end, 0 if is_end else number + 1, clock.seconds
            )
            row = means.row(
                epoch=self.steps_done / self.steps_per_epoch,
                step=self.steps_done,
                seconds=clock.seconds,
                learning_rate=rate,
                validation_accuracy=self._validate() if is_end else None,
            )
            report(row, len(batch.labels))
            if is_end or self.steps_done % LOG_EVERY == 0:
                log.write(row)
                means = RunningMeans(clock.seconds)
                if clock.seconds - self._saved_at > CHECKPOINT_EVERY_S:
                    self._saved_at = clock.seconds
                    self.save()

    def step(self, batch: Batch, rate: float) -> tuple[float, float, float]:
        """Take one step of Adam.

        Returns:
            Margin loss, weighted reconstruction loss, and the share read right.
        """
        images = batch.images.to(self.device)
        labels = batch.labels.to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            trace = self.network(images, keep=labels)
        margin = margin_loss(trace.lengths, labels, self.loss)
        reconstruction = reconstruction_loss(trace.reconstruction, images, self.loss)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        (margin + reconstruction).backward()
        self.optimizer.step()
        right = (trace.lengths.argmax(dim=1) == labels).float().mean()
        return margin.item(), reconstruction.item(), right.item()

    def _validate(self) -> float | None:
        if not len(self.validation_part):
            return None
        return 1 - evaluate(self.network, self.validation_part, self.device).error


class Clock:
    """Seconds of training, earlier sittings included."""

    def __init__(self, before: float) -> None:
        self._start = time.monotonic() - before

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self._start


class RunningMeans:
    """Means over the steps since the last line of the log."""

    def __init__(self, since: float) -> None:
        self._since = since
        self._images = 0
        self._sums = torch.zeros(3, dtype=torch.float64)

    def add(self, figures: tuple[float, float, float], images: int) -> None:
        """Count one step's figures, weighted by its images."""
        self._images += images
        self._sums += images * torch.tensor(figures, dtype=torch.float64)

    def row(
        self,
        *,
        epoch: float,
        step: int,
        seconds: float,
        learning_rate: float,
        validation_accuracy: float | None,
    ) -> LogRow:
        """Return the line that the log would get now."""
        margin, reconstruction, accuracy = (self._sums / self._images).tolist()
        return LogRow(
            epoch=epoch,
            step=step,
            seconds=seconds,
            images_per_second=self._images / max(seconds - self._since, 1e-9),
            learning_rate=learning_rate,
            loss=margin + reconstruction,
            margin_loss=margin,
            reconstruction_loss=reconstruction,
            accuracy=accuracy,
            validation_accuracy=validation_accuracy,
        )


class Log:
    """The run's log as CSV; lines past the step resumed from are dropped.

    Args:
        path: the file, made if missing.
        keep_until: the last step whose line stays.
    """

    def __init__(self, path: Path, keep_until: int) -> None:
        self.path = path
        names = [field.name for field in fields(LogRow)]
        kept: list[dict[str, str]] = []
        if path.exists() and keep_until > 0:
            with path.open(newline="") as file:
                kept = [
                    row
                    for row in csv.DictReader(file)
                    # A line that a crash cut short lacks its last cells.
                    if None not in row.values() and int(row["step"]) <= keep_until
                ]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(kept)

    def write(self, row: LogRow) -> None:
        """Add one line."""
        values = [_cell(value) for value in asdict(row).values()]
        with self.path.open("a", newline="") as file:
            csv.writer(file).writerow(values)


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
