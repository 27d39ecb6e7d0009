"""The contents of requests about training: recipes, runs, sets of one's own images."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, FiniteFloat

from capsnet_explorer.app.api.payloads import MAX_NAMES, Index, Name, Payload, whole


class RecipeRequest(Payload, extra="allow"):
    """The recipe of a training run. Every setting in `/api/recipes` is a field, too."""

    architecture: Name | None = Field(
        None, description="Default: as `default` in `/api/recipes`."
    )
    preset: Name | None = Field(
        None, description="What the settings change; default: the architecture's."
    )
    dataset: Name | None = Field(
        None, description="Default: mnist. `set:<id>` is a set of one's own images."
    )
    symbols: dict[str, Any] | Name | None = Field(
        None,
        description="For the data set `symbols`: a set of symbols, as its file has it, "
        "or the id of a run that trained on one.",
    )
    start: Name | None = Field(
        None,
        description="What to start from in place of random weights: a snapshot, such "
        "as 3f2a9c01@640, or the id of a model. What is not named is then as in the "
        "snapshot's run; sizes stay. For other classes, the layers that depend on "
        "these begin at random all the same.",
    )
    threads: int | None = Field(
        None,
        strict=True,
        ge=0,
        description="Processor threads; 0, the default: one for each core.",
    )

    def choices(self) -> dict[str, Any]:
        """Return what the request names."""
        return self.model_dump(exclude_none=True)


class Downloaded(Payload):
    """Names a data set to download."""

    dataset: Name = Field(description="A data set's `name` in `/api/recipes`.")


class RunPath(Payload):
    """Names a training run."""

    id: str = Field(description="A run's `id` in `/api/runs`.")


class SetPath(Payload):
    """Names a set of images."""

    id: str = Field(description="A set's `id` in `/api/sets`.")


class NewSetQuery(Payload):
    """A set of images to add."""

    name: Annotated[str, Field(max_length=300)] | None = Field(
        None, description="Of the file; default: the form's."
    )
    size: int | None = Field(
        None, ge=1, description="Bytes of a file that will come in pieces."
    )


class PieceQuery(Payload):
    """Where a piece of a file begins."""

    offset: int = Field(ge=0, description="Bytes that came before.")


Side = Annotated[int, Field(strict=True, ge=8, le=256), BeforeValidator(whole)]


class SetChange(Payload):
    """What is to be otherwise in a set of pictures; the rest stays."""

    size: tuple[Side, Side] | None = Field(
        None, description="Rows and columns of an image."
    )
    channels: Literal[1, 3] | None = Field(None, description="1: grey; 3: in colour.")
    inverted: Annotated[bool, Field(strict=True)] | None = Field(
        None, description="Whether light and dark change places, as for ink on paper."
    )
    left_out: Annotated[list[Name], Field(max_length=MAX_NAMES)] | None = Field(
        None, description="Names of further classes to leave out."
    )
    folders: Literal["parts", "classes"] | None = Field(
        None,
        description="What the outermost folders are: parts, with the classes in them, "
        "or classes. A set that is unclear needs it.",
    )

    def choices(self) -> dict[str, Any]:
        """Return what the request names."""
        return self.model_dump(exclude_none=True)


class RunChange(Payload):
    """What a training run is asked to do before its next step."""

    learning_rate: FiniteFloat | None = Field(
        None,
        strict=True,
        ge=1e-6,
        le=1e6,
        description="From the next step on; null goes back to the recipe's schedule.",
    )
    state: Literal["paused", "running", "stopped"] | None = Field(
        None, description="What to do from the next step on; a run that stopped ends."
    )

    def choices(self) -> dict[str, Any]:
        """Return what the request names; a rate of None is asked for, too."""
        named = self.model_dump(exclude_unset=True)
        return {name: named[name] for name in named if name != "state" or named[name]}


class KeepRequest(Payload):
    """A snapshot to keep as a model."""

    step: Index = Field(description="One of the run's `snapshots`.")
    name: Name = Field(
        description="The model's id: letters, digits, - and _.", examples=["my-capsnet"]
    )
    title: Name | None = Field(None, description="For people; default: the name.")


class EventsQuery(Payload):
    """Where to go on."""

    after: int | None = Field(
        None,
        ge=0,
        lt=2**31,
        description="Number of the last event that the client has; default: the "
        "header `Last-Event-ID`, or 0.",
    )
