"""Toys in colour, on plain or cluttered ground, as networks of photographs see them.

The toy's paint has a tint, and the ground a colour. Both are as bright as the lamp and
the shadow make them: brightness is 1 − ink (`toys.rendering`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from capsnet_explorer.chance import uniform
from capsnet_explorer.datasets.toys.rendering import Array, Rendering

Colour = tuple[float, float, float]  # red, green and blue, in 0..1

FULL = 0.6  # paint of which the lit toy has its tint itself; others are darker
SPOTS = 14  # of clutter
CLUTTER = 1 << 31  # apart from all seeds of toys
APART = 7919  # between the categories' clutter, for each letter of the name


@dataclass(frozen=True, slots=True)
class Ground:
    """What a toy stands on, or flies before.

    Attributes:
        colour: where the lamp lights it.
        has_shadow: whether the toy's shadow falls on it.
        is_cluttered: whether spots of other colours lie on it.
    """

    colour: Colour
    has_shadow: bool = True
    is_cluttered: bool = False


GROUNDS: Mapping[str, Ground] = {
    "sky": Ground((0.53, 0.74, 0.94), has_shadow=False),
    "grass": Ground((0.36, 0.56, 0.24)),
    "road": Ground((0.5, 0.5, 0.52)),
    "white": Ground((1, 1, 1)),
    "dark": Ground((0.12, 0.12, 0.14)),
    "clutter": Ground((0.56, 0.52, 0.46), is_cluttered=True),
}
TINTS: Mapping[str, Colour] = {
    "white": (1, 1, 1),
    "red": (0.9, 0.16, 0.12),
    "yellow": (1, 0.82, 0.16),
    "blue": (0.16, 0.34, 0.86),
}


def clutter_seed(category: str, seed: int) -> int:
    """Return the seed of the clutter around a toy."""
    return CLUTTER + seed + APART * len(category)


def coloured(rendering: Rendering, tint: str, ground: str, clutter: int) -> Array:
    """Return a picture in colour: (3, size, size) of red, green and blue in 0..1.

    Args:
        rendering: the toy, as `Toy.look` returns it.
        tint: a name of `TINTS`.
        ground: a name of `GROUNDS`.
        clutter: `clutter_seed` of the toy.

    Raises:
        KeyError: no tint or no ground has that name.
    """
    backdrop = GROUNDS[ground]
    bare = np.broadcast_to(_column(backdrop.colour), (3, *rendering.ink.shape))
    if backdrop.is_cluttered:
        bare = _scatter_spots(bare, clutter)
    bright = 1 - rendering.ink
    lit = bright if backdrop.has_shadow else np.ones_like(bright)
    toy = _column(TINTS[tint]) * bright / FULL
    return rendering.averaged(np.where(rendering.is_toy, toy, bare * lit)).clip(0, 1)


def _scatter_spots(bare: Array, seed: int) -> Array:
    """Return a ground, (3, samples, samples), with spots; the last lies on top."""
    drawn = uniform(seed, 7 * SPOTS)
    places, colours = drawn[: 4 * SPOTS].reshape(SPOTS, 4), drawn[4 * SPOTS :]
    samples = bare.shape[-1]
    at = (np.arange(samples) + 0.5) / samples
    ground = bare.copy()
    for (x, y, radius, _), colour in zip(places, colours.reshape(-1, 3), strict=True):
        is_on = (at - x) ** 2 + (at[:, None] - y) ** 2 < (0.05 + 0.1 * radius) ** 2
        ground[:, is_on] = colour[:, None]
    return ground


def _column(colour: Colour) -> Array:
    """Return a colour as (3, 1, 1)."""
    return np.array(colour, float)[:, None, None]
