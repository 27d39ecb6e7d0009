"""The soak test: many simulated people at one server."""

import asyncio
import time
from pathlib import Path

from capsnet_explorer.app.engines.torch import load_engines

from benchmarks.soak.person import Person, Tally
from benchmarks.soak.report import Report, percentiles_ms
from benchmarks.soak.server import ROOT, Server, running_server
from benchmarks.soak.wishes import Wish, all_differ, drawings, slider_steps

# Together more than the server's cache holds, so that nearly every image is computed.
DRAWINGS_EACH = 24
STEPS_EACH = 24


def soak(people: int, seconds: float, *, weights: Path = ROOT / "weights") -> Report:
    """Have `people` draw and drag for some seconds, half of them each at any time."""
    engine = next(iter(load_engines(weights).values()))
    traces = [drawings(engine, DRAWINGS_EACH, seed) for seed in range(people)]
    steps = [slider_steps(engine, STEPS_EACH, seed) for seed in range(people)]
    for wishes in (traces, steps):
        if not all_differ([wish for each in wishes for wish in each]):
            raise RuntimeError("responses must differ, or mix-ups would go unnoticed")
    with running_server("--weights", weights) as server:
        return asyncio.run(_soak(server, traces, steps, seconds))


async def _soak(
    server: Server,
    traces: list[list[Wish]],
    steps: list[list[Wish]],
    seconds: float,
) -> Report:
    tally = Tally()
    people = [
        Person(server.port, *wishes, draws_first=place % 2 == 0, tally=tally)
        for place, wishes in enumerate(zip(traces, steps, strict=True))
    ]
    at_start = server.memory()
    start = time.monotonic()
    work = [asyncio.create_task(each.work_until(start + seconds)) for each in people]
    await asyncio.sleep(seconds / 2)
    at_middle = server.memory()
    await asyncio.gather(*work)
    return Report(
        people=len(people),
        seconds=time.monotonic() - start,
        traces=len(tally.trace_s),
        slider_steps=len(tally.slider_s),
        errors=tally.errors,
        mixed_up=tally.mixed_up,
        busy=tally.busy,
        trace_ms=percentiles_ms(tally.trace_s),
        slider_ms=percentiles_ms(tally.slider_s),
        memory=(at_start, at_middle, server.memory()),
    )
