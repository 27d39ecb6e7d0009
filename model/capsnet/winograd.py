"""The PrimaryCaps convolution in a ninth of the multiplications, for training.

Winograd's minimal filtering (Winograd 1980, "Arithmetic Complexity of Computations";
for networks: Lavin & Gray 2016, arXiv 1509.09308), in plain torch.

A convolution multiplies polynomials. The values at n points determine a product of
degree n - 1, and each value takes one multiplication: evaluate both factors at the
points, multiply the values, interpolate. In two dimensions, 6 x 6 outputs of 5 x 5
kernels take 10 x 10 products for each pair of channels in place of 36 x 25.

A convolution of stride 2 is first turned into one of stride 1: the four pixels of every
2 x 2 block become four channels. A 9 x 9 kernel then has 5 x 5 taps, with zeros for its
missing tenth row and column. In the paper's network one tile covers a whole map, and
each of the 100 points takes one matrix product over images and channels. Larger maps
are divided into tiles, which are convolved as if they were images: 28 x 28 pixels into
four of 18 x 18, with 5 x 5 outputs each.

Outputs and gradients equal those of the direct convolution up to rounding, about 1e-4
of their size. The parameters stay ordinary kernels.
"""

from collections.abc import Sequence
from fractions import Fraction

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.config import CapsNetConfig

# Points at which polynomials are evaluated, besides infinity. Small numbers and their
# inverses keep the transforms' entries small, and with them the rounding.
POINTS = (
    *map(Fraction, (0, 1, -1, 2, -2)),
    *(Fraction(1, 2), Fraction(-1, 2), Fraction(3, 4), Fraction(-4, 3)),
)

Matrix = Sequence[Sequence[Fraction]]


