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
MOVES = 20
UNIT = "ms a reading"
BEFORE_MS = 1500  # drawn before it is measured, so that scripts are compiled

SEEN = "() => meter.readings.length"
MIDDLE = """() => {
  const box = document.querySelector("[data-pad]").getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

# One move after the other's reading; resolves to the median time (ms) until that is
# painted.
LAG = """async (moves) => {
  const pad = document.querySelector("[data-pad]");
  const { left, top, width, height } = pad.getBoundingClientRect();
  const found = [];
  for (let move = 0; move < moves; move++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const seen = meter.readings.length;
    const start = performance.now();
    pad.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1,
      clientX: left + (0.3 + 0.4 * ((move * 7) % 20) / 20) * width,
      clientY: top + (0.2 + 0.6 * ((move * 3) % 20) / 20) * height,
    }));
    while (meter.readings.length === seen && performance.now() < start + 5000)
      await new Promise(requestAnimationFrame);
    if (meter.readings.length > seen) found.push(meter.readings[seen] - start);
  }
  return found.sort((a, b) => a - b)[found.length >> 1];
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

    def spent() -> dict[str, float]:
        own = times(server.process.pid)
        return {**times(page.process.pid), "server": sum(own.values())}

    start = spent()
    seen = page.evaluate(SEEN)
    rate = page.evaluate(DRAW, DRAWING_MS)
    count = max(1, page.evaluate(SEEN) - seen)
    end = spent()
    lag = page.evaluate(LAG, MOVES)
    page.press(x, y, isDown=False)
    each = {kind: 1000 * (end[kind] - start[kind]) / count for kind in sorted(end)}
    costs = {"all processes": sum(each.values()), **each}
    return [
        *(
            Figure(f"drawing: processor, {kind}", view, ms, UNIT)
            for kind, ms in costs.items()
        ),
        Figure("drawing: readings", view, rate, "a second", at_least=True),
        Figure("drawing: from a move to its reading", view, lag, "ms"),
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
