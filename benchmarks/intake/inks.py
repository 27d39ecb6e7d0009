"""Pens, pencils and chalk."""

from collections.abc import Callable

import numpy as np
from PIL import Image

from benchmarks.intake.papers import Colour
from benchmarks.intake.scene import Plane, Scene

Ink = Callable[[Scene, Plane], Scene]


def ink(*colours: Colour, opacity: tuple[float, float] = (0.9, 1.0)) -> Ink:
    """Write with ink of one of these colours.

    Args:
        colours: red, green and blue in [0, 1].
        opacity: range of the share of the paper that full ink hides.
    """

    def write(scene: Scene, coverage: Plane) -> Scene:
        colour = np.float32(colours[scene.random.integers(len(colours))])
        cover = coverage[..., None] * np.float32(scene.random.uniform(*opacity))
        return scene.showing(cover * colour + (1 - cover) * scene.picture)

    return write


def grained(colour: Colour, opacity: tuple[float, float], grain: float) -> Ink:
    """Write with pencil or chalk, whose strength varies with the paper's grain.

    Args:
        colour: of full ink.
        opacity: range of the share of the paper that full ink hides.
        grain: standard deviation of the ink's strength, as a share of it.
    """

    def write(scene: Scene, coverage: Plane) -> Scene:
        rows, columns = scene.size
        side = max(1.0, 0.3 * scene.mm)
        coarse = (max(2, round(columns / side)), max(2, round(rows / side)))
        cells = scene.random.normal(1, grain, coarse[::-1]).astype(np.float32)
        field = Image.fromarray(cells).resize(
            (columns, rows), Image.Resampling.BILINEAR
        )
        strength = np.clip(np.asarray(field), 0.2, 1.3) * scene.random.uniform(*opacity)
        cover = np.clip(coverage * strength, 0, 1)[..., None]
        return scene.showing(cover * np.float32(colour) + (1 - cover) * scene.picture)

    return write
