"""A training run's log for TensorBoard: one curve for each figure."""

from pathlib import Path

from capsnet_explorer.model.training.log import LogRow


class EventLog:
    """The log as event files; TensorBoard hides steps after `keep_until`.

    Args:
        folder: for the event files; created if missing.
        keep_until: the last step to keep when a run is resumed.

    Raises:
        ValueError: tensorboardX is not installed.
    """

    def __init__(self, folder: Path, keep_until: int) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError as error:
            raise ValueError(
                "--events needs tensorboardX: pip install -r requirements-train.txt"
            ) from error
        self._writer = SummaryWriter(str(folder), purge_step=keep_until + 1)

    def write(self, row: LogRow) -> None:
        """Add one point to each curve."""
        figures = row.cells
        del figures["step"]
        for name, value in figures.items():
            if value is not None:
                self._writer.add_scalar(name, value, row.step)

    def close(self) -> None:
        """Flush buffered points to the disk."""
        self._writer.close()
