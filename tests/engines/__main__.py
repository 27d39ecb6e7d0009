"""Visit every view in Firefox and in WebKit: `make browsers`.

Each view is opened by its link, at two sizes, with its picture in a folder to look at.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from capsnet_explorer.cli import main as command
from tests.browser.places import LINKS, VIEWS
from tests.browser.server import hosted, running
from tests.engines.drawing import opened, reads_a_four
from tests.engines.driving import ENGINES, Engine, engine_named, install, until
from tests.intake_pictures import drawn_five, encoded

SIZES = ((1366, 768), (500, 900))  # WebKit's windows are no narrower
FURTHER = {
    "atlas": "mode=atlas",
    "train": "mode=train",
    "guide": "?guide=05-agreeing/step",
    **{
        f"cnn-cifar10/{view}": f"view={view}&model=cnn-cifar10"
        for view in ("overview", *VIEWS["cnn"])
    },
}
UPLOAD = "[data-upload]"
IS_WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
UNREAD = """document.querySelector(
    "[data-part=unread]:not([hidden]) [data-words]"
)?.textContent"""
NAMES_MEET = """(() => {
    const names = [...document.querySelectorAll(".overview-name")]
        .map((each) => [each.textContent, each.getBoundingClientRect()])
        .filter(([text, box]) => text !== "" && box.width > 0);
    return names.flatMap(([one, a], at) => names.slice(at + 1)
        .filter(([_, b]) => a.left < b.right + 3 && b.left < a.right + 3
            && a.top < b.bottom - 4 && b.top < a.bottom - 4)
        .map(([other]) => `${one} on ${other}`)).join();
})()"""


@contextmanager
def _site() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command(["site", f"{folder}/page", "--network", "cnn-mnist"])
        with hosted(Path(folder)) as address:
            yield f"{address}/page/"


def visited(engine: Engine, address: str, pictures: Path) -> list[str]:
    """Open every view, and return what is wrong, one sentence each."""
    wrong = []
    for name, link in (LINKS | FURTHER).items():
        for width, height in SIZES:
            engine.size(width, height)
            engine.goto("about:blank")  # what a page says as it is left, nobody reads
            before = len(engine.log)
            try:
                opened(engine, address, link)
            except AssertionError as error:
                wrong.append(f"{engine.name}, {name}, {width}: {error}")
                continue
            if engine.js(IS_WIDER):
                wrong.append(f"{engine.name}, {name}: wider than {width}")
            for what in (UNREAD, NAMES_MEET):
                if words := engine.js(what):
                    wrong.append(f"{engine.name}, {name}, {width}: {words}")
            told = engine.log[before:]
            wrong += [f"{engine.name}, {name}, {width}: {line}" for line in told]
            file = f"{engine.name}-{name.replace('/', '-')}-{width}.png"
            (pictures / file).write_bytes(engine.picture())
    return wrong


def _uploaded(engine: Engine, address: str, picture: Path) -> None:
    opened(engine, address, "view=input")
    engine.upload(UPLOAD, picture)
    until(engine, "document.querySelector('[data-prediction]').textContent === '5'")


def main() -> int:
    """Visit all, and return 0 where nothing is wrong."""
    install()
    pictures = Path(tempfile.mkdtemp(prefix="browsers-"))
    picture = pictures / "five.png"
    picture.write_bytes(encoded(drawn_five()))
    wrong: list[str] = []
    with running() as address, _site() as site:
        for name in ENGINES:
            try:
                with engine_named(name) as engine:
                    wrong += visited(engine, f"{address}/", pictures)
                    engine.size(*SIZES[0])
                    for place in (f"{address}/", site):
                        opened(engine, place)
                        reads_a_four(engine)
                    _uploaded(engine, f"{address}/", picture)
            except LookupError as missing:
                print(f"{name} is left out: {missing}", file=sys.stderr)
    print(*wrong, f"{len(wrong)} things are wrong; pictures: {pictures}", sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
