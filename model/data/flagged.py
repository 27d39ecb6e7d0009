"""Drawings of the digit 1 with an upstroke, or flag, which MNIST lacks.

In much of the world a 1 begins with an upstroke of half its height. Hardly any of
MNIST's training images has one. A network trained on MNIST alone takes the flag for the
bar of a 7, or for part of a 4.
"""

import torch
from torch import Tensor

from capsnet_explorer.model.data.pen import drawn_lines

# Lengths are in units of the stem, which runs from 0 at the top to 1 at the bottom.
SLANT = (-0.15, 0.4)  # distance of the top to the right of the foot
FLAG = (0.2, 0.75)  # length
FALL = (28.0, 75.0)  # degrees below horizontal at which the flag leaves the top
FOOT = (0.15, 0.4)  # half the length of the bar at the bottom
FOOT_SHARE = 0.3  # share of drawings with such a bar
UNSTEADY = 0.03  # standard deviation of a point's random displacement
PEN = (1.5, 4.0)  # width, px of MNIST's 28


def flagged_ones(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Draw random flagged ones, placed and scaled as MNIST's digits are.

    Args:
        count: number of images.
        size: side of each image, in pixels.
        generator: source of all randomness.

    Returns:
        (count, size, size) uint8, ink 255. The ink's longer side is 20/28 of the image,
        and its centre of mass is in the middle.
    """
    lines, pens = _lines(count, generator)
    return drawn_lines(lines, pens * size / 28, size)


def _lines(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return the lines of each 1, (count, 5, 2 ends, x and y), and the pen widths."""

    def between(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(count, generator=generator)

    def askew() -> Tensor:
        return UNSTEADY * torch.randn(count, 2, generator=generator)

    def point(x: Tensor, y: Tensor) -> Tensor:
        return torch.stack([x, y], dim=1)

    zero, one = torch.zeros(count), torch.ones(count)
    top = point(between(*SLANT), zero)
    bottom = point(zero, one) + askew()
    fall = torch.deg2rad(between(*FALL))
    tip = top + between(*FLAG)[:, None] * point(-fall.cos(), fall.sin())
    in_flag, in_stem = (top + tip) / 2 + askew(), (top + bottom) / 2 + askew()
    has_foot = torch.rand(count, generator=generator) < FOOT_SHARE
    half = point(between(*FOOT) * has_foot, zero)
    ends = [
        (tip, in_flag),
        (in_flag, top),
        (top, in_stem),
        (in_stem, bottom),
        (bottom - half, bottom + half),  # a single point where there is no bar
    ]
    return torch.stack([torch.stack(pair, dim=1) for pair in ends], dim=1), between(
        *PEN
    )
