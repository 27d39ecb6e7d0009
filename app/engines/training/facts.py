"""What a training run says of itself, for routes, clients and the document."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
ENDED = ("done", "stopped", "failed")


class RunFacts(BaseModel):
    """What a training run has done so far."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    id: str
    """Names the run in addresses."""
    state: State
    """What it does."""
    place: int = 0
    """In the queue while it waits, 1 is next; else 0."""
    recipe: Mapping[str, Any]
    """As it was requested."""
    architecture: str
    """Its kind of network."""
    preset: str
    """What the recipe changes."""
    settings: Mapping[str, Any]
    """Every setting, by name."""
    started: str
    """When it was requested, in UTC."""
    total: int = 0
    """Steps of the whole run; 0 until it has begun."""
    step: int = 0
    """Steps so far."""
    images: int = 0
    """Training images so far, counted once for each epoch."""
    seconds: float = 0.0
    """Of training so far, without pauses."""
    loss: float | None = None
    """Mean over the last steps that were told of."""
    accuracy: float | None = None
    """Share of these steps' training images that were read right."""
    learning_rate: float | None = None
    """In the last of these steps."""
    error: float | None = None
    """Share of `tested` images that were misread when last tested."""
    tested: int | None = None
    """Number of these, the first ones of the test set."""
    snapshots: tuple[int, ...] = ()
    """Steps; each is the model `<id>@<step>` under `/api/models/`."""
    events: int = 0
    """How many there are so far."""
    bytes: int = 0
    """Of the snapshots."""
    message: str | None = None
    """Why it failed, stopped or waits, or that it learned nothing."""
    can_go_on: bool = False
    """Whether it ended too early, and can be asked to go on: `running`."""
    damage: str | None = None
    """What of its files cannot be read; all else is as it was."""
