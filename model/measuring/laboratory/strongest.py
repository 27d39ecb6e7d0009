"""The strongest of several attacks on each image, and no more of them than it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.perturbations.attack import Attack, Slope, attacked

Pixels = NDArray[np.floating[Any]]
Climb = Callable[[Pixels, Tensor], Slope]
"""Returns, of images and labels, what decides whether the attack is through, which it
is above 0, and the gradient to follow."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some images, to be changed alike.

    Attributes:
        pixels: (count, channels, rows, columns) in [0, 1].
        labels: (count,) int64.
        first: index of the first image among all; chance depends on it.
    """

    pixels: Pixels
    labels: Tensor
    first: int


def strongest(
    batch: Batch,
    epsilon: float,
    attack: Attack,
    climbs: Sequence[Climb],
    values_of: Callable[[Pixels, Tensor], Tensor],
) -> Pixels:
    """Attack images until each is misled, one way after the other.

    An image that one way misleads is attacked no further, so a network that is easily
    misled costs little.

    Args:
        batch: the images.
        epsilon: by which a pixel moves at most.
        attack: the method; chance differs from way to way.
        climbs: the ways.
        values_of: returns what decides, of images and labels: (count,).

    Returns:
        Of each image, the change with the highest value: of the batch's shape.
    """
    if epsilon == 0:
        return batch.pixels
    best = batch.pixels.astype(np.float64)
    highest = np.full(len(best), -np.inf)
    for way, climb in enumerate(climbs):
        rest = np.flatnonzero(highest <= 0)
        if not rest.size:
            break
        labels = batch.labels[torch.from_numpy(rest)]
        changed = attacked(
            batch.pixels[rest],
            [epsilon],
            replace(attack, seed=attack.seed + way),
            _until_misled(climb, labels),
        )[:, 0]
        values = values_of(changed, labels).numpy()
        is_stronger = values > highest[rest]
        best[rest[is_stronger]] = changed[is_stronger]
        highest[rest] = np.maximum(values, highest[rest])
    return best


def _until_misled(
    climb: Climb, labels: Tensor
) -> Callable[[Pixels, NDArray[np.intp]], Slope]:
    """Return slopes of images until one of their changes has a value above 0.

    From then on, changes of that image have a value of minus infinity, and no gradient.
    """
    is_through = np.zeros(len(labels), bool)

    def raised(images: Pixels, which: NDArray[np.intp]) -> Slope:
        values = np.full(len(images), -np.inf)
        gradient = np.zeros_like(images)
        rest = np.flatnonzero(~is_through[which])
        if rest.size:
            slope = climb(images[rest], labels[torch.from_numpy(which[rest])])
            values[rest], gradient[rest] = slope.values, slope.gradient
            is_through[which[rest[slope.values > 0]]] = True
        return Slope(values, gradient)

    return raised
