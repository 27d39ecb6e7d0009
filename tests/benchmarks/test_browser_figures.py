"""How the page's benchmark adds up frames and picks what to tell."""

import pytest

from benchmarks.browser.figures import Figure, median, worst
from benchmarks.browser.frames import read_frames

PAGE = {"pid": 1, "tid": 1}


def event(name, start, length, place=PAGE):
    return {"ph": "X", "name": name, "ts": start, "dur": length, **place}


def thread(name, place):
    return {"ph": "M", "name": "thread_name", "args": {"name": name}, **place}


def test_script_is_added_up_between_the_ends_of_frames():
    events = [
        thread("CrRendererMain", PAGE),
        thread("Compositor", {"pid": 1, "tid": 2}),
        event("Commit", 0, 100),
        event("RunTask", 1000, 9000),
        event("FunctionCall", 2000, 3000),
        event("FunctionCall", 2500, 1000),  # inside the one before
        event("RunMicrotasks", 6000, 500),
        event("FunctionCall", 2000, 7000, {"pid": 1, "tid": 2}),  # another thread's
        event("Commit", 9000, 1000),
        event("RunTask", 11000, 2000),  # a frame without script is left out
        event("Commit", 12000, 1000),
        event("FunctionCall", 13000, 9999),  # its frame has not ended
    ]
    frames = read_frames(events)
    assert frames.script == [3.5]
    assert frames.work == [9.0]


def figure(view, value, **more):
    return Figure("drawing", view, value, "a second", **more)


def test_the_worst_view_stands_for_all():
    slow, fast = figure("a", 12.0), figure("b", 30.0)
    assert worst([slow, fast]) == [fast]
    more = {"limit": 20.0, "at_least": True}
    slow, fast = figure("a", 12.0, **more), figure("b", 30.0, **more)
    assert worst([slow, fast]) == [slow]
    assert (slow.is_kept, fast.is_kept) == (False, True)


def test_a_scene_that_saw_nothing_has_no_figure():
    with pytest.raises(ValueError, match="drawing, routing: nothing was seen"):
        figure("routing", median([]))
    with pytest.raises(ValueError, match="nothing was seen"):
        figure("routing", 0.0, at_least=True, limit=20.0)
    assert figure("routing", 0.0).is_kept  # of long tasks there may be none
