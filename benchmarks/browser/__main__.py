"""`python -m benchmarks.browser`: measure the page; `--only NAME` selects scenes."""

import argparse
from pathlib import Path

from benchmarks.browser.figures import beside, table
from benchmarks.browser.scenes import measure, measure_beside, scenes
from benchmarks.server import ROOT


def main() -> None:
    """Print the measurements as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="NAME", help="part of the name")
    parser.add_argument(
        "--url",
        default="",
        help="of a running explorer, or a site of files, to measure",
    )
    parser.add_argument(
        "--beside",
        default="",
        metavar="URL",
        help="of another explorer, such as an earlier version's: --url is measured in "
        "turns with it",
    )
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--weights", type=Path, default=ROOT / "weights")
    parser.add_argument("--list", action="store_true", help="list the scenes")
    options = parser.parse_args()
    if options.list:
        print(*scenes(), sep="\n")
        return
    if options.beside:
        if not options.url:
            parser.error("--beside needs --url, the explorer that is measured")
        pairs = measure_beside(
            options.rounds, options.only, options.url, options.beside
        )
        print(beside(pairs))
        return
    print(table(measure(options.weights, options.rounds, options.only, options.url)))


if __name__ == "__main__":
    main()
