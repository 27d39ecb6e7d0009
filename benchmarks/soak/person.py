"""A simulated person at the page, who alternately draws and drags a slider."""

import asyncio
import time
from dataclasses import dataclass, field

from benchmarks.soak.connection import BrokenOff, Connection
from benchmarks.soak.wishes import Wish

DRAWING_HZ = 10  # new images a second
DRAGGING_HZ = 30  # new slider positions a second
BOUT_S = 3  # duration of drawing, or of dragging
PATIENCE_S = 30  # the page's timeout

OK, BUSY = 200, 503


@dataclass(slots=True)
class Tally:
    """The outcomes of all requests.

    Attributes:
        trace_s: time of each trace, in seconds.
        slider_s: time of each slider step, in seconds.
        mixed_up: number of responses that belong to another request.
        errors: messages of failed requests.
        busy: number of responses with status 503.
    """

    trace_s: list[float] = field(default_factory=list)
    slider_s: list[float] = field(default_factory=list)
    mixed_up: int = 0
    errors: list[str] = field(default_factory=list)
    busy: int = 0


class Person:
    """Sends requests like the page: one at a time, always for the newest state.

    Args:
        port: of the server.
        drawings: traces to request, repeated in order.
        slider_steps: slider steps to request, repeated in order.
        draws_first: whether to begin with drawing; else with dragging.
        tally: counts the outcomes of all people.
    """

    def __init__(
        self,
        port: int,
        drawings: list[Wish],
        slider_steps: list[Wish],
        *,
        draws_first: bool,
        tally: Tally,
    ) -> None:
        self._connection = Connection(port)
        self._tally = tally
        self._bouts = [
            (drawings, DRAWING_HZ, tally.trace_s),
            (slider_steps, DRAGGING_HZ, tally.slider_s),
        ]
        if not draws_first:
            self._bouts.reverse()

    async def work_until(self, end: float) -> None:
        """Draw and drag alternately until `end`, on the monotonic clock."""
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
        if answer.status == BUSY:
            self._tally.busy += 1
            await asyncio.sleep(float(answer.headers["retry-after"]))
        elif answer.status != OK:
            self._tally.errors.append(f"{answer.status}: {answer.body[:200]!r}")
        else:
            times.append(time.perf_counter() - start)
            self._tally.mixed_up += not wish.is_granted(answer)
