"""The models being served, by the ids that URLs contain."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from capsnet_explorer.app.engines.protocol import Engine
from capsnet_explorer.app.engines.snapshots import Snapshots
from capsnet_explorer.app.errors import UnknownThing, short
from flask import Flask, current_app

EXTENSION = "capsnet-catalogue"


@dataclass(slots=True)
class Catalogue:
    """Loaded engines by id; the first is the default.

    Attributes:
        engines: those that are listed.
        snapshots: those of training runs, which are not; None without runs.

    Raises:
        ValueError: there is no engine.
    """

    engines: Mapping[str, Engine]
    snapshots: Snapshots | None = None

    def __post_init__(self) -> None:
        if not self.engines:
            raise ValueError("the catalogue needs at least one model, got none")

    @property
    def default(self) -> str:
        """The id of the model that the page opens with."""
        return next(iter(self.engines))

    def engine(self, id: str, *, field: str | None = None) -> Engine:
        """Return the engine of a model.

        Args:
            id: the model's id.
            field: field of the request that named it; None for the URL.

        Raises:
            UnknownThing: there is no such model.
        """
        if self.snapshots is not None and "@" in id:
            return self.snapshots.engine(id)
        try:
            return self.engines[id]
        except KeyError:
            known = ", ".join(self.engines)
            message = f"the model must be one of {known}, got {short(id)}"
            raise UnknownThing(message, field=field) from None

    def add(self, engine: Engine) -> None:
        """List one more engine, the last one."""
        # A new mapping: another thread may be going through the old one.
        self.engines = {**self.engines, engine.info.id: engine}


def register_catalogue(app: Flask, catalogue: Catalogue) -> None:
    """Make `catalogue` available to the routes of `app`."""
    app.extensions[EXTENSION] = catalogue


def current_catalogue() -> Catalogue:
    """Return the catalogue of the current app."""
    return cast(Catalogue, current_app.extensions[EXTENSION])
