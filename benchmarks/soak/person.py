"""A simulated person at the page, who draws, looks at images, and drags a slider."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.soak.connection import BrokenOff, Connection
from benchmarks.soak.wishes import Wish

# How often the page asks for each, a second: while one draws, looks at images, drags.
RATES_HZ = {"read": 6, "trace": 10, "slider step": 30}
BOUT_S = 2  # duration of each
PATIENCE_S = 30  # the page's timeout

OK, BUSY = 200, {429, 503}


@dataclass(slots=True)
class Tally:
    """The outcomes of all requests.

    Attributes:
        times_s: time of each request that was answered, in seconds, by what it was.
        mixed_up: number of responses that belong to another request.
        errors: messages of failed requests.
        busy: number of responses with status 429 or 503 that say when to come back.
    """

    times_s: dict[str, list[float]] = field(
        default_factory=lambda: {name: [] for name in RATES_HZ}
    )
    mixed_up: int = 0
    errors: list[str] = field(default_factory=list)
    busy: int = 0


class Person:
    """Sends requests like the page: one at a time, always for the newest state.

    Args:
        port: of the server.
        wishes: to request, each kind repeated in order.
        first: which kind to begin with.
        tally: counts the outcomes of all people.
    """

    def __init__(
        self,
        port: int,
        wishes: Mapping[str, list[Wish]],
        *,
        first: int,
        tally: Tally,
    ) -> None:
        self._connection = Connection(port)
        self._tally = tally
        kinds = [*RATES_HZ]
        self._bouts = [
            (wishes[kind], RATES_HZ[kind], tally.times_s[kind])
            for kind in kinds[first:] + kinds[:first]
        ]

    async def work_until(self, end: float) -> None:
        """Draw, look and drag by turns until `end`, on the monotonic clock."""
        turn = 0
        while time.monotonic() < end:
            wishes, rate, times = self._bouts[turn % len(self._bouts)]
            bout_end = min(end, time.monotonic() + BOUT_S)
            await self._ask_newest(wishes, rate, times, bout_end)
            turn += 1
        await self._connection.close()

    async def _ask_newest(
        self, wishes: list[Wish], rate: float, times: list[float], end: float
    ) -> None:
        start = time.monotonic()
        next_wish = 0
        while (now := time.monotonic()) < end:
            newest = int((now - start) * rate)
            if newest < next_wish:  # already requested
                await asyncio.sleep(start + next_wish / rate - now)
                continue
            next_wish = newest + 1
            await self._ask(wishes[newest % len(wishes)], times)

    async def _ask(self, wish: Wish, times: list[float]) -> None:
        start = time.perf_counter()
        try:
            answer = await asyncio.wait_for(
                self._connection.ask(wish.request), PATIENCE_S
            )
        except (OSError, BrokenOff, TimeoutError) as error:
            self._tally.errors.append(f"{type(error).__name__}: {error}")
            await self._connection.close()
            return
        if answer.status in BUSY and "retry-after" in answer.headers:
            self._tally.busy += 1
            await asyncio.sleep(float(answer.headers["retry-after"]))
        elif answer.status != OK:
            self._tally.errors.append(f"{answer.status}: {answer.body[:200]!r}")
        else:
            times.append(time.perf_counter() - start)
            self._tally.mixed_up += not wish.is_granted(answer)
