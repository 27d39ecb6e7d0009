"""What a person does on the page, in any engine."""

import json
from collections.abc import Sequence
from itertools import pairwise

from tests.browser.explorer import FOUR, Stroke
from tests.engines.driving import Engine, until

STEPS = 2  # of the mouse, from one point of a stroke to the next
QUIET = "document.body.getAttribute('aria-busy') === 'false'"
# Half a second in which nothing is asked for, moves or changes its height, once what a
# page brings last is there.
AT_REST = """new Promise((done) => {
    let [before, since] = ["", 0];
    const look = (now) => {
        const busy = [...document.querySelectorAll("[aria-busy=true]")];
        const moves = document.getAnimations().length > 0
            || busy.some((each) => each.checkVisibility());
        const loaded = performance.getEntriesByType("resource");
        const isWhole = (location.protocol === "file:"  // asks for nothing
                || loaded.some(({ name }) => name.includes("/page/at-rest.js")))
            && (location.search === ""
                || "guideStill" in document.documentElement.dataset);
        const told = `${loaded.length} ${document.documentElement.scrollHeight}`;
        if (moves || !isWhole || told !== before) since = now;
        before = told;
        now - since > 500 ? done(true) : requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
PREDICTION = "document.querySelector('[data-prediction]').textContent"
READ = r"/[^–\s]/"
BOX = """(() => {
    const box = document.querySelector('[data-pad]').getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
})()"""
# The offer of the first visit has been answered.
ANSWERED = {"seen": [], "done": [], "at": None, "isDismissed": True, "tried": []}


def opened(engine: Engine, address: str, link: str = "") -> None:
    """Open a page and wait until all of it is there; it is no first visit."""
    engine.goto(address)
    answered = json.dumps(json.dumps(ANSWERED))
    engine.js(f"localStorage.setItem('guide', {answered})")
    engine.goto("about:blank")
    engine.goto(f"{address}{'' if link.startswith('?') else '#'}{link}")
    # Until a network has said something, nobody listens to the mouse.
    until(engine, f"{READ}.test({PREDICTION}) && {QUIET}")
    until(engine, AT_REST)


def draw(engine: Engine, strokes: Sequence[Stroke] = FOUR) -> None:
    """Draw on an empty pad with the mouse."""
    engine.js("document.querySelector('[data-clear]').click()")
    until(engine, f"!{READ}.test({PREDICTION})")
    x, y, width, height = engine.js(BOX)
    for stroke in strokes:
        points = [stroke[0]]
        for before, after in pairwise(stroke):
            points += [
                tuple(
                    a + (b - a) * step / STEPS
                    for a, b in zip(before, after, strict=True)
                )
                for step in range(1, STEPS + 1)
            ]
        engine.drag([(x + width * a, y + height * b) for a, b in points])


def reads_a_four(engine: Engine) -> None:
    """Draw a 4, and wait until the network says so."""
    draw(engine)
    until(engine, f"{PREDICTION} === '4'")
