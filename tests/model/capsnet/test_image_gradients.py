"""Convolutions rearranged for attacks: PyTorch's outputs and gradients."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.image_gradients import (
    DifferentiableConvolution,
    PatchConvolution,
    differentiable,
)
from capsnet_explorer.model.capsnet.network import CapsNet
from tests.tiny import square

PAPER = CapsNetConfig(conv1_kernels=3, primary_types=2)
LARGER = CapsNetConfig(**square(36), conv1_kernels=3, primary_types=2)
NARROW = CapsNetConfig(**square(19), kernel_size=5, conv1_kernels=2, primary_stride=3)


def primary_of(config):
    return CapsNet(config).primary.convolution.requires_grad_(False)


def both_ways(convolution, maps):
    """Return the outputs, and the maps' gradient of a sum with different weights."""
    maps = maps.clone().requires_grad_()
    outputs = convolution(maps)
    weights = torch.linspace(-1, 1, outputs.numel()).view(outputs.shape)
    (gradient,) = torch.autograd.grad((weights * outputs).sum(), maps)
    return outputs.detach(), gradient


def assert_alike(convolution, layer, maps, **tolerance):
    expected = both_ways(
        lambda given: F.conv2d(given, layer.weight, layer.bias, stride=layer.stride),
        maps,
    )
    for found, wanted in zip(both_ways(convolution, maps), expected, strict=True):
        assert_close(found, wanted, **tolerance)


@pytest.mark.parametrize("config", [PAPER, LARGER, NARROW])
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.usefixtures("products")
def test_a_filtered_convolution_has_the_convolutions_gradient(config, count):
    layer = primary_of(config)
    maps = torch.randn(count, *config.conv1_maps)
    filtered = DifferentiableConvolution(layer, config)
    assert_alike(filtered, layer, maps, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("size", "stride"), [((3, 3), (1, 1)), ((9, 9), (2, 2)), ((2, 4), (3, 1))]
)
def test_patches_have_the_convolutions_gradient(count, size, stride):
    layer = nn.Conv2d(2, 5, size, stride=stride)
    assert_alike(PatchConvolution(layer), layer, torch.randn(count, 2, 12, 9))


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (PAPER, DifferentiableConvolution),
        (
            CapsNetConfig(
                kernel_size=11, primary_stride=1, conv1_kernels=2, primary_types=1
            ),
            PatchConvolution,
        ),
    ],
)
def test_primary_capsules_are_filtered_where_tiles_cover_them(config, kind):
    network = CapsNet(config)
    fast = differentiable(network)
    assert isinstance(fast.primary.convolution, kind)
    assert isinstance(network.primary.convolution, nn.Conv2d)
