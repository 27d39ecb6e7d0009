"""A drawing in Firefox and in WebKit: on the server's page, a site, and one file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.explorer import FOUR, ONE
from tests.conftest import LEARNT
from tests.engines.drawing import PREDICTION, READ, draw, opened, reads_a_four
from tests.engines.driving import ENGINES, Engine, engine_named, until

pytestmark = pytest.mark.long  # one worker takes all, and starts each engine once

WIDE = (1366, 768)


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A browser; where it cannot be had, its tests are skipped."""
    try:
        with engine_named(request.param) as engine:
            engine.size(*WIDE)
            yield engine
    except LookupError as missing:
        pytest.skip(f"{request.param}: {missing}; `make browsers` installs it")


@pytest.fixture(autouse=True)
def nothing_is_told(engine: Engine) -> Iterator[None]:
    """Fail where a page tells an error, but as it is left."""
    engine.goto("about:blank")
    before = len(engine.log)
    yield
    assert engine.log[before:] == []


def test_terms_are_underlined_and_a_drawing_is_read_by_the_server(
    engine: Engine, explorer: str
) -> None:
    opened(engine, f"{explorer}/", "view=routing&model=capsnet-mnist")
    style = until(
        engine,
        """(() => {
            const term = document.querySelector(".term");
            const style = term && getComputedStyle(term);
            return style && [style.textDecorationLine, style.textDecorationStyle];
        })()""",
    )
    assert style == ["underline", "dotted"]
    reads_a_four(engine)


def test_a_drawing_is_read_in_a_file(engine: Engine, sent: Path) -> None:
    opened(engine, sent.as_uri())
    draw(engine)
    until(engine, f"{READ}.test({PREDICTION})")


def test_drawings_are_read_and_learnt_on_a_site(
    engine: Engine, site_address: str
) -> None:
    opened(engine, f"{site_address}/", "mode=train")
    examples = [
        (name, digit, [[(x + aside, y) for x, y in stroke] for stroke in strokes])
        for name, digit, strokes in (("branch", 4, FOUR), ("stem", 1, ONE))
        for aside in (0, 0.1)
    ]
    for count, (name, digit, strokes) in enumerate(examples, 1):
        draw(engine, strokes)
        until(engine, f"{PREDICTION} === '{digit}'")
        engine.js(f"document.querySelector('[data-symbol]').value = '{name}'")
        engine.js("document.querySelector('[data-own-add] button').click()")
        added = "document.querySelectorAll('[data-symbols] canvas').length"
        until(engine, f"{added} === {count}")
    draw(engine, ONE)
    engine.js("document.querySelector('[data-own-train]').click()")
    state = "document.querySelector('[data-state]').textContent"
    until(engine, f"{state}.startsWith('Done: {LEARNT} steps')")
    until(engine, "!document.querySelector('[data-moment-tools]').hidden")
    engine.js("document.querySelector('[data-explore]').click()")
    classes = "document.querySelector('#view-overview').textContent"
    until(engine, f"/branch[^]*stem/.test({classes})")
