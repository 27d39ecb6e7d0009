"""The training loop: batches in, weights and a log out, resumable at any step."""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, replace

import torch
from torch import Tensor, nn

from model.capsnet import CapsNet
from model.checkpoint import Progress, load_checkpoint, save_checkpoint
from model.computing import Computing
from model.config import CapsNetConfig, LossConfig, TrainingConfig
from model.data import Batch, DigitImages, epoch_batches
from model.evaluation import evaluate
from model.event_log import EventLog
from model.objective import Objective
from model.run_folder import RunFolder
from model.schedule import learning_rate
from model.team import Team
from model.training_log import Clock, Log, LogRow, RunningMeans
from model.winograd import WinogradConvolution

LOG_EVERY = 50  # steps
CHECKPOINT_EVERY_S = 300

Report = Callable[[LogRow, int], None]


class Stopped(KeyboardInterrupt):
    """Raised by a report to end a run between two steps, so that it can be resumed."""


class TrainingError(ValueError):
    """A run that cannot go on; the message says why."""


class Trainer:
    """One training run.

    Args:
        digits: all training images; the last `validation` of them are held out.
        folder: where checkpoint and log go.
        team: the processes that share the work.
        computing: how steps are computed.
        training: the recipe.
        sizes: the network's.
        loss: what is minimised.
        dataset: the images' name: a run is resumed with those it was begun with.
        start: a network of the same sizes, whose weights are begun with.
        events: whether the log is written for TensorBoard, too.

    Raises:
        ValueError: no training images are left, or sizes that Winograd's tile does not
            take.
    """

    def __init__(
        self,
        digits: DigitImages,
        folder: RunFolder,
        *,
        team: Team,
        computing: Computing,
        training: TrainingConfig,
        sizes: CapsNetConfig,
        loss: LossConfig,
        dataset: str = "mnist",
        start: CapsNet | None = None,
        events: bool = False,
    ) -> None:
        if training.validation >= len(digits):
            raise ValueError(
                f"validation must leave training images, got {training.validation} "
                f"of {len(digits)}"
            )
        self.folder = folder
        self.team = team
        self.reads_each_step = team.device.type == "cpu"
        self.config = training
        # A GPU would wait for images that come one batch at a time.
        stay = team.device if team.device.type == "cuda" else torch.device("cpu")
        parts = digits.split(training.validation)
        self.training_part, self.validation_part = (part.to(stay) for part in parts)
        torch.manual_seed(training.seed)
        self.network = CapsNet(sizes)
        self._start = start
        if start is not None:
            self.network.load_state_dict(start.state_dict())
        if computing.winograd:
            direct = self.network.primary.convolution
            self.network.primary.register_module(
                "convolution", WinogradConvolution(direct, sizes)
            )
        self.network.to(team.device)
        # With a pixel's channels side by side, both convolutions read memory in order.
        self.network.to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]
        self.average = deepcopy(self.network) if training.averaging else None
        objective = team.spread(
            Objective(self.network, loss, bfloat16=computing.bfloat16)
        )
        self.objective = torch.compile(objective) if computing.compiled else objective
        self.optimizer = torch.optim.Adam(self.network.parameters(), fused=True)
        self.progress = Progress()
        self.events = events
        self._saved_at = 0.0
        self.settings: dict[str, object] = {
            **asdict(training),
            **asdict(sizes),
            **asdict(loss),
            "dataset": dataset,
            "images": len(digits),
            "bfloat16": computing.bfloat16,
            "winograd": computing.winograd,
            "compiled": computing.compiled,
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

    @property
    def images_done(self) -> int:
        """Training images seen so far, each as often as it was."""
        before = self.progress.batch * self.config.batch_size
        return self.progress.epoch * len(self.training_part) + before

    def resume(self) -> None:
        """Continue from the folder's checkpoint.

        Raises:
            CheckpointError: it cannot be read or is of a run with other settings.
        """
        self.progress = load_checkpoint(
            self.folder.checkpoint, self._networks, self.optimizer, self.settings
        )

    def save(self) -> None:
        """Write the checkpoint; one process does.

        Raises:
            OSError: the disk is full, say; the previous checkpoint stays.
        """
        if self.team.rank == 0:
            save_checkpoint(
                self.folder.checkpoint,
                self._networks,
                self.optimizer,
                self.progress,
                self.settings,
            )

    def run(self, report: Report) -> CapsNet:
        """Train to the end, saving now and then.

        Args:
            report: called with the running means and the images seen since it was
                called before: after each step on a CPU, with each line of the log
                elsewhere. Raising `Stopped`, it ends the run, which is saved.

        Returns:
            The trained network, of the readable layers.

        Raises:
            TrainingError: the loss is no longer a number.
        """
        logs = self._open_logs()
        clock = Clock(self.progress.seconds)
        self._saved_at = clock.seconds
        try:
            while self.progress.epoch < self.config.epochs:
                self._run_epoch(logs, clock, report)
        except Stopped:
            self.save()
            raise
        finally:
            for log in logs:
                log.close()
        self.save()
        return self.trained()

    @property
    def _networks(self) -> dict[str, nn.Module]:
        """What a checkpoint keeps, by name."""
        networks: dict[str, nn.Module] = {"network": self.network}
        if self.average is not None:
            networks["average"] = self.average
        return networks

    def _open_logs(self) -> list[Log | EventLog]:
        if self.team.rank:
            return []
        logs: list[Log | EventLog] = [Log(self.folder.log, keep_until=self.steps_done)]
        if self.events:
            logs.append(EventLog(self.folder.events, keep_until=self.steps_done))
        return logs

    @torch.no_grad()
    def trained(self) -> CapsNet:
        """Return what has been learned so far, averaged if averages are kept."""
        source = self.network if self.average is None else self.average
        network = CapsNet(self.network.config).to(self.team.device)
        network.load_state_dict(source.state_dict())
        if self._start is not None:
            pairs = zip(network.parameters(), self._start.parameters(), strict=True)
            for value, first in pairs:
                value.lerp_(first.to(self.team.device), self.config.start_share)
        return network

    def _run_epoch(
        self, logs: list[Log | EventLog], clock: Clock, report: Report
    ) -> None:
        epoch = self.progress.epoch
        batches = epoch_batches(self.training_part, self.config, epoch=epoch)
        means = RunningMeans(clock.seconds, self.team.device)
        reported = self.images_done
        for number in range(self.progress.batch, len(batches)):
            batch = batches[number].read(self.team.rank, self.team.count)
            rate = learning_rate(self.steps_done, self.total_steps, self.config)
            means.add(self.step(batch, rate), batch.counted)
            is_end = number + 1 == len(batches)
            # Assigned in one go, so that an interruption finds steps whole.
            self.progress = Progress(
                epoch + is_end, 0 if is_end else number + 1, clock.seconds
            )
            is_line = is_end or self.steps_done % LOG_EVERY == 0
            if not (is_line or self.reads_each_step):
                continue  # reading a figure would make a GPU wait
            row = means.row(
                self.team,
                epoch=self.steps_done / self.steps_per_epoch,
                step=self.steps_done,
                seconds=clock.seconds,
                learning_rate=rate,
            )
            _check(row)
            if is_end and len(self.validation_part) and not self.team.rank:
                row = replace(row, validation_accuracy=self._validate())
            if is_line:
                for log in logs:
                    log.write(row)
                means = RunningMeans(clock.seconds, self.team.device)
            report(row, self.images_done - reported)
            reported = self.images_done
            if is_line and clock.seconds - self._saved_at > CHECKPOINT_EVERY_S:
                self._saved_at = clock.seconds
                self.save()

    def step(self, batch: Batch, rate: float) -> Tensor:
        """Take one step of Adam.

        Returns:
            Three means over the batch, on the device: margin loss, weighted
            reconstruction loss, and the share read right.
        """
        images = batch.images.to(self.team.device)
        labels = batch.labels.to(self.team.device)
        means = self.objective(images, labels)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        # The gradient is the mean over the processes; it should be that over images.
        (self.team.count * batch.share * means[:2].sum()).backward()
        self.optimizer.step()
        self._average()
        return means.detach()

    @torch.no_grad()
    def _average(self) -> None:
        if self.average is None:
            return
        # Less at first, so that a short run does not keep its random beginning.
        kept = min(
            self.config.averaging, (1 + self.steps_done) / (10 + self.steps_done)
        )
        for mean, value in zip(
            self.average.parameters(), self.network.parameters(), strict=True
        ):
            mean.lerp_(value, 1 - kept)

    def _validate(self) -> float:
        network = self.trained()
        return 1 - evaluate(network, self.validation_part, self.team.device).error


def _check(row: LogRow) -> None:
    if not math.isfinite(row.loss):
        raise TrainingError(
            f"the loss is {row.loss} after step {row.step}: training has failed. "
            "A lower --learning-rate may help"
        )
