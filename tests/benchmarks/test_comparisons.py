"""What the benchmarks compare is the same, and can be run."""

from pathlib import Path

import pytest

from benchmarks.passes import _check_same
from benchmarks.plain import PlainNetwork
from benchmarks.starting import LATER, _start
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.model.weights import load_weights

WEIGHTS = Path(__file__).parents[2] / "weights"
FILE = WEIGHTS / "capsnet-mnist.safetensors"
IMAGE = load_samples()[0].image


def test_the_plain_network_computes_what_the_engine_answers():
    trained = load_weights(FILE)
    engine = TorchEngine(FILE.stem, trained, FILE)
    names = tuple(one.name for one in engine.info.tensors if not one.on_request)
    question = Question(IMAGE, engine.options({}), names)
    _check_same(engine, PlainNetwork(trained.network), question)


@pytest.mark.long
def test_a_start_is_measured(tmp_path):
    weights = WEIGHTS / "cnn-mnist.safetensors"
    figures = [*_start(WEIGHTS.parent, weights, tmp_path, LATER)]
    assert [figure.unit for figure in figures] == ["s"] * 4 + ["MB"]
    assert all(figure.value > 0 for figure in figures)
