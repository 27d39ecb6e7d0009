"""Toys of equal size: their mean silhouettes cover the same share of a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.toys.categories import CATEGORIES
from capsnet_explorer.datasets.toys.rendering import (
    Rendering,
    View,
    look,
    render,
    silhouette,
)
from capsnet_explorer.datasets.toys.shapes import Mesh

SHARE = 0.13  # of the picture, as a mean over the views below
SIDES = tuple(
    View(azimuth, elevation)
    for elevation in (30, 50, 70)
    for azimuth in range(0, 360, 60)
)
SAMPLES = 64  # along a picture's side, to measure a silhouette
SMALL = 0.35  # of the picture's width: the unit of a toy that is measured


@dataclass(frozen=True, slots=True)
class Toy:
    """A toy that can be drawn.

    Attributes:
        mesh: its triangles.
        scale: width of its unit as a share of the picture's.
        paint: its whiteness; that of the ground is 1.
    """

    mesh: Mesh
    scale: float
    paint: float

    def render(self, view: View, size: int) -> NDArray[np.float64]:
        """Return its picture, (size, size) of ink in 0..1; the ground is 0."""
        return render(self.mesh, view, size, scale=self.scale, paint=self.paint)

    def look(self, view: View, size: int) -> Rendering:
        """Return what its picture is made of, sample by sample."""
        return look(self.mesh, view, size, scale=self.scale, paint=self.paint)


def toy_of(category: str, values: Mapping[str, float]) -> Toy:
    """Return the toy with these values of its category's parameters.

    Raises:
        ValueError: a parameter has no value, one out of its range, or is unknown.
        KeyError: no category has that name.
    """
    mesh = CATEGORIES[category].mesh(values)
    covered = sum(silhouette(mesh, side, SAMPLES, scale=SMALL) for side in SIDES)
    share = covered / len(SIDES) / SAMPLES**2
    return Toy(mesh, SMALL * sqrt(SHARE / share), values["paint"])
