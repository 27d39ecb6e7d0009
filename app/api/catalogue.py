"""The models being served, by the ids that URLs contain."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from capsnet_explorer.app.engines.protocol import Engine
from capsnet_explorer.app.engines.snapshots import Snapshots
from capsnet_explorer.app.errors import Conflict, DamagedFile, UnknownThing, short

EXTENSION = "capsnet-catalogue"


@dataclass(slots=True)
class Catalogue:
    """Loaded engines by id; the first is the default.

    Attributes:
        engines: those that are listed.
        snapshots: those of training runs, which are not; None without runs.
        refused: why files of further models cannot be used, by id.

    Raises:
        ValueError: there is no engine.
    """

    engines: Mapping[str, Engine]
    snapshots: Snapshots | None = None
    refused: Mapping[str, str] = dataclasses.field(default_factory=dict)

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
            Conflict: its files cannot be used.
        """
        if self.snapshots is not None and "@" in id:
            return self.snapshots.engine(id)
        try:
            return self.engines[id]
        except KeyError:
            if id in self.refused:
                raise DamagedFile(
                    f"the model {id} cannot be used: {self.refused[id]}", field=field
                ) from None
            known = ", ".join(self.engines)
            message = f"the model must be one of {known}, got {short(id)}"
            raise UnknownThing(message, field=field) from None

    def add(self, engine: Engine) -> None:
        """List one more engine, the last one."""
        # A new mapping: another thread may be going through the old one.
        self.engines = {**self.engines, engine.info.id: engine}

    @property
    def kept(self) -> list[str]:
        """The ids of the models that were kept here, and can be removed."""
        return [] if self.snapshots is None else self.snapshots.names

    def remove(self, id: str) -> None:
        """Delete a model that was kept.

        Raises:
            UnknownThing: there is no such model.
            Conflict: it comes with the server, or its files cannot be changed.
        """
        if self.snapshots is None or id not in self.kept:
            if id not in self.refused:
                self.engine(id)
            raise Conflict(f"the model {id} was not kept here: its files stay")
        self.snapshots.remove(id)
        self.engines = {key: self.engines[key] for key in self.engines if key != id}
        self.refused = {name: why for name, why in self.refused.items() if name != id}


def register_catalogue(app: Flask, catalogue: Catalogue) -> None:
    """Make `catalogue` available to the routes of `app`."""
    app.extensions[EXTENSION] = catalogue


def current_catalogue() -> Catalogue:
    """Return the catalogue of the current app."""
    return cast(Catalogue, current_app.extensions[EXTENSION])
