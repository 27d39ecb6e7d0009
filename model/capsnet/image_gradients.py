"""The network rearranged for gradients with respect to images, as attacks take them.

Convolutions take most of such a gradient's time. PyTorch's way back through PrimaryCaps
reads its kernels across their order in memory, and gathers the gradients of patches
number by number. Here both ways multiply by kernels in the order of reading, filtered
along the rows, and add up whole rows of channels.
"""

import copy
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.convolution import (
    FilteredConvolution,
    Product,
    product_with,
)
from capsnet_explorer.model.capsnet.winograd import tiles_across


class _Multiply(torch.autograd.Function):
    """A product with a constant matrix, and with its transpose on the way back."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, there: Product, back: Product) -> Tensor:
        ctx.back = back
        return there(rows)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return ctx.back(gradients[0].contiguous()), None, None


class _Windows(torch.autograd.Function):
    """What each position reads of (..., columns, values): whole runs of values."""

    @staticmethod
    def forward(ctx: Any, columns: Tensor, width: int, stride: int) -> Tensor:
        ctx.columns, ctx.width, ctx.stride = columns.shape[-2], width, stride
        return columns.unfold(-2, width, stride).mT

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        (found,) = gradients
        positions, values = found.shape[-3], found.shape[-1]
        sums = found.new_zeros(*found.shape[:-3], ctx.columns, values)
        reach = ctx.stride * (positions - 1) + 1
        for place in range(ctx.width):
            sums[..., place : place + reach : ctx.stride, :] += found[..., place, :]
        return sums, None, None


class DifferentiableConvolution(FilteredConvolution):
    """A filtered convolution with gradients with respect to its maps."""

    def product_with(self, kernels: Tensor) -> Product:
        """Return a function that multiplies (rows, in) by kernels (out, in)."""
        there, back = product_with(kernels), product_with(kernels.T)
        return lambda rows: _Multiply.apply(rows, there, back)

    def windows(self, columns: Tensor) -> Tensor:
        """Return what each position reads of (..., columns, values)."""
        return _Windows.apply(columns, self.width, self.stride)


class PatchConvolution(nn.Module):
    """A convolution as one product of kernels and patches.

    Its way back takes less time than a convolution's where there are few maps.

    Args:
        layer: without padding, dilation or groups.
    """

    def __init__(self, layer: nn.Conv2d) -> None:
        super().__init__()
        self.patches = partial(
            F.unfold, kernel_size=layer.kernel_size, stride=layer.stride
        )
        self.size, self.stride = layer.kernel_size, layer.stride
        self.kernels = layer.weight.detach().flatten(1)
        self.bias = layer.get_parameter("bias").detach()[:, None]

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, in, rows, columns) to (batch, out, rows, columns)."""
        products = self.kernels @ self.patches(maps) + self.bias
        rows = (maps.shape[2] - self.size[0]) // self.stride[0] + 1
        return products.unflatten(2, (rows, -1))


def differentiable(network: CapsNet) -> CapsNet:
    """Return an equivalent of `network` for gradients with respect to images.

    It has none with respect to weights. It copies them; they must not change.
    """
    fast = copy.deepcopy(network).eval().requires_grad_(False)
    primary = network.primary.convolution
    fast.add_module("conv1", PatchConvolution(network.conv1))
    fast.primary.add_module(
        "convolution",
        DifferentiableConvolution(primary, network.config)
        if tiles_across(network.config) is not None
        else PatchConvolution(primary),
    )
    return fast
