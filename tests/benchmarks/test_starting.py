"""How long the server takes to start can be measured."""

from pathlib import Path

import pytest

from benchmarks.starting import starting

WEIGHTS = Path(__file__).parents[2] / "weights"


@pytest.mark.long
def test_a_start_is_measured():
    figures = starting(WEIGHTS / "cnn-mnist.safetensors", 1)
    assert [figure.unit for figure in figures] == ["s", "MB", "ms"]
    assert all(figure.value > 0 for figure in figures)
