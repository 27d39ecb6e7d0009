"""What the benchmarks compare is the same, and can be run."""

import io
from pathlib import Path

from PIL import Image

from benchmarks.passes import _check_same
from benchmarks.plain import PlainNetwork
from benchmarks.serving import PAD, _drawing
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Question
from capsnet_explorer.app.engines.torch import TorchEngine
from capsnet_explorer.model.weights import load_weights

FILE = Path(__file__).parents[2] / "weights" / "capsnet-mnist.safetensors"
IMAGE = load_samples()[0].image


def test_the_plain_network_computes_what_the_engine_answers():
    trained = load_weights(FILE)
    engine = TorchEngine(FILE.stem, trained, FILE)
    names = tuple(one.name for one in engine.info.tensors if not one.on_request)
    question = Question(IMAGE, engine.options({}), names)
    _check_same(engine, PlainNetwork(trained.network), question)


def test_the_same_drawing_is_sent_in_both_formats():
    pgm, png = (Image.open(io.BytesIO(file)) for file in _drawing(IMAGE).values())
    assert pgm.size == png.size == (PAD, PAD)
    assert pgm.tobytes() == png.tobytes()
