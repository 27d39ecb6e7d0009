"""What is measured without a browser can be run."""

from pathlib import Path

import pytest

from benchmarks.passes import passes
from benchmarks.starting import starting

WEIGHTS = Path(__file__).parents[2] / "weights"


def test_passes_are_measured():
    figures = passes(WEIGHTS / "capsnet-mnist.safetensors", 1)
    assert [each.unit for each in figures] == ["ms"] * 3
    assert all(each.value > 0 for each in figures)


@pytest.mark.long
def test_a_start_is_measured():
    figures = starting(WEIGHTS / "cnn-mnist.safetensors", 1)
    assert [each.unit for each in figures] == ["s", "MB", "ms"]
    assert all(each.value > 0 for each in figures)
