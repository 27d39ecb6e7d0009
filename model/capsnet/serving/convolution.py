"""The PrimaryCaps convolution as matrix products with kernels rearranged in advance.

For a few images a convolution multiplies a small matrix, the patches, by a large one,
the kernels. PyTorch rearranges both at every call; this module rearranges the kernels
once.
"""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.winograd import tiles_across, transforms

Product = Callable[[Tensor], Tensor]


def product_with(matrix: Tensor, bias: Tensor | None = None) -> Product:
    """Return a function that maps (rows, in) to (rows, out), as `F.linear` does.

    oneDNN stores the matrix in the order in which its product reads it, which takes two
    thirds of the time. `torch.compile` calls the same operators for frozen weights.
    Where torch was built without oneDNN, the function is `F.linear`.

    Args:
        matrix: (out, in).
        bias: (out,).
    """
    try:
        reordered = torch.ops.mkldnn._reorder_linear_weight(matrix.contiguous())
        multiply = torch.ops.mkldnn._linear_pointwise
    except (AttributeError, RuntimeError):
        return partial(F.linear, weight=matrix.contiguous(), bias=bias)
    return lambda rows: multiply(rows, reordered, bias, "none", [], "")


def packed_convolution(layer: nn.Conv2d, config: CapsNetConfig) -> nn.Module:
    """Return a fast replacement of the PrimaryCaps convolution for small batches.

    It holds a copy of the kernels of `layer`.
    """
    if tiles_across(config) is not None:
        return FilteredConvolution(layer, config)
    return PackedConvolution(layer)


class PackedConvolution(nn.Module):
    """A convolution as one matrix product: flattened patches times kernels.

    Args:
        layer: without padding, dilation or groups.
    """

    def __init__(self, layer: nn.Conv2d) -> None:
        super().__init__()
        self.size, self.stride = layer.kernel_size, layer.stride
        kernels = layer.weight.detach().permute(0, 2, 3, 1).flatten(1)
        self.multiply = product_with(kernels, layer.bias)

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, in, rows, columns) to (batch, out, rows, columns).

        With a pixel's channels adjacent, a row of a patch is contiguous in memory.
        """
        (height, width), (down, right) = self.size, self.stride
        pixels = maps.permute(0, 2, 3, 1).contiguous()
        patches = pixels.unfold(1, height, down).unfold(2, width, right)
        places = patches.shape[:3]
        # From (..., in, height, width) to the order of the kernels.
        flat = patches.permute(0, 1, 2, 4, 5, 3).reshape(places.numel(), -1)
        return self.multiply(flat).unflatten(0, places).permute(0, 3, 1, 2)


class FilteredConvolution(nn.Module):
    """The same convolution in little more than a third of the products.

    It filters as `model.capsnet.winograd` does, but along the rows alone: 6 outputs of
    a 9-row kernel of stride 2 take values at 10 points, with all 9 columns at each, in
    place of 6 times 9 rows. Filtering both ways would take 400 matrices in place of 10,
    and reading them for one image would cost more time than it saves.

    Args:
        layer: without padding, dilation or groups.
        config: the network's sizes; `tiles_across(config)` is not None.
    """

    def __init__(self, layer: nn.Conv2d, config: CapsNetConfig) -> None:
        super().__init__()
        self.stride, self.width = config.primary_stride, config.kernel_size
        self.tiles = tiles_across(config) or 1
        self.rows = config.primary_grid[1] // self.tiles
        self.bias = layer.bias
        taps = -(-config.kernel_size // self.stride)
        self.of_outputs, of_kernels, self.of_maps = (
            matrix.to(layer.weight.dtype) for matrix in transforms(self.rows, taps)
        )
        values = self._values_of(layer.weight.detach(), of_kernels)
        self.multiply = [product_with(kernels) for kernels in values]

    def _values_of(self, kernels: Tensor, of_kernels: Tensor) -> Tensor:
        """Evaluate kernels (out, in, rows, columns) at each point.

        Returns:
            (points, out, columns * phases * in), phases being the rows of a block of
            `stride`.
        """
        missing = of_kernels.shape[1] * self.stride - kernels.shape[2]
        blocks = F.pad(kernels, (0, 0, 0, missing)).unflatten(2, (-1, self.stride))
        return torch.einsum("tk,oikpc->tocpi", of_kernels, blocks).flatten(2)

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, in, rows, columns) to (batch, out, rows, columns)."""
        side, step = len(self.of_maps) * self.stride, self.rows * self.stride
        starts = [step * tile for tile in range(self.tiles)]
        # Tiles are filtered as images of their own; they overlap.
        outputs = self._filter(
            torch.cat([maps[:, :, start : start + side] for start in starts])
            if self.tiles > 1
            else maps
        )
        return (
            torch.cat(outputs.chunk(self.tiles), dim=2) if self.tiles > 1 else outputs
        )

    def _filter(self, maps: Tensor) -> Tensor:
        batch, points = len(maps), len(self.of_maps)
        # (batch, points, columns, phases, in): what one position reads at a point is
        # then contiguous in memory.
        blocks = maps.unflatten(2, (points, self.stride)).permute(0, 2, 4, 3, 1)
        values = self.of_maps @ blocks.reshape(batch, points, -1)
        columns = values.view(*blocks.shape[:3], -1)
        # (batch, points, positions, width, values)
        patches = columns.unfold(-2, self.width, self.stride).mT
        flat = patches.transpose(0, 1).flatten(3).flatten(1, 2)
        products = torch.stack(
            [multiply(rows) for multiply, rows in zip(self.multiply, flat, strict=True)]
        )
        outputs = self.of_outputs @ products.flatten(1)
        channels = outputs.view(self.rows, batch, patches.shape[2], -1)
        if self.bias is not None:
            channels = channels.add_(self.bias)
        return channels.permute(1, 3, 0, 2)
