"""Lines drawn with a round pen, placed and scaled as MNIST's digits are."""

import torch
from torch import Tensor

from capsnet_explorer.model.settings import Shape

BOX = 20 / 28  # the ink's longer side, as a share of the image's
CHUNK = 500  # images drawn at a time


def drawn_lines(lines: Tensor, pens: Tensor, size: int) -> Tensor:
    """Draw lines of any unit.

    Args:
        lines: (count, lines, 2 ends, x and y), y down; a line of equal ends is a dot.
        pens: (count,), widths in pixels.
        size: side of each image, in pixels.

    Returns:
        (count, size, size) uint8, ink 255. The ink's longer side is 20/28 of the image,
        and its centre of mass is in the middle.
    """
    low = lines.amin((1, 2))
    spread = lines.amax((1, 2)) - low
    scale = (BOX * size - pens) / spread.amax(dim=1)
    placed = (lines - (low + spread / 2)[:, None, None]) * scale[:, None, None, None]
    return torch.cat(
        [
            _draw(some, pen, size)
            for some, pen in zip(placed.split(CHUNK), pens.split(CHUNK), strict=True)
        ]
    )


def on_canvas(drawn: Tensor, shape: Shape) -> Tensor:
    """Put drawings in the middle of images, alike in every channel.

    Args:
        drawn: (count, size, size), no larger than the images.
        shape: channels, rows and columns of the images.

    Returns:
        (count, channels, rows, columns); empty around the drawing.
    """
    channels, rows, columns = shape
    size = drawn.shape[-1]
    top, left = (rows - size) // 2, (columns - size) // 2
    edges = (left, columns - size - left, top, rows - size - top)
    padded = torch.nn.functional.pad(drawn, edges)
    return padded[:, None].expand(-1, channels, -1, -1)


def _draw(lines: Tensor, pens: Tensor, size: int) -> Tensor:
    """Draw lines (count, lines, 2, 2), in px from the middle, and centre the ink."""
    middle = size / 2  # MNIST's centre of mass: pixel 14 of 0..27
    index = torch.arange(size, dtype=torch.float32)
    ink = ink_of(lines + middle, pens, index)
    mass = ink.sum((1, 2))
    centre = torch.stack(
        [
            (ink.sum(dim=1) @ index) / mass,
            (ink.sum(dim=2) @ index) / mass,
        ],
        dim=1,
    )
    centred = ink_of(lines + 2 * middle - centre[:, None, None], pens, index)
    return (255 * centred).round().to(torch.uint8)


def ink_of(lines: Tensor, pens: Tensor, index: Tensor) -> Tensor:
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
