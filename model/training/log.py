"""A training run's log: a CSV file with one line of means every few steps."""

import csv
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a run's log: means since the previous line.

    Attributes:
        epoch: epochs done, including the fraction of the current one.
        step: optimizer steps done.
        seconds: training time so far.
        images_per_second: speed since the previous line.
        learning_rate: in the last step.
        loss: the total that training minimises.
        class_loss: its first term, the classification loss.
        reconstruction_loss: its second term, weighted.
        accuracy: share of training images read right, before each step.
        validation_accuracy: share of held-out images read right, at an epoch's end.
        further: the figures that the architecture logs, by name.
        further_loss: the architecture's further terms, weighted; 0 without any.
    """

    epoch: float
    step: int
    seconds: float
    images_per_second: float
    learning_rate: float
    loss: float
    class_loss: float
    reconstruction_loss: float
    accuracy: float
    validation_accuracy: float | None = None
    further_loss: float = 0.0
    further: Mapping[str, float] = field(default_factory=dict)

    @property
    def cells(self) -> dict[str, float | None]:
        """Every figure by the name of its column."""
        cells = asdict(self)
        further = cells.pop("further")
        return cells | further


class Clock:
    """Measures training time, including earlier sittings."""

    def __init__(self, before: float) -> None:
        self._start = time.monotonic() - before

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self._start

    def skip(self, seconds: float) -> None:
        """Leave out seconds in which nothing was trained."""
        self._start += seconds


class RunningMeans:
    """Means over the steps since the last line of the log.

    Args:
        since: training time at that line, in seconds.
        device: where the sums are kept. They leave it only when `row` is called, so
            that a GPU never waits for figures that nobody reads.
        further: names of the figures that the architecture logs.
    """

    def __init__(
        self, since: float, device: torch.device, further: Sequence[str] = ()
    ) -> None:
        self._since = since
        self._further = tuple(further)
        self._sums = torch.zeros(5 + len(self._further), device=device)

    def add(self, means: Tensor, images: int) -> None:
        """Add one step's means (4 + further,), weighted by its number of images."""
        self._sums[:-1] += images * means
        self._sums[-1] += images

    def row(
        self,
        *,
        epoch: float,
        step: int,
        seconds: float,
        learning_rate: float,
    ) -> LogRow:
        """Return the log line for the steps so far."""
        *sums, images = self._sums.tolist()
        classes, reconstruction, added, accuracy, *more = (
            total / images for total in sums
        )
        return LogRow(
            epoch=epoch,
            step=step,
            seconds=seconds,
            images_per_second=images / max(seconds - self._since, 1e-9),
            learning_rate=learning_rate,
            loss=classes + reconstruction + added,
            class_loss=classes,
            reconstruction_loss=reconstruction,
            further_loss=added,
            accuracy=accuracy,
            further=dict(zip(self._further, more, strict=True)),
        )


class Log:
    """The run's log as CSV; lines of steps after `keep_until` are dropped.

    Args:
        path: the file; created if missing.
        further: names of the figures that the architecture logs.
        keep_until: the last step to keep when a run is resumed.
    """

    def __init__(
        self, path: Path, further: Sequence[str] = (), *, keep_until: int
    ) -> None:
        self.path = path
        names = [field.name for field in fields(LogRow) if field.name != "further"]
        names += further
        kept: list[dict[str, str]] = []
        if path.exists() and keep_until > 0:
            with path.open(newline="") as file:
                kept = [
                    row
                    for row in csv.DictReader(file)
                    # A line truncated by a crash lacks its last cells.
                    if None not in row.values() and int(row["step"]) <= keep_until
                ]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(kept)

    def write(self, row: LogRow) -> None:
        """Add one line.

        Raises:
            OSError: it cannot be written, for example on a full disk; nothing was.
        """
        values = [_cell(value) for value in row.cells.values()]
        before = self.path.stat().st_size
        try:
            with self.path.open("a", newline="") as file:
                csv.writer(file).writerow(values)
        except OSError:  # on a full disk, half a line may have been written
            os.truncate(self.path, before)
            raise


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
