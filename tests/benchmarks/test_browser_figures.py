"""How the page's benchmark picks what to tell."""

import pytest

from benchmarks.browser.figures import Figure, median, worst


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
