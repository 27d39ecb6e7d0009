"""Every scene that the benchmark plays on the page, by name."""

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.browser import answering
from benchmarks.browser.explorer import chromium
from benchmarks.browser.figures import Figure, medians
from tests.browser.server import running

DIGITS = "capsnet-mnist"  # reads the sample digits
TURNS = 3  # of each of two versions
VIEWS = ("overview", "input", "conv1", "primary", "routing", "digits", "reconstruction")


@dataclass(frozen=True, slots=True)
class Scene:
    """Something done on the page, and timed.

    Attributes:
        play: does it, in a browser, at an address, a number of times.
        network: the id of the one that it shows.
    """

    play: Callable[[Browser, str, int], list[Figure]]
    network: str = DIGITS


def scenes() -> dict[str, Scene]:
    """Return every scene by its name."""
    of_views = {
        "open": answering.opening,
        "switch": answering.switching,
        "draw": answering.drawing,
    }
    return {
        **{
            f"{doing}-{view}": Scene(partial(play, view=view))
            for doing, play in of_views.items()
            for view in VIEWS
        },
        "slider": Scene(answering.sliding),
        "turn-toy": Scene(answering.turning_a_toy, answering.TURNED),
    }


def measure(
    weights: Path, rounds: int, only: str = "", address: str = ""
) -> list[Figure]:
    """Play the scenes whose names contain `only` and whose networks are there.

    Args:
        weights: for the explorer that this starts.
        rounds: repetitions of each scene.
        only: part of a name; the empty string selects all.
        address: of a running explorer, or of a site of files; if given, no other is
            started.
    """
    server = nullcontext(address) if address else running("--weights", str(weights))
    with server as url, chromium() as browser:
        figures = []
        for name, scene in playable(only, _networks_at(url)).items():
            print(name, file=sys.stderr)
            figures += scene.play(browser, url, rounds)
        return figures


def measure_beside(
    rounds: int, only: str, address: str, other: str
) -> list[tuple[Figure, Figure]]:
    """Play each scene on two running explorers in turns, in one Chromium.

    Args:
        rounds: repetitions of each scene in a turn.
        only: part of a scene's name; the empty string selects all.
        address: of the explorer that is measured.
        other: of the one that it is compared with, such as an earlier version.

    Returns:
        Each figure of both: the medians of `TURNS` turns.
    """
    pairs = []
    with chromium() as browser:
        served = _networks_at(address) & _networks_at(other)
        for name, scene in playable(only, served).items():
            turns: list[list[Figure]] = [[], []]
            for turn in range(2 * TURNS):
                print(name, turn + 1, file=sys.stderr)
                at = turn % 2
                turns[at] += scene.play(browser, [address, other][at], rounds)
            ours, others = map(medians, turns)
            theirs = {figure.words[0]: figure for figure in others}
            pairs += [(figure, theirs[figure.words[0]]) for figure in ours]
    return pairs


def playable(only: str, served: set[str]) -> dict[str, Scene]:
    """Return the scenes whose names contain `only`; say which lack their network.

    Args:
        only: part of a name; the empty string selects all.
        served: ids of the networks that there are.
    """
    chosen = {name: scene for name, scene in scenes().items() if only in name}
    for name, scene in chosen.items():
        if scene.network not in served:
            print(f"{name}: left out, needs {scene.network}", file=sys.stderr)
    return {name: scene for name, scene in chosen.items() if scene.network in served}


def _networks_at(address: str) -> set[str]:
    models = f"{address}/api/models"
    try:
        answer = urllib.request.urlopen(models)
    except urllib.error.HTTPError:  # a site, whose answers are files
        answer = urllib.request.urlopen(f"{models}.json")
    with answer:
        return {model["id"] for model in json.load(answer)["models"]}
