"""The training loop: batches in, weights and a log out, resumable at any step."""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.batches import Batch, epoch_batches
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.presence import Presence, multi_hot
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.setting import settings_in
from capsnet_explorer.model.training.checkpoint import (
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from capsnet_explorer.model.training.folder import RunFolder
from capsnet_explorer.model.training.log import Clock, Log, LogRow, RunningMeans
from capsnet_explorer.model.training.objective import Objective
from capsnet_explorer.model.training.schedule import learning_rate

LOG_EVERY = 50  # steps
CHECKPOINT_EVERY_S = 300
FITTED_TO = 64  # images that random weights may be adjusted to

Report = Callable[[LogRow, int], None]


class Stopped(KeyboardInterrupt):
    """Raised by a report to stop a run between two steps, so that it can be resumed."""


class TrainingError(ValueError):
    """A run that cannot continue; the message says why."""


class Trainer:
    """One training run.

    Args:
        architecture: the kind of network to train.
        labelled: all training images; the last `validation` of them are held out.
        folder: for checkpoint and log.
        computing: how steps are computed, and where.
        training: the recipe.
        sizes: the network's sizes.
        loss: settings of the loss.
        dataset: name of the data set; a run can only be resumed with the same one.
        start: a network of the same sizes that provides the initial weights.
        held_out: images of the data set's own part for validation, if it has one.

    Attributes:
        clock: measures the training time.
        held_rate: the learning rate in place of the schedule's, from the next step on;
            None follows the schedule.
        checkpoint_every_s: training time between two checkpoints, at least.
        checkpoint_rest: the same, in durations of the one before.
        log_every: steps between two lines of the log, each the means since the last.
        reads_each_step: whether `report` is called after each step, or only with each
            line of the log.
        written: does what writes to the disk. It may wait until there is room.

    Raises:
        ValueError: no training images are left, or Winograd's tile cannot cover the
            maps.
    """

    def __init__(
        self,
        architecture: Architecture,
        labelled: LabelledImages,
        folder: RunFolder,
        *,
        computing: Computing,
        training: TrainingConfig,
        sizes: Any,
        loss: Any,
        dataset: str = "mnist",
        start: Network | None = None,
        held_out: LabelledImages | None = None,
    ) -> None:
        if training.validation >= len(labelled):
            raise ValueError(
                f"validation must leave training images, got {training.validation} "
                f"of {len(labelled)}"
            )
        self.architecture = architecture
        self.folder = folder
        self.device = computing.device
        self.reads_each_step = self.device.type == "cpu"
        self.config = training
        # The images stay on the GPU: it would wait for batches copied one by one.
        stay = self.device if self.device.type == "cuda" else torch.device("cpu")
        used, last = labelled.split(training.validation)
        held_out = held_out or last
        if training.examples:
            used = used.drawn(training.examples, training.seed)
        self.training_part, self.validation_part = used.to(stay), held_out.to(stay)
        self.rule = Presence(labelled.most_present)
        torch.manual_seed(training.seed)
        self.network = architecture.build(sizes)
        self._start = start
        if start is None:
            first = self.training_part.first(FITTED_TO).cpu()
            architecture.fit_start(self.network, to_network(first))
        else:
            self.network.load_state_dict(start.state_dict())
        architecture.prepare_training(self.network, sizes, computing)
        self.network.to(self.device)
        # With a pixel's channels adjacent, convolutions read memory in order.
        self.network.to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]
        self.average = deepcopy(self.network) if training.averaging else None
        objective = Objective(
            architecture, self.network, loss, bfloat16=computing.bfloat16
        )
        self.objective = torch.compile(objective) if computing.compiled else objective
        self.optimizer = torch.optim.Adam(
            architecture.parameter_groups(self.network), fused=True
        )
        self.progress = Progress()
        self.clock = Clock(0.0)
        self.held_rate: float | None = None
        self.checkpoint_every_s: float = CHECKPOINT_EVERY_S
        self.checkpoint_rest = 0.0
        self.log_every = LOG_EVERY
        self.written: Callable[[Callable[[], None]], None] = lambda job: job()
        self._saved_at, self._saving_s = 0.0, 0.0
        self.settings: dict[str, object] = {
            "architecture": architecture.name,
            **asdict(training),
            **asdict(sizes),
            **asdict(loss),
            "dataset": dataset,
            "images": len(labelled),
            "bfloat16": computing.bfloat16,
            "winograd": computing.winograd,
            "compiled": computing.compiled,
        }
        # What a setting was in a run that was made before there was the setting.
        self._before: dict[str, object] = {
            name: setting.default
            for part in (training, sizes, loss)
            for name, setting in settings_in(type(part)).items()
        }

    @property
    def steps_per_epoch(self) -> int:
        """Optimizer steps in one epoch; the last batch may be smaller."""
        return math.ceil(len(self.training_part) / self.config.batch_size)

    @property
    def total_steps(self) -> int:
        """Optimizer steps of the whole run."""
        return self.config.epochs * self.steps_per_epoch

    @property
    def steps_done(self) -> int:
        """Optimizer steps so far, including earlier sittings."""
        return self.progress.epoch * self.steps_per_epoch + self.progress.batch

    @property
    def images_done(self) -> int:
        """Training images seen so far, counted once for each epoch."""
        before = self.progress.batch * self.config.batch_size
        return self.progress.epoch * len(self.training_part) + before

    def resume(self) -> None:
        """Continue from the folder's checkpoint.

        Raises:
            CheckpointError: it cannot be read, or its run had other settings.
        """
        self.progress = load_checkpoint(
            self.folder.checkpoint,
            self._networks,
            self.optimizer,
            self.settings,
            self._before,
        )

    def save(self) -> None:
        """Write the checkpoint.

        Raises:
            OSError: writing failed, for example on a full disk. The previous checkpoint
                stays.
        """
        self.written(
            lambda: save_checkpoint(
                self.folder.checkpoint,
                self._networks,
                self.optimizer,
                self.progress,
                self.settings,
            )
        )

    def run(self, report: Report) -> Network:
        """Train to the end, saving a checkpoint every few minutes.

        Args:
            report: called with the running means and the number of images seen since
                the previous call; after each step on a CPU, with each line of the log
                elsewhere. It may raise `Stopped`, which saves and stops the run.

        Returns:
            The trained network, built from the readable layers.

        Raises:
            TrainingError: the loss is no longer a number.
        """
        log = Log(self.folder.log, self.architecture.logged, keep_until=self.steps_done)
        self.clock = Clock(self.progress.seconds)
        self._saved_at = self.clock.seconds
        try:
            while self.progress.epoch < self.config.epochs:
                self._run_epoch(log, report)
        except Stopped:
            self.save()
            raise
        self.save()
        return self.trained()

    @property
    def _networks(self) -> dict[str, nn.Module]:
        """The networks that a checkpoint saves, by name."""
        networks: dict[str, nn.Module] = {"network": self.network}
        if self.average is not None:
            networks["average"] = self.average
        return networks

    @torch.no_grad()
    def trained(self) -> Network:
        """Return the network as trained so far, with averaged weights if any."""
        source = self.network if self.average is None else self.average
        network = self.architecture.build(self.network.config).to(self.device)
        network.load_state_dict(source.state_dict())
        if self._start is not None:
            pairs = zip(network.parameters(), self._start.parameters(), strict=True)
            for value, first in pairs:
                value.lerp_(first.to(self.device), self.config.start_share)
        return network.eval()

    def _run_epoch(self, log: Log, report: Report) -> None:
        clock = self.clock
        epoch = self.progress.epoch
        batches = epoch_batches(self.training_part, self.config, epoch=epoch)
        means = self._new_means(clock)
        reported = self.images_done
        for number in range(self.progress.batch, len(batches)):
            batch = batches[number].read()
            rate = self.held_rate or learning_rate(
                self.steps_done, self.total_steps, self.config
            )
            means.add(self.step(batch, rate), len(batch.labels))
            is_end = number + 1 == len(batches)
            # A single assignment, so that an interruption finds no half-counted step.
            self.progress = Progress(
                epoch + is_end, 0 if is_end else number + 1, clock.seconds
            )
            is_line = is_end or self.steps_done % self.log_every == 0
            if not (is_line or self.reads_each_step):
                continue  # reading the means would make a GPU wait
            row = means.row(
                epoch=self.steps_done / self.steps_per_epoch,
                step=self.steps_done,
                seconds=clock.seconds,
                learning_rate=rate,
            )
            _check(row)
            if is_end and len(self.validation_part):
                row = replace(row, validation_accuracy=self._validate())
            if is_line:
                self.written(partial(log.write, row))
                means = self._new_means(clock)
            report(row, self.images_done - reported)
            reported = self.images_done
            rest = max(self.checkpoint_every_s, self.checkpoint_rest * self._saving_s)
            if is_line and clock.seconds - self._saved_at > rest:
                began = clock.seconds
                self.save()
                self._saved_at = clock.seconds
                self._saving_s = self._saved_at - began

    def _new_means(self, clock: Clock) -> RunningMeans:
        return RunningMeans(clock.seconds, self.device, self.architecture.logged)

    def step(self, batch: Batch, rate: float) -> Tensor:
        """Take one step of Adam.

        Returns:
            The objective's means over the batch, on the device.
        """
        # Dropout depends on seed and step alone, so that a resumed run ends where an
        # uninterrupted one would.
        torch.manual_seed(1_000_003 * self.config.seed + self.steps_done)
        images = batch.images.to(self.device)
        present = multi_hot(batch.labels, self.network.config.classes)
        targets = {
            name: value.to(self.device)
            for name in ("clean", "keep")
            if (value := getattr(batch, name)) is not None
        }
        means = self.objective(
            images,
            present.to(self.device),
            self.steps_done / self.total_steps,
            **targets,
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get("factor", 1.0)
        self.optimizer.zero_grad()
        means[:3].sum().backward()
        if self.config.clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.optimizer.step()
        self._average()
        return means.detach()

    @torch.no_grad()
    def _average(self) -> None:
        if self.average is None:
            return
        # Less at first, so that a short run does not retain its random initial weights.
        kept = min(
            self.config.averaging, (1 + self.steps_done) / (10 + self.steps_done)
        )
        means, values = (
            chain(network.parameters(), network.buffers())
            for network in (self.average, self.network)
        )
        for mean, value in zip(means, values, strict=True):
            if value.is_floating_point():  # as batch norm's running figures are
                mean.lerp_(value, 1 - kept)

    def _validate(self) -> float:
        network = self.trained()
        outcome = evaluate(network, self.validation_part, self.device, rule=self.rule)
        return 1 - outcome.error


def _check(row: LogRow) -> None:
    if not math.isfinite(row.loss):
        raise TrainingError(
            f"the loss is {row.loss} after step {row.step}: training has failed. "
            "A lower learning rate may help"
        )
