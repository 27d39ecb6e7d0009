"""A large convolution is the same numbers as one product of matrices."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from capsnet_explorer.model.exporting import graphs


@pytest.mark.parametrize("stride", [1, 2, (2, 1)])
@pytest.mark.parametrize("bias", [True, False])
def test_a_large_convolution_is_one_product(
    monkeypatch: pytest.MonkeyPatch, stride: int, bias: bool
):
    layer = nn.Conv2d(3, 5, (4, 3), stride, bias=bias)
    images = torch.rand(1, 3, 9, 8)
    wanted = F.conv2d(images, layer.weight, layer.bias, layer.stride)
    monkeypatch.setattr(graphs, "LEAST_WEIGHTS", 1)
    monkeypatch.setattr(F, "conv2d", None)  # is not asked
    torch.testing.assert_close(graphs._as_product(layer, images), wanted)
