"""Reads the time of script and other work in each frame from a Chromium trace."""

import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "devtools.timeline.frame",
    "v8",
    "__metadata",
]
MAIN_THREAD = "CrRendererMain"
# Layout that a script forces by reading sizes counts as the script's own time.
SCRIPT = {"FunctionCall", "EvaluateScript", "v8.evaluateModule", "RunMicrotasks"}
FRAME_END = "Commit"


@dataclass(slots=True)
class Frames:
    """The time of each frame on the page's main thread, in milliseconds.

    Attributes:
        script: running JavaScript.
        work: all work: script, style, layout, painting.
    """

    script: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[Frames]:
    """Trace the block; the yielded frames are filled in when it ends.

    Frames without script are excluded.
    """
    frames = Frames()
    browser.start_tracing(page=page, categories=CATEGORIES)
    try:
        yield frames
    finally:
        found = read_frames(json.loads(browser.stop_tracing())["traceEvents"])
        frames.script, frames.work = found.script, found.work


def read_frames(events: Sequence[dict]) -> Frames:
    """Sum the times of each frame.

    Args:
        events: of a Chromium trace, with times in microseconds.
    """
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == MAIN_THREAD
    }
    ours = sorted(
        (
            event
            for event in events
            if (event["pid"], event["tid"]) in threads and event["ph"] == "X"
        ),
        key=lambda event: event["ts"],
    )
    script = _spans(event for event in ours if event["name"] in SCRIPT)
    work = _spans(event for event in ours if event["name"] == "RunTask")
    ends = [event["ts"] + event["dur"] for event in ours if event["name"] == FRAME_END]
    frames = Frames()
    for start, end in itertools.pairwise(ends):
        run = _within(script, start, end)
        if run > 0:
            frames.script.append(run / 1000)
            frames.work.append(_within(work, start, end) / 1000)
    return frames


def _spans(events: Iterator[dict]) -> list[tuple[float, float]]:
    """Return (start, end) of the outermost events."""
    spans: list[tuple[float, float]] = []
    for event in events:
        start, end = event["ts"], event["ts"] + event.get("dur", 0)
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _within(spans: list[tuple[float, float]], start: float, end: float) -> float:
    return sum(max(0.0, min(end, last) - max(start, first)) for first, last in spans)
