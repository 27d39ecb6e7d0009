"""A large convolution is the same numbers as one product of matrices."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F


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

    from capsnet_explorer.model.exporting import graphs

    vectors = torch.zeros(2, 3)
    vectors[1] = 1e-6  # shorter than the root of what is added
    module = Shortened(1e-8).eval()
    graph = graphs._exported(module, {"vectors": torch.rand(2, 3)}, ["squashed"])
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    squashed: Any
    (squashed,) = session.run(["squashed"], {"vectors": vectors.numpy()})
    wanted = module(vectors).numpy()
    np.testing.assert_array_equal(squashed[0], 0)
    np.testing.assert_allclose(squashed, wanted, rtol=1e-4)
