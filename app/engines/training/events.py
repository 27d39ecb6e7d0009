"""The events of a run: one JSON object a line, added by whoever holds the run.

A line that is no event is passed over. A process that was killed leaves half a line,
and a disk may lose or change some bytes.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter, ValidationError

from capsnet_explorer.app.engines.training.facts import State
from capsnet_explorer.storage.regular import require_file

Count = Annotated[int, Field(ge=0, lt=2**53)]


class _Event(BaseModel, strict=True):
    """What every event tells."""

    step: Count
    images: Count
    seconds: FiniteFloat


class StateEvent(_Event):
    """The run does something else."""

    event: Literal["state"]
    state: State
    message: str | None = None
    total: Count | None = None
    examples: Count | None = None
    error: FiniteFloat | None = None
    tested: Count | None = None


class ProgressEvent(_Event):
    """Means over the last steps."""

    event: Literal["progress"]
    epoch: FiniteFloat
    loss: FiniteFloat
    accuracy: FiniteFloat
    learning_rate: FiniteFloat
    class_loss: FiniteFloat | None = None
    reconstruction_loss: FiniteFloat | None = None
    images_per_second: FiniteFloat | None = None
    further: dict[str, FiniteFloat] = {}


class SnapshotEvent(_Event):
    """There is a snapshot more; of one without bytes, what it was tested to be."""

    event: Literal["snapshot"]
    bytes: Count
    error: FiniteFloat | None = None
    tested: Count | None = None


class RateEvent(_Event):
    """Somebody set the learning rate."""

    event: Literal["rate"]
    learning_rate: FiniteFloat | None


Event = StateEvent | ProgressEvent | SnapshotEvent | RateEvent
_EVENTS: TypeAdapter[Event] = TypeAdapter(
    Annotated[
        Event,
        Field(discriminator="event"),
    ]
)


class EventLog:
    """A file of events, read as it grows.

    Args:
        file: one event a line.

    Attributes:
        lost: lines so far that are no events.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lost = 0
        self._read = 0  # bytes

    def new(self) -> list[tuple[str, Event]]:
        """Return the events since the last call, each as its line and as it was read.

        Raises:
            OSError: the file cannot be read; one that is not there has no events.
            LogCut: it has lost bytes that were read before.
        """
        try:
            require_file(self.file)
            with self.file.open("rb") as events:
                if events.seek(0, 2) < self._read:
                    raise LogCut
                events.seek(self._read)
                content = events.read()
        except FileNotFoundError:
            if self._read:
                raise LogCut from None
            return []
        content = content[: content.rfind(b"\n") + 1]
        self._read += len(content)
        pairs = []
        for line in filter(None, content.decode(errors="replace").split("\n")):
            event = _event(line)
            if event is None:
                self.lost += 1
            else:
                pairs.append((line, event))
        return pairs


class LogCut(Exception):
    """A file of events is shorter than it was."""


def _event(line: str) -> Event | None:
    try:
        return _EVENTS.validate_json(line)
    except ValidationError:
        return None


def add_event(file: Path, line: bytes) -> None:
    """Add a line to a file of events, while no process writes any.

    Raises:
        OSError: it cannot be written, for example on a full disk.
    """
    file.parent.mkdir(exist_ok=True)
    with file.open("ab+") as events:
        # A process that was killed may have left half a line.
        events.seek(max(0, events.tell() - 1))
        start = b"" if events.read() in (b"", b"\n") else b"\n"
        events.write(start + line + b"\n")


def as_dict(event: Event) -> dict[str, Any]:
    """Return what an event tells, without what it leaves open."""
    return event.model_dump(exclude_none=True)
