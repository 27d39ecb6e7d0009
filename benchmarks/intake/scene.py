"""A synthetic picture in progress, and the steps that it goes through."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scene:
    """A synthetic picture in progress.

    Attributes:
        picture: (rows, columns, 3) in [0, 1], red, green and blue.
        mm: pixels of one millimetre on the paper.
        random: source of all randomness.
    """

    picture: Plane
    mm: float
    random: np.random.Generator

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns, _ = self.picture.shape
        return rows, columns

    def showing(self, picture: Plane) -> "Scene":
        """Return the scene with another picture."""
        return replace(self, picture=picture.astype(np.float32))


Step = Callable[[Scene], Scene]


def unchanged(scene: Scene) -> Scene:
    """Do nothing."""
    return scene


def after_each_other(*steps: Step) -> Step:
    """Apply one step after another."""

    def all_of_them(scene: Scene) -> Scene:
        for step in steps:
            scene = step(scene)
        return scene

    return all_of_them


def one_of(*steps: Step) -> Step:
    """Apply one of the steps, all equally likely."""

    def any_of_them(scene: Scene) -> Scene:
        return steps[scene.random.integers(len(steps))](scene)

    return any_of_them


def positions(scene: Scene, angle: float) -> Plane:
    """Return the position of each pixel along a direction, in px: (rows, columns).

    Args:
        scene: determines the size.
        angle: of the direction, in radians; 0 is to the right, π/2 downwards.
    """
    rows, columns = scene.size
    down, across = np.arange(rows)[:, None], np.arange(columns)
    far = np.sin(angle) * down + np.cos(angle) * across
    return far.astype(np.float32)
