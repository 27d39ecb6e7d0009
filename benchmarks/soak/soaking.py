"""The soak test: many simulated people at one server."""

import asyncio
import time
from pathlib import Path

from benchmarks.soak.connection import Connection
from benchmarks.soak.person import RATES_HZ, Person, Tally
from benchmarks.soak.report import Report, percentiles_ms
from benchmarks.soak.server import ROOT, Server, running_server
from benchmarks.soak.wishes import Wish, all_differ, drawings, slider_steps, strokes
from capsnet_explorer.app.engines.torch import load_engines

# Together more than the server's cache holds, so that nearly every image is computed.
EACH = 24  # of each kind, for each person
KINDS = {"read": strokes, "trace": drawings, "slider step": slider_steps}


def soak(
    people: int,
    seconds: float,
    *,
    weights: Path = ROOT / "weights",
    workers: int = 0,
    each: int = EACH,
) -> Report:
    """Have `people` draw, look and drag for some seconds, a third of them each.

    Args:
        people: at once.
        seconds: for which they work.
        weights: of the server; its first network is asked.
        each: requests of each kind and person, which repeat them.
        workers: of gunicorn; 0 is the server as `run_visualization.py` starts it.
    """
    engine = next(iter(load_engines(weights).values()))
    wishes = [
        {kind: make(engine, each, seed) for kind, make in KINDS.items()}
        for seed in range(people)
    ]
    for kind in KINDS:
        if not all_differ([wish for own in wishes for wish in own[kind]]):
            raise RuntimeError("responses must differ, or mix-ups would go unnoticed")
    (after,) = drawings(engine, 1, people)
    with running_server(weights, workers=workers) as server:
        return asyncio.run(_soak(server, wishes, after, seconds))


async def _soak(
    server: Server,
    wishes: list[dict[str, list[Wish]]],
    after: Wish,
    seconds: float,
) -> Report:
    tally = Tally()
    people = [
        Person(server.port, own, first=place % len(RATES_HZ), tally=tally)
        for place, own in enumerate(wishes)
    ]
    at_start = server.memory()
    start = time.monotonic()
    work = [asyncio.create_task(each.work_until(start + seconds)) for each in people]
    await asyncio.sleep(seconds / 2)
    at_middle = server.memory()
    await asyncio.gather(*work)
    took_s = time.monotonic() - start
    begun = time.perf_counter()
    connection = Connection(server.port)
    await connection.ask(after.request)
    after_ms = 1000 * (time.perf_counter() - begun)
    await connection.close()
    return Report(
        people=len(people),
        seconds=took_s,
        counts={name: len(times) for name, times in tally.times_s.items()},
        errors=tally.errors,
        mixed_up=tally.mixed_up,
        busy=tally.busy,
        times_ms={name: percentiles_ms(each) for name, each in tally.times_s.items()},
        after_ms=after_ms,
        memory=(at_start, at_middle, server.memory()),
    )
