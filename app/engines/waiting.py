"""Networks that are on their way: what they say of themselves answers meanwhile.

To import torch and to check every network takes most of a start. The page, its samples
and the list of models need neither; questions wait.
"""

import json
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, cast

from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import Engine
from capsnet_explorer.app.errors import DamagedFile

# What an engine is asked that only a network can answer.
QUESTIONS = frozenset(
    {
        *("attack", "exported", "gradient", "options"),
        *("reconstruct", "trace", "trace_many", "weights"),
    }
)


def facts_of(engines: Mapping[str, Engine]) -> bytes:
    """Return what networks say of themselves, the default one first."""
    infos = [engine.info.model_dump(mode="json") for engine in engines.values()]
    return json.dumps(infos).encode()


class WaitingEngine:
    """A network that may not be there yet: all but its facts waits for it."""

    def __init__(self, info: ModelInfo, networks: "WaitingEngines") -> None:
        self._info = info
        self._networks = networks

    @property
    def info(self) -> ModelInfo:
        """What the model says of itself: as kept, until it is there."""
        engine = self._networks.here.get(self._info.id)
        return self._info if engine is None else engine.info

    def __getattr__(self, name: str) -> Any:
        """Return a method of the network, which waits for it."""
        if name not in QUESTIONS:
            raise AttributeError(name)
        return lambda *values, **options: getattr(self._engine, name)(
            *values, **options
        )

    @property
    def _engine(self) -> Engine:
        id, networks = self._info.id, self._networks.arrival.result()
        if id not in networks:
            why = getattr(networks, "refused", {}).get(id, "its file is gone")
            raise DamagedFile(f"the model {id} cannot be used: {why}")
        return networks[id]


class WaitingEngines(dict[str, Engine]):
    """Engines by id, of which the networks are on their way.

    Args:
        facts: of the networks, as `facts_of` returned them.

    Attributes:
        arrival: of the networks, or of what went wrong.
    """

    def __init__(self, facts: bytes) -> None:
        infos = map(ModelInfo.model_validate, json.loads(facts))
        super().__init__(
            {info.id: cast(Engine, WaitingEngine(info, self)) for info in infos}
        )
        self.arrival: Future[Mapping[str, Engine]] = Future()

    @property
    def here(self) -> Mapping[str, Engine]:
        """The networks that have come."""
        is_there = self.arrival.done() and self.arrival.exception() is None
        return self.arrival.result() if is_there else {}
