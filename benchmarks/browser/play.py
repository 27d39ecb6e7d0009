"""`python -m benchmarks.browser.play`: plays for an hour, and tells what has grown.

Two thousand actions by chance, each as a user does it: another network, view or sample,
a stroke, undo, clear. A table says what page and server hold after every tenth of them.
"""

import argparse
import random
import time

from benchmarks.browser.costs import MIDDLE, STEP
from benchmarks.browser.devtools import Tab, tab
from benchmarks.server import Server, running_server

PAUSE_S = 0.3  # for the answer to an action
MEGA = 1e6

# Networks are few, so that each is soon shown again.
NETWORK = """(at) => {
  const chooser = document.querySelector("[data-models]");
  chooser.selectedIndex = at % 4;
  chooser.dispatchEvent(new Event("change", { bubbles: true }));
}"""
CLICK = """(selector, at) => {
  const all = [...document.querySelectorAll(selector)].filter((each) => !each.disabled);
  all[at % all.length]?.click();
}"""
CLICKED = {
    "view": '[role="tablist"] [data-tab]',
    "sample": "[data-samples] button",
    "undo": "[data-undo]",
    "clear": "[data-clear]",
}
DOINGS = ("network", "view", "view", "sample", "stroke", "stroke", "undo", "clear")


def act(page: Tab, doing: str, at: int) -> None:
    """Do one thing: `at` says which of several."""
    if doing == "network":
        page.evaluate(NETWORK, at)
    elif doing == "stroke":
        x, y = page.evaluate(MIDDLE)
        page.press(x, y, isDown=True)
        page.evaluate(STEP, 3 + at % 5)
        page.press(x, y, isDown=False)
    else:
        page.evaluate(CLICK, CLICKED[doing], at)
    time.sleep(PAUSE_S)


def row(page: Tab, server: Server, done: int, seconds: float) -> str:
    """Return a row of the table: what is held after so many actions."""
    held = page.counts()
    counted = [held["JSEventListeners"], held["Nodes"], held["JSHeapUsedSize"] / MEGA]
    cells = [done, seconds / 60, *counted, server.memory() / MEGA]
    return f"| {' | '.join(f'{each:.0f}' for each in cells)} |"


def main() -> None:
    """Print the table while it is played."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print("| actions | minutes | listeners | nodes | heap, MB | server, MB |")
    print("|---|---|---|---|---|---|")
    began = time.perf_counter()
    with running_server() as server, tab() as page:
        page.open(f"http://127.0.0.1:{server.port}/#view=overview")
        for done in range(options.actions):
            act(page, chance.choice(DOINGS), chance.randrange(1000))
            if (done + 1) % max(1, options.actions // 10) == 0:
                seconds = time.perf_counter() - began
                print(row(page, server, done + 1, seconds), flush=True)


if __name__ == "__main__":
    main()
