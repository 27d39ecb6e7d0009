"""Drawings of the digit 1 with an upstroke, or flag, which MNIST lacks.

In much of the world a 1 begins with an upstroke of half its height. Hardly any of
MNIST's training images has one. A network trained on MNIST alone takes the flag for the
bar of a 7, or for part of a 4.
"""

import torch
from torch import Tensor

# Lengths are in units of the stem, which runs from 0 at the top to 1 at the bottom.
SLANT = (-0.15, 0.4)  # distance of the top to the right of the foot
FLAG = (0.2, 0.75)  # length
FALL = (28.0, 75.0)  # degrees below horizontal at which the flag leaves the top
FOOT = (0.15, 0.4)  # half the length of the bar at the bottom
FOOT_SHARE = 0.3  # share of drawings with such a bar
UNSTEADY = 0.03  # standard deviation of a point's random displacement
PEN = (1.5, 4.0)  # width, px of MNIST's 28

BOX = 20 / 28  # the ink's longer side, as a share of the image's
CHUNK = 500  # images drawn at a time


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
    pens = pens * size / 28
    low = lines.amin((1, 2))
    spread = lines.amax((1, 2)) - low
    scale = (BOX * size - pens) / spread.amax(dim=1)
    placed = (lines - (low + spread / 2)[:, None, None]) * scale[:, None, None, None]
    return torch.cat(
        [
            _drawn(some, pen, size)
            for some, pen in zip(placed.split(CHUNK), pens.split(CHUNK), strict=True)
        ]
    )


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


def _drawn(lines: Tensor, pens: Tensor, size: int) -> Tensor:
    """Draw lines (count, 5, 2, 2), in px from the middle, and centre the ink."""
    middle = size / 2  # MNIST's centre of mass: pixel 14 of 0..27
    index = torch.arange(size, dtype=torch.float32)
    ink = _ink(lines + middle, pens, index)
    mass = ink.sum((1, 2))
    centre = torch.stack(
        [
            (ink.sum(dim=1) @ index) / mass,
            (ink.sum(dim=2) @ index) / mass,
        ],
        dim=1,
    )
    centred = _ink(lines + 2 * middle - centre[:, None, None], pens, index)
    return (255 * centred).round().to(torch.uint8)


def _ink(lines: Tensor, pens: Tensor, index: Tensor) -> Tensor:
    """Return the share of each pixel (count, rows, columns) that the pen covers."""
    y, x = torch.meshgrid(index, index, indexing="ij")
    pixels = torch.stack([x, y], dim=2)  # (rows, columns, 2)
    nearest = torch.full((len(lines), *x.shape), torch.inf)
    for line in lines.unbind(1):
        start, end = line.unbind(1)
        along = (end - start)[:, None, None]
        offset = pixels - start[:, None, None]
        share = (offset * along).sum(3) / along.square().sum(3).clamp(min=1e-12)
        reached = share.clamp(0, 1)[..., None] * along
        nearest = torch.minimum(nearest, (offset - reached).norm(dim=3))
    return (pens[:, None, None] / 2 + 0.5 - nearest).clamp(0, 1)
