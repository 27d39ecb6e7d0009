"""The fast convolution computes what the direct one does, gradients too."""

from typing import Any

import pytest
import torch
from torch import nn

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.winograd import (
    WinogradConvolution,
    tiles_across,
    transforms,
)
from tests.tiny import square


def sizes(**changes):
    return CapsNetConfig(
        **{"conv1_kernels": 3, "primary_types": 2, "primary_dim": 2, **changes}
    )


# Input, kernel, stride: the paper's; four tiles; nine; odd and even taps; stride 1;
# stride 3.
SIZES = [
    {},
    {**square(36)},
    {**square(34)},
    {**square(26), "kernel_size": 9},
    {**square(12), "kernel_size": 3},
    {**square(10), "kernel_size": 4, "primary_stride": 1},
    {**square(20), "kernel_size": 6, "primary_stride": 3},
]


def layer_of(config):
    return nn.Conv2d(
        config.conv1_kernels,
        config.primary_types * config.primary_dim,
        config.kernel_size,
        stride=config.primary_stride,
    ).double()


@pytest.mark.parametrize(("outputs", "taps"), [(6, 5), (2, 3), (4, 1), (1, 4)])
def test_one_dimension_is_the_correlation_of_the_textbook(outputs, taps):
    of_outputs, of_kernels, of_data = transforms(outputs, taps)
    kernel = torch.randn(taps, dtype=torch.float64)
    data = torch.randn(outputs + taps - 1, dtype=torch.float64)
    slow = [
        sum(data[index + tap] * kernel[tap] for tap in range(taps))
        for index in range(outputs)
    ]
    fast = of_outputs @ ((of_kernels @ kernel) * (of_data @ data))
    torch.testing.assert_close(fast, torch.stack(slow))


@pytest.mark.parametrize("changes", SIZES)
def test_outputs_and_gradients_are_those_of_the_direct_convolution(changes):
    config = sizes(**changes)
    direct = layer_of(config)
    like = layer_of(config)
    like.load_state_dict(direct.state_dict())
    fast = WinogradConvolution(like.float(), config)
    maps = torch.rand(5, *config.conv1_maps)
    exact_maps = maps.double().requires_grad_()
    maps.requires_grad_()

    expected, outputs = direct(exact_maps), fast(maps)
    torch.testing.assert_close(outputs.double(), expected, atol=1e-4, rtol=1e-3)

    gradient = torch.randn_like(outputs)
    expected.backward(gradient.double())
    outputs.backward(gradient)
    pairs: Any = [
        (maps.grad, exact_maps.grad),
        (fast.weight.grad, direct.weight.grad),
        (fast.bias.grad, direct.bias.grad),
    ]
    for ours, exact in pairs:
        error = (ours.double() - exact).norm() / exact.norm()
        assert error < 2e-4


def test_only_the_gradients_that_are_asked_for_are_computed():
    config = sizes()
    fast = WinogradConvolution(layer_of(config).float(), config)
    fast.weight.requires_grad_(False)
    maps = torch.rand(2, 3, 20, 20, requires_grad=True)
    fast(maps).sum().backward()
    assert maps.grad is not None
    assert fast.weight.grad is None


def test_under_autocast_it_stays_in_float32():
    config = sizes()
    fast = WinogradConvolution(layer_of(config).float(), config)
    maps = torch.rand(2, 3, 20, 20)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(fast(maps), fast(maps.float()))


@pytest.mark.parametrize(
    "changes",
    [
        {**square(27)},  # 19 x 19 maps do not divide into 2 x 2 blocks
        {**square(30)},  # 11 x 11 blocks, one too many, and 7 x 7 outputs
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes):
    config = sizes(**changes)
    assert tiles_across(config) is None
    with pytest.raises(ValueError, match="blocks of 2 pixels, got"):
        WinogradConvolution(layer_of(config).float(), config)


@pytest.mark.parametrize(("side", "tiles"), [(28, 1), (36, 2), (34, 3), (40, 2)])
def test_larger_maps_take_as_few_tiles_as_possible(side, tiles):
    assert tiles_across(sizes(**square(side))) == tiles