def tiles_across(config: CapsNetConfig) -> int | None:
    """Return how many tiles stand side by side in the maps; None if none fit.

    The maps must be square and divide into blocks of the stride, and their outputs into
    tiles of two or more. With more points than there are, float32 would lose too many
    digits.
    """
    _, rows, columns = config.conv1_maps
    blocks, rest = divmod(rows, config.primary_stride)
    if rows != columns or rest:
        return None
    taps = _taps_of(config)
    outputs = blocks - taps + 1
    fitting = (
        count
        for count in (1, *range(2, outputs // 2 + 1))
        if outputs % count == 0 and outputs // count + taps - 1 <= len(POINTS) + 1
    )
    return next(fitting, None)


def _taps_of(config: CapsNetConfig) -> int:
    return -(-config.kernel_size // config.primary_stride)


class WinogradConvolution(nn.Module):
    """The PrimaryCaps convolution, with the parameters of the layer it replaces.

    Args:
        layer: without padding, dilation or groups.
        config: the network's sizes.

    Raises:
        ValueError: `tiles_across(config)` is None.
    """

    of_outputs: Tensor
    of_kernels: Tensor
    of_maps: Tensor

    def __init__(self, layer: nn.Conv2d, config: CapsNetConfig) -> None:
        _, rows, columns = config.conv1_maps
        tiles = tiles_across(config)
        if tiles is None:
            raise ValueError(
                "Winograd's tiles cover square maps whose outputs divide into tiles of "
                f"up to {len(POINTS) + 1} blocks of {config.primary_stride} pixels, "
                f"got {rows} x {columns} pixels"
            )
        super().__init__()
        self.weight = layer.weight
        self.bias = layer.bias
        self.stride = config.primary_stride
        self.tiles = tiles
        taps = _taps_of(config)
        self.outputs = (rows // self.stride - taps + 1) // tiles
        self.side = (self.outputs + taps - 1) * self.stride
        for name, matrix in zip(
            ("of_outputs", "of_kernels", "of_maps"),
            transforms(self.outputs, taps),
            strict=True,
        ):
            # Not saved: the constructor computes them again.
            self.register_buffer(name, matrix.float(), persistent=False)

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, in, rows, columns) to (batch, out, rows, columns), in float32."""
        with torch.autocast(maps.device.type, enabled=False):
            channels = self._from_tiles(self._convolve(self._in_tiles(maps.float())))
        return channels if self.bias is None else channels + self.bias[:, None, None]

    def _convolve(self, maps: Tensor) -> Tensor:
        """Evaluate maps and kernels at the points, multiply, interpolate."""
        batch, out = len(maps), len(self.weight)
        of_maps = _both_ways(self.of_maps, _blocks(maps, self.stride))
        of_maps = of_maps.unflatten(1, (batch, -1))
        kernels = _both_ways(self.of_kernels, _taps(self.weight, self.stride))
        kernels = kernels.unflatten(1, (out, -1))
        # In this order the kernels' gradient, the largest, comes as it is kept.
        products = torch.bmm(kernels, of_maps.transpose(1, 2))
        outputs = _both_ways(self.of_outputs, products.flatten(1))
        grid = (self.outputs, self.outputs, out, batch)
        return outputs.view(grid).permute(3, 2, 0, 1)

    def _in_tiles(self, maps: Tensor) -> Tensor:
        """Cut (batch, in, rows, columns) into (tiles * tiles * batch, in, side, side).

        Neighbouring tiles overlap: each has what its outputs read.
        """
        if self.tiles == 1:
            return maps
        starts = [self.outputs * self.stride * tile for tile in range(self.tiles)]
        # Slices, as the way back through `unfold` takes twice as long.
        return torch.cat(
            [
                maps[:, :, down : down + self.side, right : right + self.side]
                for down in starts
                for right in starts
            ]
        )

    def _from_tiles(self, outputs: Tensor) -> Tensor:
        """Put the outputs of the tiles together: (batch, out, rows, columns)."""
        if self.tiles == 1:
            return outputs
        apart = outputs.unflatten(0, (self.tiles, self.tiles, -1))
        return apart.permute(2, 3, 0, 4, 1, 5).flatten(4, 5).flatten(2, 3)


def transforms(outputs: int, taps: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return A, G, B of y = A ((G g) * (B d)), y the valid correlation of d by g.

    Args:
        outputs: length of y.
        taps: length of the kernel g; d has length outputs + taps - 1.

    Returns:
        A (outputs, points), G (points, taps), B (points, points), in float64.
    """
    count = outputs + taps - 1
    points = POINTS[: count - 1]
    infinity = [Fraction(0)] * (count - 1) + [Fraction(1)]
    outputs_of = [
        [*(point**power for point in points), infinity[power + taps - 1]]
        for power in range(outputs)
    ]
    kernels_of, maps_of = [], []
    for point in points:
        others = [other for other in points if other != point]
        scale = Fraction(1)
        for other in others:
            scale *= point - other
        kernels_of.append([point**power / scale for power in range(taps)])
        maps_of.append([*_product_of_roots(others), Fraction(0)])
    kernels_of.append(infinity[-taps:])
    maps_of.append(_product_of_roots(points))
    of_outputs, of_kernels, of_maps = map(_matrix, (outputs_of, kernels_of, maps_of))
    # Scaling a row of G down and the same row of B up changes nothing in y. Rows of
    # equal norm lose the fewest digits.
    balance = (of_maps.norm(dim=1) / of_kernels.norm(dim=1)).sqrt()[:, None]
    return of_outputs, of_kernels * balance, of_maps / balance


def _product_of_roots(roots: Sequence[Fraction]) -> list[Fraction]:
    """Return the coefficients of Π (x - root), starting with the constant."""
    product = [Fraction(1)]
    for root in roots:
        raised, scaled = [Fraction(0), *product], [root * c for c in product]
        product = [up - down for up, down in zip(raised, [*scaled, 0], strict=True)]
    return product


def _matrix(rows: Matrix) -> Tensor:
    return torch.tensor([[float(x) for x in row] for row in rows], dtype=torch.float64)


def _both_ways(transform: Tensor, grids: Tensor) -> Tensor:
    """Transform the rows of square grids, then their columns.

    Args:
        transform: (to, from).
        grids: (from * from, count), one row for each position.

    Returns:
        (to * to, count).
    """
    size, count = transform.shape[1], grids.shape[1]
    rows = transform @ grids.reshape(size, size * count)
    return (transform @ rows.view(-1, size, count)).view(-1, count)


def _blocks(maps: Tensor, stride: int) -> Tensor:
    """Turn the pixels of a block into channels, and put positions first.

    Args:
        maps: (batch, in, rows, columns).
        stride: side of a block.

    Returns:
        (positions, batch * stride * stride * in).
    """
    batch, channels, rows, columns = maps.shape
    split = maps.permute(0, 2, 3, 1).reshape(
        batch, rows // stride, stride, columns // stride, stride, channels
    )
    positions = (rows // stride) * (columns // stride)
    return split.permute(1, 3, 0, 2, 4, 5).reshape(positions, -1)


def _taps(kernels: Tensor, stride: int) -> Tensor:
    """Apply `_blocks` to kernels, padded with zeros to whole blocks.

    Args:
        kernels: (out, in, size, size).
        stride: side of a block.

    Returns:
        (taps, out * stride * stride * in).
    """
    missing = -kernels.shape[-1] % stride
    return _blocks(F.pad(kernels, (0, missing, 0, missing)), stride)
