"""Every scene that the benchmark plays on the page, by name."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.browser import answering, experiments, moving
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
        "atlas-open": answering.entering_the_atlas,
        "atlas-zoom": moving.zooming,
        "turn-toy": moving.turning_a_toy,
        "lab-pose": experiments.turning,
        "lab-light": experiments.lighting,
        **{f"{view}-hover": partial(moving.hovering, view=view) for view in VIEWS},
    }


def measure(
    weights: Path, rounds: int, only: str = "", address: str = ""
) -> list[Figure]:
    """Play the scenes whose names contain `only`.

    Args:
        weights: for the explorer that this starts.
        rounds: repetitions of each scene.
        only: part of a name; the empty string selects all.
        address: of a running explorer; if given, no other is started.
    """
    server = nullcontext(address) if address else explorer(weights)
    with server as found, chromium() as browser:
        figures = []
        for name, scene in scenes().items():
            if only in name:
                print(name, file=sys.stderr)
                figures += scene(browser, found, rounds)
        return figures
