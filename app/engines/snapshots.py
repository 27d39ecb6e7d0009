"""Engines of snapshots and kept models: loaded when asked for, the last used kept."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import (
    Array,
    Attacked,
    AttackQuestion,
    Engine,
    GradientOf,
    GradientThrough,
    Numbers,
    Options,
    Question,
    Trace,
)
from capsnet_explorer.app.engines.runs import Runs
from capsnet_explorer.app.errors import ApiError, DamagedFile, UnknownThing, short
from capsnet_explorer.laboratory.attack import Slope

MOST_PARAMETERS = 30_000_000  # of all that are kept: 120 MB, or some twenty small ones
LEAST_KEPT = 2  # however large: two can be compared
ID = re.compile(r"([0-9a-f]{8})@(0|[1-9][0-9]{0,8})")  # one spelling of each step

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
        self._share = share
        self._lock = threading.Lock()
        self._engines: OrderedDict[str, Engine] = OrderedDict()

    def engine(self, id: str) -> Engine:
        """Return the engine of a snapshot.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
            Conflict: it is damaged, or its file is gone.
        """
        found = ID.fullmatch(id)
        if found is None:
            raise UnknownThing(
                f"there is no snapshot {short(id)}: needed is the id of a run and a "
                "step, such as 3f2a9c01@640"
            )
        weights = self._runs.weights(found[1], int(found[2]))
        return self._loaded(id, lambda: self._share(self._load(id, weights)))

    @property
    def names(self) -> list[str]:
        """The names of all kept models, be they damaged or not."""
        return self._runs.kept.names()

    def kept(self) -> dict[str, Engine]:
        """Return the engines of all kept models that can be used, by name."""
        found = {}
        for name in self.names:
            try:
                found[name] = self.kept_as(name)
            except ApiError as error:
                self.refused[name] = str(error)
        return found

    def kept_as(self, name: str) -> Engine:
        """Return the engine of a kept model, which is loaded whenever it is needed.

        Raises:
            Conflict: it is damaged, or its file is gone.
        """
        self._forget(name)
        weights = self._runs.kept.weights(name)

        return self._share(
            _LoadedAgain(lambda: self._loaded(name, lambda: self._load(name, weights)))
        )

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
        self._forget(name)

    def _forget(self, id: str) -> None:
        with self._lock:
            self._engines.pop(id, None)

    def _loaded(self, id: str, load: Callable[[], Engine]) -> Engine:
        with self._lock:
            engine = self._engines.pop(id, None)
            if engine is None:
                engine = load()
            self._engines[id] = engine
            sizes = [each.info.parameters for each in self._engines.values()]
            while len(sizes) > LEAST_KEPT and sum(sizes) > MOST_PARAMETERS:
                self._engines.popitem(last=False)
                del sizes[0]
            return engine


class _LoadedAgain:
    """An engine that is loaded again whenever it was dropped.

    Args:
        load: loads it, or returns it as it was loaded.
    """

    def __init__(self, load: Callable[[], Engine]) -> None:
        self._load = load
        self.info: ModelInfo = load().info

    def _engine(self) -> Engine:
        engine = self._load()
        if engine.info.version != self.info.version:
            raise DamagedFile(
                f"the weight file of {self.info.id} is another one than it was: start "
                "the server again"
            )
        return engine

    def options(self, asked: Mapping[str, Any]) -> Options:
        """Check what a request asks beyond its image."""
        return self._engine().options(asked)

    def weights(self, names: Sequence[str]) -> Mapping[str, Numbers]:
        """Return trained weights by name."""
        return self._engine().weights(names)

    def trace(self, question: Question) -> Trace:
        """Answer one question."""
        return self._engine().trace(question)

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several."""
        return self._engine().trace_many(questions)

    def reconstruct(self, label: int, poses: Array) -> Array:
        """Decode edited poses of one class."""
        return self._engine().reconstruct(label, poses)

    def gradient(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: GradientOf = "gap",
        through: GradientThrough = "full",
    ) -> Slope:
        """Return what an attack raises, and its gradient."""
        return self._engine().gradient(images, labels, of=of, through=through)

    def attack(self, question: AttackQuestion) -> Attacked:
        """Change an image so that it is misread."""
        return self._engine().attack(question)
