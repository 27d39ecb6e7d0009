"""How the page's benchmark picks what to tell."""

import pytest

from benchmarks.browser.figures import Figure, beside, median, medians, worst


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


def test_two_versions_stand_beside_each_other():
    own = medians([figure("input", value) for value in (30, 20, 40)])
    assert [each.value for each in own] == [30]
    rate = Figure("drawing: updates", "input", 24, "a second", 20, at_least=True)
    slower = Figure("drawing: updates", "input", 16, "a second", 20, at_least=True)
    lines = beside([(own[0], figure("input", 60)), (rate, slower)]).splitlines()
    assert "| 30 a second | 60 | 2.00 |" in lines[2]
    assert "| 24 a second | 16 | 1.50 | ≥ 20 |" in lines[3]
