"""Comparisons of the server still run with all that is shipped."""

from pathlib import Path

import pytest

from benchmarks.batches import compare_batches
from benchmarks.laboratory import compare_laboratory
from benchmarks.matrix import compare_matrix_passes
from benchmarks.networks import compare_networks
from benchmarks.serving import compare_serving
from benchmarks.starting import starting
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.torch import load_engines

WEIGHTS = Path(__file__).parents[2] / "weights"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Ask little; what is measured then is of no interest."""
    monkeypatch.setattr("benchmarks.networks.IN_A_ROW", 2)
    monkeypatch.setattr("benchmarks.batches.IMAGES", 4)
    monkeypatch.setattr("benchmarks.laboratory.VALUES", 2)
    monkeypatch.setattr("benchmarks.serving.SHEET", 4)


@pytest.fixture(scope="module")
def compiled():
    """Loops of gradients: to compile them takes longer than a request may take."""
    image = load_samples()[0].image[None]
    for engine in load_engines(WEIGHTS).values():
        if engine.info.can.gradient and engine.info.input_shape == image.shape[1:]:
            engine.gradient(image, [0])


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "compare",
    [
        lambda: compare_networks(WEIGHTS, 1),
        lambda: compare_matrix_passes(WEIGHTS, 1),
        lambda: compare_serving(WEIGHTS, 1),
        lambda: compare_batches(WEIGHTS, 1),
        lambda: compare_laboratory(WEIGHTS, 1),
    ],
    ids=["networks", "matrix", "serving", "batches", "laboratory"],
)
def test_a_comparison_runs(compare):
    assert all(row.ours_ms > 0 and row.plain_ms > 0 for row in compare())


@pytest.mark.long
def test_a_start_is_measured():
    figures = starting(WEIGHTS / "cnn-mnist.safetensors", 1)
    assert [each.unit for each in figures] == ["s", "MB", "ms"]
    assert all(each.value > 0 for each in figures)
