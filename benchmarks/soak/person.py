"""Someone at the page: draws for a while, then drags a slider, then draws again."""

import asyncio
import time
from dataclasses import dataclass, field

from benchmarks.soak.connection import BrokenOff, Connection
from benchmarks.soak.wishes import Wish

DRAWING_HZ = 10  # new images a second
DRAGGING_HZ = 30  # new slider positions a second
BOUT_S = 3  # of drawing, or of dragging
PATIENCE_S = 30  # as long as the page waits

OK, BUSY = 200, 503


@dataclass(slots=True)
class Tally:
    """What became of the requests.

    Attributes:
        trace_s: how long each trace took, in seconds.
        slider_s: how long each step of a slider took.
        mixed_up: answers that belong to another request.
        errors: what went wrong, in words.
        busy: answers that asked to come back later.
    """

    trace_s: list[float] = field(default_factory=list)
    slider_s: list[float] = field(default_factory=list)
    mixed_up: int = 0
    errors: list[str] = field(default_factory=list)
    busy: int = 0


class Person:
    """Asks like the page: one request of a kind at a time, always for the newest wish.

    Args:
        port: of the server.
        drawings: what is drawn, again and again.
        slider_steps: what is dragged, likewise.
        draws_first: or else begins with dragging.
        tally: where everybody's answers are counted.
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
        """Draw and drag in turn until `end`, on the monotonic clock."""
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
            if newest < next_wish:  # it has its answer
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
