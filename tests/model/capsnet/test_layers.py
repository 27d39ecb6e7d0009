"""Layers: where each number goes."""

import torch

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.layers import PrimaryCapsules
from tests.tiny import square


def test_a_primary_capsule_holds_the_channels_of_one_type_at_one_position():
    """A crafted convolution: channel k gives the pixel under its corner - 1000 k.

    So nearly all are below zero: there is no ReLU.
    """
    layer = PrimaryCapsules(
        CapsNetConfig(
            **square(12),
            kernel_size=3,
            conv1_kernels=1,
            primary_types=3,
            primary_dim=8,
        )
    )
    maps = torch.arange(100.0).reshape(1, 1, 10, 10)
    with torch.no_grad():
        layer.convolution.weight.zero_()[:, :, 0, 0] = 1
        layer.convolution.bias.copy_(-1000 * torch.arange(24.0))
        capsules = layer(maps)[0]

    assert capsules.shape == (3, 4, 4, 8)
    for type_ in range(3):
        for row in range(4):
            for column in range(4):
                pixel = 10 * (2 * row) + 2 * column  # stride 2
                expected = [pixel - 1000 * (8 * type_ + d) for d in range(8)]
                assert capsules[type_, row, column].tolist() == expected
