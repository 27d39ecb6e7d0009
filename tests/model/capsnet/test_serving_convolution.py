"""Packed convolutions answer as PyTorch's own."""

from functools import partial

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.serving.convolution import (
    FilteredConvolution,
    PackedConvolution,
    packed_convolution,
    product_with,
)
from tests.tiny import square

PAPER = CapsNetConfig(conv1_kernels=3, primary_types=2)
FITTING = [
    PAPER,
    CapsNetConfig(**square(36), conv1_kernels=3, primary_types=2),  # two tiles
    CapsNetConfig(**square(12), kernel_size=3, conv1_kernels=2, primary_types=1),
    CapsNetConfig(**square(11), kernel_size=4, conv1_kernels=2, primary_stride=1),
    CapsNetConfig(**square(19), kernel_size=5, conv1_kernels=2, primary_stride=3),
]
# The kernels of the first are too large for a tile; the maps of the second divide into
# no blocks.
OTHER = [
    CapsNetConfig(kernel_size=11, primary_stride=1, conv1_kernels=2, primary_types=1),
    CapsNetConfig(**square(13), kernel_size=3, primary_stride=3, conv1_kernels=2),
]


def layer_of(config, bias=True):
    return nn.Conv2d(
        config.conv1_kernels,
        config.primary_types * config.primary_dim,
        config.kernel_size,
        stride=config.primary_stride,
        bias=bias,
    ).requires_grad_(False)


def maps_of(config, batch):
    return torch.randn(batch, *config.conv1_maps)


@pytest.mark.parametrize("config", FITTING)
@pytest.mark.parametrize(("batch", "bias"), [(1, True), (3, True), (3, False)])
@pytest.mark.usefixtures("products")
def test_a_filtered_convolution_is_the_convolution(config, batch, bias):
    layer, maps = layer_of(config, bias), maps_of(config, batch)
    filtered = packed_convolution(layer, config)
    assert isinstance(filtered, FilteredConvolution)
    expected = F.conv2d(maps, layer.weight, layer.bias, stride=layer.stride)
    assert_close(filtered(maps), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("config", OTHER)
def test_what_cannot_be_filtered_is_one_product(config):
    layer, maps = layer_of(config), maps_of(config, 2)
    packed = packed_convolution(layer, config)
    assert isinstance(packed, PackedConvolution)
    expected = F.conv2d(maps, layer.weight, layer.bias, stride=layer.stride)
    assert_close(packed(maps), expected)


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.usefixtures("products")
def test_a_packed_convolution_takes_oblong_kernels_and_strides(has_bias):
    plain = nn.Conv2d(6, 5, (2, 3), stride=(1, 2), bias=has_bias)
    maps = torch.randn(2, 6, 7, 9)
    expected = F.conv2d(maps, plain.weight, plain.bias, stride=(1, 2))
    assert_close(PackedConvolution(plain)(maps), expected)


def test_without_onednn_the_product_is_plain(products):
    multiply = product_with(torch.ones(5, 6))
    assert isinstance(multiply, partial) == (products == "plain")
