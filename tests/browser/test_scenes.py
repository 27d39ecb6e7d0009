"""Scenes of the benchmark still find what they play with on the page."""

import pytest

from benchmarks.browser import answering
from benchmarks.browser.scenes import playable, scenes

# A drawing and an answer.
PLAYED = ("draw-overview", "slider")


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Play for a moment; what is measured then is of no interest."""
    monkeypatch.setattr(answering, "DRAWING_MS", 1000)


@pytest.mark.parametrize("name", PLAYED)
def test_a_scene_is_played_and_measured(name, browser, base_url):
    scene = scenes()[name]
    assert all(figure.unit for figure in scene.play(browser, base_url, 1))


def test_a_scene_whose_network_is_absent_is_left_out(capsys):
    assert playable("turn-toy", {"capsnet-mnist"}) == {}
    assert "turn-toy: left out, needs matrix-toys" in capsys.readouterr().err
    assert playable("turn-toy", {"matrix-toys"}).keys() == {"turn-toy"}
