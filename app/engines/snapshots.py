"""Engines of snapshots and kept models; their networks are in memory while used."""

from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path

from capsnet_explorer.app.engines.protocol import Engine
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.engines.training.requests import SNAPSHOT
from capsnet_explorer.app.errors import ApiError, UnknownThing, short

MOST_KNOWN = 64  # snapshots of which it is known that their files are good

Load = Callable[[str, Path], Engine]


class Snapshots:
    """Engines of snapshots by id, such as `3f2a9c01@640`, and of kept models by name.

    Args:
        runs: whose snapshots they are.
        load: loads a weight file under an id; raises a `Conflict` for one that cannot
            be used.
        share: lets requests share an engine.

    Attributes:
        refused: why kept models cannot be used, by name.
    """

    def __init__(
        self, runs: Runs, load: Load, share: Callable[[Engine], Engine]
    ) -> None:
        self.refused: dict[str, str] = {}
        self._runs = runs
        self._load = load
        self._shared = lambda id, weights: share(load(id, weights))
        self._of_snapshot = lru_cache(MOST_KNOWN)(self._shared)

    def engine(self, id: str) -> Engine:
        """Return the engine of a snapshot.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            Conflict: it is damaged, or its file is gone.
        """
        match = SNAPSHOT.fullmatch(id)
        if match is None:
            raise UnknownThing(
                f"there is no snapshot {short(id)}: needed is the id of a run and a "
                "step, such as 3f2a9c01@640"
            )
        weights = self._runs.weights(match[1], int(match[2]))
        return self._of_snapshot(id, weights)

    @property
    def names(self) -> list[str]:
        """The names of all kept models, be they damaged or not."""
        return self._runs.kept.names()

    def kept(self) -> dict[str, Engine]:
        """Return the engines of all kept models that can be used, by name."""
        engines = {}
        for name in self.names:
            try:
                engines[name] = self.kept_as(name)
            except ApiError as error:
                self.refused[name] = str(error)
        return engines

    def kept_as(self, name: str) -> Engine:
        """Return the engine of a kept model.

        Raises:
            Conflict: it is damaged, or its file is gone.
        """
        return self._shared(name, self._runs.kept.weights(name))

    def keep(
        self, id: str, step: int, name: str, title: str | None, others: Collection[str]
    ) -> Engine:
        """Keep a snapshot as a model, and return its engine.

        Args:
            id: the run's.
            step: the snapshot's.
            name: of the model.
            title: for people; None takes the name.
            others: ids of the models that are listed.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            InvalidRequest: the name or the title cannot be one.
            Conflict: the name is taken, the snapshot is damaged, or as many models are
                kept as may be.
            Overloaded: the disk is full.
        """
        self._runs.keep(
            id, step, name, title, lambda file: self._load(name, file), others
        )
        return self.kept_as(name)

    def remove(self, name: str) -> None:
        """Delete a kept model.

        Raises:
            Conflict: its files cannot be changed.
        """
        self._runs.kept.remove(name)
