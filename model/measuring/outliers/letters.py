"""Capital letters that no digit resembles, drawn as digits are."""

import math

import torch
from torch import Tensor

from capsnet_explorer.model.data.pen import drawn_lines

Point = tuple[float, float]
Path = tuple[Point, ...]

UNSTEADY = 0.03  # standard deviation of a point's random displacement
SLANT = (-0.25, 0.25)  # distance that the top leans to the right, in heights
STRETCH = (0.65, 1.0)  # width, in heights
PEN = (1.8, 3.6)  # width, px of 28


def _arc(centre: Point, radii: Point, start: float, end: float) -> Path:
    """Return seven points of an ellipse; degrees, clockwise from the right."""
    angles = [math.radians(start + (end - start) * step / 6) for step in range(7)]
    return tuple(
        (centre[0] + radii[0] * math.cos(angle), centre[1] + radii[1] * math.sin(angle))
        for angle in angles
    )


_BOWL = ((0.0, 0.0), *_arc((0.4, 0.25), (0.5, 0.25), -90, 90), (0.0, 0.5))

# Strokes in a unit square, x and y, y down.
LETTERS: dict[str, tuple[Path, ...]] = {
    "A": (((0, 1), (0.5, 0), (1, 1)), ((0.2, 0.62), (0.8, 0.62))),
    "E": (((1, 0), (0, 0), (0, 1), (1, 1)), ((0, 0.5), (0.8, 0.5))),
    "F": (((1, 0), (0, 0), (0, 1)), ((0, 0.5), (0.8, 0.5))),
    "H": (((0, 0), (0, 1)), ((1, 0), (1, 1)), ((0, 0.5), (1, 0.5))),
    "K": (((0, 0), (0, 1)), ((0.95, 0), (0, 0.55)), ((0.35, 0.4), (1, 1))),
    "M": (((0, 1), (0.1, 0), (0.5, 0.7), (0.9, 0), (1, 1)),),
    "N": (((0, 1), (0, 0), (1, 1), (1, 0)),),
    "P": (((0, 0), (0, 1)), _BOWL),
    "R": (((0, 0), (0, 1)), _BOWL, ((0.35, 0.5), (1, 1))),
    "T": (((0, 0), (1, 0)), ((0.5, 0), (0.5, 1))),
    "U": (((0, 0), (0, 0.5), *_arc((0.5, 0.6), (0.5, 0.4), 180, 0), (1, 0)),),
    "W": (((0, 0), (0.25, 1), (0.5, 0.3), (0.75, 1), (1, 0)),),
    "X": (((0, 0), (1, 1)), ((1, 0), (0, 1))),
    "Y": (((0, 0), (0.5, 0.5), (1, 0)), ((0.5, 0.5), (0.5, 1))),
}


def drawn_letters(count: int, size: int, generator: torch.Generator) -> Tensor:
    """Draw random letters, placed and scaled as MNIST's digits are.

    Args:
        count: number of images; the letters take turns.
        size: side of each image, in pixels.
        generator: source of all randomness.

    Returns:
        (count, size, size) uint8, ink 255.
    """
    templates = [_lines(strokes) for strokes in LETTERS.values()]
    longest = max(len(lines) for lines in templates)
    padded = [_padded(lines, longest) for lines in templates]
    lines = torch.stack([padded[index % len(padded)] for index in range(count)])

    def between(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(count, generator=generator)

    # Ends at the same place move together, so that strokes stay joined.
    moves = UNSTEADY * torch.randn(count, 2, 5, 5, generator=generator)
    lines = lines + _looked_up(moves, lines)
    slant, stretch = between(*SLANT), between(*STRETCH)
    x = stretch[:, None, None] * lines[..., 0] + slant[:, None, None] * (
        1 - lines[..., 1]
    )
    return drawn_lines(
        torch.stack([x, lines[..., 1]], dim=3), between(*PEN) * size / 28, size
    )


def _lines(strokes: tuple[Path, ...]) -> Tensor:
    """Return the lines that join the points of each stroke: (lines, 2 ends, 2)."""
    return torch.tensor(
        [
            [stroke[index], stroke[index + 1]]
            for stroke in strokes
            for index in range(len(stroke) - 1)
        ],
        dtype=torch.float32,
    )


def _padded(lines: Tensor, count: int) -> Tensor:
    """Repeat the last line until there are `count`."""
    return torch.cat([lines, lines[-1:].expand(count - len(lines), -1, -1)])


def _looked_up(moves: Tensor, lines: Tensor) -> Tensor:
    """Return the move of each point, from a coarse grid over the unit square.

    Args:
        moves: (count, x and y, rows, columns).
        lines: (count, lines, 2 ends, 2).
    """
    grid = 2 * lines - 1  # the range of grid_sample
    found = torch.nn.functional.grid_sample(
        moves, grid, mode="bilinear", padding_mode="border", align_corners=True
    )
    return found.permute(0, 2, 3, 1)
