"""Pictures without handwriting: garment-like shapes, bars, scribbles and noise."""

import math

import torch
from torch import Tensor

from capsnet_explorer.model.data.pen import drawn_lines

Polygon = tuple[tuple[float, float], ...]

SUBPIXELS = 3  # per pixel and direction
UNSTEADY = 0.03  # standard deviation of a corner's random displacement

# Outlines in a unit square, x and y, y down; each the left half, mirrored.
GARMENTS: dict[str, Polygon] = {
    "shirt": (
        *((0.38, 0.05), (0.2, 0.12), (0, 0.4), (0.14, 0.5), (0.25, 0.36)),
        (0.25, 0.95),
    ),
    "pullover": (
        *((0.36, 0.04), (0.18, 0.1), (0, 0.9), (0.15, 0.94), (0.26, 0.45)),
        (0.25, 0.96),
    ),
    "trousers": ((0.28, 0.02), (0.22, 0.98), (0.42, 0.98), (0.49, 0.3)),
    "dress": ((0.4, 0.02), (0.3, 0.06), (0.36, 0.4), (0.18, 0.98)),
    "bag": ((0.38, 0.05), (0.34, 0.3), (0.04, 0.32), (0.02, 0.92)),
    "skirt": ((0.3, 0.02), (0.28, 0.6), (0.1, 0.86), (0.1, 0.98)),
}


