"""A drawing in Firefox and in WebKit: on the server's page, a site, and one file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_a_drawing_is_read_by_the_server(engine: Engine, explorer: str) -> None:
    opened(engine, f"{explorer}/")
    reads_a_four(engine)


def test_a_drawing_is_read_on_a_site(engine: Engine, site_address: str) -> None:
    opened(engine, f"{site_address}/")
    reads_a_four(engine)


def test_a_drawing_is_read_in_a_file(engine: Engine, sent: Path) -> None:
    opened(engine, sent.as_uri())
    draw(engine)
    until(engine, f"{READ}.test({PREDICTION})")


def test_terms_of_the_glossary_are_underlined(engine: Engine, explorer: str) -> None:
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
