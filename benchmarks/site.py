"""`python -m benchmarks.site`: a site of files beside a server, in turns."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from benchmarks.browser.answering import updates_while_drawing
from benchmarks.browser.explorer import chromium, open_view
from benchmarks.browser.figures import Figure, median, table
from benchmarks.server import ROOT
from capsnet_explorer.app.site.command import engines_of
from capsnet_explorer.app.site.writing import write_site
from tests.browser.server import hosted, running

# Readings a second that a hand should get.
WANTED = {"efficient-mnist": 30, "cnn-mnist": 30, "capsnet-mnist": 20}


def beside(weights: Path, rounds: int) -> list[Figure]:
    """Measure drawing in a site and on a server, with each network of `WANTED`.

    Raises:
        ImportError: a package of requirements-site.txt is missing.
        FileNotFoundError: so is onnxruntime-web, or a network.
    """
    engines = engines_of([*WANTED], weights)
    with TemporaryDirectory() as folder:
        write_site(Path(folder), engines, say=lambda _: None)
        with (
            hosted(Path(folder)) as site,
            running("--weights", str(weights)) as server,
            chromium() as browser,
        ):
            return [
                figure
                for id in engines
                for figure in _drawing(browser, site, server, id, rounds)
            ]


def _drawing(
    browser: Browser, site: str, server: str, id: str, rounds: int
) -> list[Figure]:
    """Draw in a site and on a server, in turns, once the network is there."""
    rates: dict[str, list[float]] = {site: [], server: []}
    for _ in range(-(-rounds // 4)):
        for address, readings in rates.items():
            with open_view(browser, address, f"view=overview&model={id}") as page:
                updates_while_drawing(page)
                readings.append(updates_while_drawing(page))
    ours, theirs = (median(readings) for readings in rates.values())
    doing = "drawing in a site: updates"
    return [
        Figure(doing, id, ours, "a second", WANTED[id], at_least=True),
        Figure(f"{doing}, of the server's", id, ours / theirs, "times"),
    ]


def main() -> None:
    """Print the measurements as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    options = parser.parse_args()
    print(table(beside(options.weights, options.rounds)))


if __name__ == "__main__":
    main()