def garments(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Fill outlines of garments with grey cloth: (count, size, size) uint8.

    Args:
        count: number of images; the outlines take turns.
        size: side of each image, in pixels.
        generator: source of all randomness.
    """
    outlines = [_mirrored(outline) for outline in GARMENTS.values()]
    return torch.stack(
        [
            _garment(outlines[index % len(outlines)], size, generator)
            for index in range(count)
        ]
    )


def _mirrored(outline: Polygon) -> Tensor:
    left = torch.tensor(outline, dtype=torch.float32)
    right = left.flip(0) * torch.tensor([-1.0, 1.0]) + torch.tensor([1.0, 0.0])
    return torch.cat([left, right])


def _garment(outline: Tensor, size: int, generator: torch.Generator) -> Tensor:
    corners = outline + UNSTEADY * torch.randn(outline.shape, generator=generator)
    level, texture, grain = torch.rand(3, generator=generator).tolist()
    cloth = (
        0.45
        + 0.5 * level
        + 0.25 * texture * _smooth_noise(1, size, 7, generator)[0]
        + 0.1 * grain * torch.randn(size, size, generator=generator)
    )
    filled = _inside(corners * (size - 4) + 2, size) * cloth.clamp(0.1, 1)
    return (255 * filled).round().to(torch.uint8)


def _inside(corners: Tensor, size: int) -> Tensor:
    """Return the share of each pixel inside a polygon: (size, size), by even-odd."""
    fine = (torch.arange(size * SUBPIXELS) + 0.5) / SUBPIXELS
    y, x = torch.meshgrid(fine, fine, indexing="ij")
    inside = torch.zeros_like(x, dtype=torch.bool)
    for (x0, y0), (x1, y1) in zip(
        corners.tolist(), corners.roll(-1, 0).tolist(), strict=True
    ):
        if y0 == y1:
            continue
        is_beside = (y0 > y) != (y1 > y)
        inside ^= is_beside & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    blocks = inside.float().reshape(size, SUBPIXELS, size, SUBPIXELS)
    return blocks.mean(dim=(1, 3))


def bars(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Draw two to five parallel bars in any direction: (count, size, size) uint8."""
    images = []
    index = torch.arange(size) - (size - 1) / 2
    y, x = torch.meshgrid(index, index, indexing="ij")
    for _ in range(count):
        turn, phase, share, number, side = torch.rand(5, generator=generator).tolist()
        bar_count = 2 + math.floor(4 * number)
        half = size * (0.32 + 0.12 * side)  # of the square that the bars fill
        pitch = 2 * half / bar_count
        angle = math.pi * turn
        across = math.cos(angle) * x + math.sin(angle) * y
        along = math.cos(angle) * y - math.sin(angle) * x
        width = pitch * (0.3 + 0.35 * share)
        place = (across + half + phase * pitch) % pitch
        from_middle = (place - pitch / 2).abs()
        ink = (width / 2 + 0.5 - from_middle).clamp(0, 1)
        ink = ink * (half + 0.5 - across.abs()).clamp(0, 1)
        images.append(ink * (half + 0.5 - along.abs()).clamp(0, 1))
    return (255 * torch.stack(images)).round().to(torch.uint8)


def scribbles(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Draw restless lines, scaled as MNIST's digits are: (count, size, size) uint8."""
    points = 44
    turns = 0.9 * torch.randn(count, points, generator=generator)
    turns = turns + 0.25 * torch.randn(count, 1, generator=generator)  # leans one way
    angles = turns.cumsum(1) + 2 * math.pi * torch.rand(count, 1, generator=generator)
    steps = torch.stack([angles.cos(), angles.sin()], dim=2)
    # A pull to the middle keeps the line crossing itself.
    path = [steps[:, 0]]
    for index in range(1, points):
        path.append(0.93 * path[-1] + steps[:, index])
    line = torch.stack(path, dim=1)
    pens = 1.6 + 1.6 * torch.rand(count, generator=generator)
    lines = torch.stack([line[:, :-1], line[:, 1:]], dim=2)
    return drawn_lines(lines, pens * size / 28, size)


def noise(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Draw random grey values, from single pixels to blots: (count, size, size) uint8.

    The coarseness takes turns.
    """
    coarseness = (size, size // 2, size // 4, max(2, size // 7))
    values = torch.cat(
        [
            _smooth_noise(1, size, coarseness[index % len(coarseness)], generator)
            for index in range(count)
        ]
    )
    low, high = values.amin((1, 2), keepdim=True), values.amax((1, 2), keepdim=True)
    empty = 0.3 + 0.5 * torch.rand(count, 1, 1, generator=generator)
    levels = (values - low) / (high - low)
    return (255 * (levels - empty).clamp(min=0) / (1 - empty)).round().to(torch.uint8)


def _smooth_noise(
    count: int, size: int, cells: int, generator: torch.Generator
) -> Tensor:
    """Return normal noise, `cells` by `cells`, enlarged: (count, size, size)."""
    coarse = torch.randn(count, 1, cells, cells, generator=generator)
    return torch.nn.functional.interpolate(
        coarse, (size, size), mode="bilinear", align_corners=False
    )[:, 0]


def shuffled(images: Tensor, generator: torch.Generator) -> Tensor:
    """Exchange the four quarters of each image so that none keeps its place.

    An odd last row or column stays.

    Args:
        images: (count, channels, rows, columns).
        generator: source of all randomness.

    Returns:
        The same shape and type.
    """
    count, channels, rows, columns = images.shape
    down, across = rows // 2, columns // 2
    even = images[:, :, : 2 * down, : 2 * across]
    quarters = even.reshape(count, channels, 2, down, 2, across).transpose(3, 4)
    quarters = quarters.reshape(count, channels, 4, down, across)
    orders = torch.tensor(DERANGEMENTS)
    chosen = orders[torch.randint(len(orders), (count,), generator=generator)]
    moved = quarters.transpose(1, 2)[torch.arange(count)[:, None], chosen]
    moved = moved.reshape(count, 2, 2, channels, down, across)
    found = images.clone()
    found[:, :, : 2 * down, : 2 * across] = (
        moved.permute(0, 3, 1, 4, 2, 5).flatten(2, 3).flatten(3)
    )
    return found


# Orders of four in which none keeps its place.
DERANGEMENTS = [
    (1, 0, 3, 2),
    (1, 2, 3, 0),
    (1, 3, 0, 2),
    (2, 0, 3, 1),
    (2, 3, 0, 1),
    (2, 3, 1, 0),
    (3, 0, 1, 2),
    (3, 2, 0, 1),
    (3, 2, 1, 0),
]
