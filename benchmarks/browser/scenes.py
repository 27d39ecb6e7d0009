"""Every scene that is played on the page, by its name."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.browser import answering, moving
from benchmarks.browser.explorer import chromium, explorer
from benchmarks.browser.figures import Figure

VIEWS = ("input", "conv1", "primary", "routing", "digits", "reconstruction")

Scene = Callable[[Browser, str, int], list[Figure]]


def scenes() -> dict[str, Scene]:
    """Return every scene by its name."""
    return {
        **{f"open-{view}": partial(answering.opening, view=view) for view in VIEWS},
        **{f"switch-{view}": partial(answering.switching, view=view) for view in VIEWS},
        **{f"draw-{view}": partial(answering.drawing, view=view) for view in VIEWS},
        "slider": answering.sliding,
        "routing-scrub": moving.scrubbing,
        "routing-play": moving.playing,
        **{f"{view}-hover": partial(moving.hovering, view=view) for view in VIEWS},
    }


def measure(
    weights: Path, rounds: int, only: str = "", address: str = ""
) -> list[Figure]:
    """Play the scenes whose names contain `only`.

    Args:
        weights: of the explorer that is started.
        rounds: of each scene.
        only: part of a name; all when empty.
        address: of a running explorer to measure in place of one's own.
    """
    server = nullcontext(address) if address else explorer(weights)
    with server as found, chromium() as browser:
        figures = []
        for name, scene in scenes().items():
            if only in name:
                print(name, file=sys.stderr)
                figures += scene(browser, found, rounds)
        return figures
