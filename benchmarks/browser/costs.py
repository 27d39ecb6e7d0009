"""`python -m benchmarks.browser.costs`: what a reading costs while somebody draws.

Processor time of all processes, beside another version's in turns: `--beside CHECKOUT`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.browser.answering import DRAW, DRAWING_MS
from benchmarks.browser.devtools import Tab, tab, times
from benchmarks.browser.figures import Figure, beside, medians, table
from benchmarks.server import ROOT, Server, running_server

TURNS = 5
MOVES = 60
UNIT = "ms a reading"
BEFORE_MS = 1500  # drawn before it is measured, so that scripts are compiled

MIDDLE = """() => {
  const box = document.querySelector("[data-pad]").getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

# One move after the other's reading, so that each frame has one; resolves to the median
# time (ms) until that is painted.
STEP = """async (moves) => {
  const pad = document.querySelector("[data-pad]");
  const { left, top, width, height } = pad.getBoundingClientRect();
  const found = [];
  for (let move = 1; move <= moves; move++) {
    const angle = (2 * Math.PI * move) / 60;
    const reach = 0.05 + 0.35 * Math.abs(Math.sin(move / 60));
    const seen = meter.readings.length;
    const start = performance.now();
    pad.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1,
      clientX: left + (0.5 + reach * Math.cos(angle)) * width,
      clientY: top + (0.5 + reach * Math.sin(angle)) * height,
    }));
    while (meter.readings.length === seen && performance.now() < start + 2000)
      await new Promise((resolve) => setTimeout(resolve, 1));
    if (meter.readings.length > seen) found.push(meter.readings[seen] - start);
  }
  found.sort((a, b) => a - b);
  return { count: found.length, median: found[found.length >> 1] };
}"""


def costs(
    weights: Path = ROOT / "weights", turns: int = TURNS, view: str = "overview"
) -> list[Figure]:
    """Return the medians of several turns of drawing in a view."""
    with running_server(weights) as server, tab() as page:
        return medians(each for _ in range(turns) for each in _cost(page, server, view))


def costs_beside(
    checkout: Path, turns: int, view: str
) -> Iterator[tuple[Figure, Figure]]:
    """Return the same of this version and of another one, in turns."""
    figures: list[list[Figure]] = [[], []]
    with (
        running_server() as ours,
        running_server(checkout=checkout) as other,
        tab() as page,
    ):
        for turn in range(2 * turns):
            figures[turn % 2] += _cost(page, (ours, other)[turn % 2], view)
    return zip(*map(medians, figures), strict=True)


def _cost(page: Tab, server: Server, view: str) -> list[Figure]:
    page.open(f"http://127.0.0.1:{server.port}/#view={view}")
    page.evaluate("() => document.querySelector('[data-clear]').click()")
    x, y = page.evaluate(MIDDLE)
    page.press(x, y, isDown=True)
    page.evaluate(DRAW, BEFORE_MS)
    rate = page.evaluate(DRAW, DRAWING_MS)

    def spent() -> dict[str, float]:
        own = times(server.process.pid)
        return {**times(page.process.pid), "server": sum(own.values())}

    start = spent()
    read = page.evaluate(STEP, MOVES)
    end = spent()
    page.press(x, y, isDown=False)
    each = {
        kind: 1000 * (end[kind] - start[kind]) / read["count"] for kind in sorted(end)
    }
    costs = {"all processes": sum(each.values()), **each}
    return [
        *(
            Figure(f"drawing: processor, {kind}", view, ms, UNIT)
            for kind, ms in costs.items()
        ),
        Figure("drawing: readings", view, rate, "a second", at_least=True),
        Figure("drawing: from a move to its reading", view, read["median"], "ms"),
    ]


def main() -> None:
    """Print the measurements as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--view", default="overview")
    options = parser.parse_args()
    given = {"turns": options.turns, "view": options.view}
    if options.beside:
        print(beside(costs_beside(options.beside, **given)))
    else:
        print(table(costs(**given)))


if __name__ == "__main__":
    main()
