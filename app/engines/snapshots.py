"""Engines of training runs' snapshots: loaded when asked for, the last used kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from capsnet_explorer.app.engines.protocol import Engine
from capsnet_explorer.app.engines.runs import Runs

MOST_PARAMETERS = 30_000_000  # of all that are kept: 120 MB, or some twenty small ones
LEAST_KEPT = 2  # however large: two can be compared

Load = Callable[[str, Path], Engine]


class Snapshots:
    """Engines of snapshots by id, such as `3f2a9c01@640`.

    Args:
        runs: whose snapshots they are.
        load: loads a weight file under an id.
        share: lets requests share an engine.
    """

    def __init__(
        self, runs: Runs, load: Load, share: Callable[[Engine], Engine]
    ) -> None:
        self._runs = runs
        self._load = load
        self._share = share
        self._lock = threading.Lock()
        self._engines: OrderedDict[str, Engine] = OrderedDict()

    def engine(self, id: str) -> Engine:
        """Return the engine of a snapshot.

        Raises:
            UnknownThing: there is no such run, or no such snapshot.
        """
        weights = self._runs.weights(id)
        with self._lock:
            engine = self._engines.pop(id, None)
            if engine is None:
                engine = self._share(self._load(id, weights))
            self._engines[id] = engine
            self._forget()
            return engine

    def kept(self, weights: Path) -> Engine:
        """Return the engine of a model that was kept, for good."""
        return self._share(self._load(weights.stem, weights))

    def _forget(self) -> None:
        sizes = [engine.info.parameters for engine in self._engines.values()]
        while len(sizes) > LEAST_KEPT and sum(sizes) > MOST_PARAMETERS:
            self._engines.popitem(last=False)
            del sizes[0]
