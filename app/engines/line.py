"""The line of batches: one is taken only if it, and each before it, can be finished.

Batches that took turns would all come to their time's end together, and a busy server
would refuse every one of them after having computed most of it.
"""

import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from capsnet_explorer.app.errors import ClientGone, Overloaded

SAFE = 0.75  # share of its time that a batch may be expected to take
KNOWN_S = 30.0  # for which a pace counts: somebody may have drawn meanwhile
SHORT_S = 2.0  # batches that take no longer go before others
LASTING = 0.9  # of a part's weight in a pace, with each that follows
TRIED = 4  # parts after which a batch has shown its pace


@dataclass(slots=True, eq=False)
class Batch:
    """Work that is computed in parts.

    Attributes:
        network: whose pace it has.
        remaining: passes of one image that are still to be computed, about.
        most_s: seconds that it may take.
        is_short: whether it goes before others.
        is_sure: whether it was expected to be finished in time.
        parts: computed so far.
        took: seconds, of the last parts above all.
        done: passes in these.
        began: on the monotonic clock, in seconds.
    """

    network: Hashable
    remaining: float
    most_s: float
    is_short: bool = False
    is_sure: bool = False
    parts: int = 0
    took: float = 0.0
    done: float = 0.0
    began: float = field(default_factory=lambda: time.monotonic())


class Line:
    """Batches in the order in which they are computed.

    Args:
        look_up_s: how often one that waits checks whether its client is still there.
    """

    def __init__(self, look_up_s: float) -> None:
        self._look_up_s = look_up_s
        self._batches: list[Batch] = []
        self._paces: dict[Hashable, tuple[float, float]] = {}  # s a pass, known at
        self._changed = threading.Condition()

    @contextmanager
    def joined(
        self, network: Hashable, passes: float, most_s: float
    ) -> Iterator[Batch]:
        """Take a batch into the line.

        Args:
            network: names it.
            passes: of one image, about.
            most_s: seconds that a batch may take.

        Raises:
            Overloaded: it, or one before it, could not be finished in that time.
        """
        batch = Batch(network, passes, most_s)
        with self._changed:
            # The first batch shows the pace after a few parts.
            while self._batches and math.isnan(self._pace(batch)):
                if not self._changed.wait(most_s):
                    break
            self._enter(batch)
        try:
            yield batch
        finally:
            with self._changed:
                self._batches.remove(batch)
                self._changed.notify_all()

    def _enter(self, batch: Batch) -> None:
        batch.is_short = batch.remaining * self._pace(batch) <= SHORT_S
        line = sorted([*self._batches, batch], key=lambda b: (not b.is_short, b.began))
        self._require_time(batch, line)
        self._batches = line

    def _require_time(self, batch: Batch, line: Sequence[Batch]) -> None:
        """Require that a batch, and all behind it, can be finished in their time."""
        cost_s = batch.remaining * self._pace(batch)
        batch.is_sure = not math.isnan(cost_s)
        now, wait = time.monotonic(), 0.0
        for other in line:
            wait += other.remaining * self._pace(other)
            # Those before it lose nothing.
            is_behind = line.index(other) >= line.index(batch)
            if is_behind and now + wait > other.began + SAFE * other.most_s:
                raise Overloaded(
                    f"the server is busy: it would take {max(wait, cost_s):.0f} s, and "
                    f"one request may take {SAFE * other.most_s:.0f} s here; ask for "
                    "fewer images, ε or steps at once, or again in a moment",
                    after_s=max(1.0, math.ceil(wait - cost_s)),
                )

    def _pace(self, batch: Batch) -> float:
        """Return seconds for a pass; NaN while no network's is known."""
        now = time.monotonic()
        known = {
            network: pace
            for network, (pace, at) in self._paces.items()
            if now - at < KNOWN_S
        }
        return known.get(batch.network, max(known.values(), default=math.nan))

    @contextmanager
    def turn(
        self, batch: Batch, passes: float, is_gone: Callable[[], bool]
    ) -> Iterator[None]:
        """Compute a part of a batch once all before it are done, and learn its pace.

        Args:
            batch: that was taken.
            passes: of one image in this part.
            is_gone: whether the client has left.

        Raises:
            ClientGone: it has.
            Overloaded: at the pace that its first parts show it cannot be finished.
        """
        with self._changed:
            while True:
                if is_gone():
                    raise ClientGone("the client has left")
                if self._batches[0] is batch:
                    break
                self._changed.wait(self._look_up_s)
        start = time.monotonic()
        yield
        took = time.monotonic() - start
        with self._changed:
            batch.parts += 1
            batch.remaining = max(0.0, batch.remaining - passes)
            if batch.parts > 1:  # the first one may have loaded the network
                batch.took = LASTING * batch.took + took
                batch.done = LASTING * batch.done + passes
            if batch.parts > TRIED:  # single ones may take twice as long, or half
                self._paces[batch.network] = batch.took / batch.done, time.monotonic()
                self._changed.notify_all()
                if not batch.is_sure:
                    self._require_time(batch, [batch])
