"""The training loop: batches in, weights and a log out, resumable at any step."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from model.capsnet import CapsNet
from model.checkpoint import Progress, load_checkpoint, save_checkpoint
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import Batch, DigitImages, epoch_batches
from model.evaluation import evaluate
from model.loss import margin_loss, reconstruction_loss
from model.training_log import Clock, Log, LogRow, RunningMeans

LOG_EVERY = 50  # steps
CHECKPOINT_EVERY_S = 300


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
        self, log: Log, clock: Clock, report: Callable[[LogRow, int], None]
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
