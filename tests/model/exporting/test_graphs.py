"""A large convolution is the same numbers as one product of matrices."""

from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load
from torch import nn
from torch.nn import functional as F

import capsnet_explorer as ce
from capsnet_explorer.app.engines.torch import described_engines


@pytest.fixture(autouse=True)
def has_packages(needs):
    needs("site")


@pytest.mark.parametrize("stride", [1, 2, (2, 1)])
@pytest.mark.parametrize("bias", [True, False])
def test_a_large_convolution_is_one_product(
    monkeypatch: pytest.MonkeyPatch, stride: int, bias: bool
):
    from capsnet_explorer.model.exporting import graphs

    layer = nn.Conv2d(3, 5, (4, 3), stride, bias=bias)
    images = torch.rand(1, 3, 9, 8)
    wanted = F.conv2d(images, layer.weight, layer.bias, layer.stride)
    monkeypatch.setattr(graphs, "LEAST_WEIGHTS", 1)
    monkeypatch.setattr(F, "conv2d", None)  # is not asked
    torch.testing.assert_close(graphs._as_product(layer, images), wanted)


class Shortened(nn.Module):
    """Squash, as it would be with another number under its root."""

    def __init__(self, epsilon: float) -> None:
        super().__init__()
        self.epsilon = epsilon

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        squares = vectors.square().sum(dim=-1, keepdim=True)
        return vectors * (squares * (squares + self.epsilon).rsqrt() / (1 + squares))


def test_a_number_added_is_never_taken_for_zero():
    import onnxruntime

    from capsnet_explorer.model.exporting.feeding import with_weights
    from capsnet_explorer.model.exporting.tracing import graph_of

    vectors = torch.zeros(2, 3)
    vectors[1] = 1e-6  # shorter than the root of what is added
    module = Shortened(1e-8).eval()
    graph = with_weights(graph_of(module, {"vectors": torch.rand(2, 3)}, ["squashed"]))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    squashed: Any
    (squashed,) = session.run(["squashed"], {"vectors": vectors.numpy()})
    wanted = module(vectors).numpy()
    np.testing.assert_array_equal(squashed[0], 0)
    np.testing.assert_allclose(squashed, wanted, rtol=1e-4)


class Scaled(nn.Module):
    """A small network, a number of which is worked out from a weight alone."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.norm = nn.Conv2d(1, 4, 5), nn.BatchNorm2d(4)
        self.out = nn.Linear(4 * 64, 3)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        maps = self.norm(self.conv1(images)).relu() / self.conv1.bias.exp().sum()
        return self.out(maps.flatten(1)).softmax(dim=1)


def test_one_graph_reads_with_any_weights():
    import onnxruntime

    torch.manual_seed(1)
    first, other = Scaled(), Scaled()
    other.norm.running_mean = torch.rand(4)
    layers = [ce.Convolution("conv1", first.conv1), ce.Classes()]
    mine = ce.describe(first, layers, torch.rand(2, 1, 12, 12), name="mine")
    engine: Any = described_engines([mine])["mine"]
    files = engine.exported()
    assert first.training  # as its owner left it
    graph = onnxruntime.InferenceSession(files["mine.reading.fed.onnx"])
    image = torch.rand(1, 12, 12)
    tensors = {f"weights/{name}": each for name, each in other.state_dict().items()}
    del tensors["weights/norm.num_batches_tracked"]
    feeds = {"image": image, **tensors}
    assert {each.name for each in graph.get_inputs()} == feeds.keys()
    scores: Any
    (scores,) = graph.run(
        ["scores"], {name: each.detach().numpy() for name, each in feeds.items()}
    )
    wanted = other.eval()(image[None])[0].detach()
    np.testing.assert_allclose(scores, wanted, atol=1e-6)
    stored = load(files["mine.safetensors"])
    assert stored.keys() == {name.removeprefix("weights/") for name in tensors}
    np.testing.assert_allclose(stored["out.bias"], first.out.bias.detach())
