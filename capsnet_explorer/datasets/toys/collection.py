"""Which toys a collection has, and from where each is seen.

As in smallNORB (LeCun, Huang & Bottou 2004): 18 azimuths, nine elevations, six lights.
Toys for training, for validation and for the test have seeds of their own. Each view of
a toy has one of the lights, and a zoom: so its area tells even less about its category.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.chance import uniform
from capsnet_explorer.datasets.toys.categories import CATEGORIES, drawn_toy
from capsnet_explorer.datasets.toys.rendering import LIGHTS, View
from capsnet_explorer.datasets.toys.sizing import toy_of

SIZE = 32  # rows and columns of an image
AZIMUTHS = tuple(range(0, 360, 20))
ELEVATIONS = tuple(range(30, 75, 5))
TRAINING, VALIDATION, TEST = range(30), range(1000, 1006), range(2000, 2020)  # seeds
NEARER = 0.12  # a view's zoom differs from 1 by at most this
VIEWED = 1 << 31  # added to a toy's number, for the seed of its views
MOST = 255  # ink of a pixel


@dataclass(frozen=True, slots=True)
class Model:
    """A toy of a collection.

    Attributes:
        category: its name.
        seed: of its parameters and its views.
    """

    category: str
    seed: int

    @property
    def label(self) -> int:
        """The place of its category among all."""
        return list(CATEGORIES).index(self.category)


def models_of(seeds: Sequence[int]) -> list[Model]:
    """Return a toy of each category for each seed: categories take turns."""
    return [Model(category, seed) for seed in seeds for category in CATEGORIES]


def views_of(model: Model) -> Iterator[tuple[int, View]]:
    """Yield the number of each view's light, and the view: all sides of a height."""
    sides = list(product(ELEVATIONS, AZIMUTHS))
    number = len(CATEGORIES) * model.seed + model.label
    drawn = uniform(VIEWED + number, 2 * len(sides)).reshape(-1, 2)
    for (elevation, azimuth), (chosen, nearer) in zip(sides, drawn, strict=True):
        light = int(chosen * len(LIGHTS))
        zoom = 1 + NEARER * (2 * float(nearer) - 1)
        yield light, View(azimuth, elevation, LIGHTS[light], zoom)


def images_of(model: Model, views: Iterable[View]) -> NDArray[np.uint8]:
    """Draw views of a toy: (views, 32, 32), ink as bytes."""
    toy = toy_of(model.category, drawn_toy(model.category, model.seed))
    drawn = np.stack([toy.render(view, SIZE) for view in views])
    return np.rint(MOST * drawn).astype(np.uint8)
