"""The experiments: for each, what a knob does to images."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.slopes import slopes
from capsnet_explorer.perturbations.attack import RANDOM_STARTS, Attack, Slope, attacked
from capsnet_explorer.perturbations.changes import Change, changed

Pixels = NDArray[np.floating[Any]]
GradientOf = Literal["gap", "trained"]

SEED = 0  # of the choice of images, of tiles, noise and random starts
STEPS = 10  # of PGD

EPSILONS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


def _range(low: float, high: float, step: float) -> tuple[float, ...]:
    count = round((high - low) / step) + 1
    return tuple(round(low + place * step, 6) for place in range(count))


@dataclass(frozen=True, slots=True)
class Subject:
    """A network under test.

    Attributes:
        architecture: the network's.
        network: the readable one, on `device`.
        device: where to compute.
        loss: an instance of `settings.loss` with which the network was trained; None
            for the architecture's own.
    """

    architecture: Architecture
    network: Network
    device: torch.device
    loss: Any = None

    def scores(self, images: Pixels) -> Tensor:
        """Return the scores of images: (count, classes).

        Args:
            images: (count, channels, rows, columns).
        """
        with torch.no_grad():
            return self.network(self._pixels(images)).scores.cpu()

    def slope(
        self,
        images: Pixels,
        labels: Tensor,
        *,
        of: GradientOf = "gap",
    ) -> Slope:
        """Return the gap or the trained loss of each image, and its gradient."""
        loss = self.loss or self.architecture.settings.loss()
        values, gradients = slopes(
            self.architecture,
            self.network,
            self._pixels(images),
            labels.to(self.device),
            loss=loss if of == "trained" else None,
        )
        return Slope(values.cpu().numpy(), gradients.cpu().numpy())

    def _pixels(self, images: Pixels) -> Tensor:
        return torch.from_numpy(images.astype(np.float32)).to(self.device)


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


@dataclass(frozen=True, slots=True)
class Experiment:
    """One knob, and what it does to images.

    Attributes:
        knob: what its values are, in words.
        values: in the order of measurement.
        change: returns the changed images of a batch, for one value.
        details: further settings, for the card.
        needs_gradient: whether the network must have one.
        clean: the value that leaves images as they are, if the highest scores at the
            others are to be held against those at this one; None if not.
    """

    knob: str
    values: tuple[float, ...]
    change: Callable[[Subject, Batch, float], Pixels]
    details: dict[str, Any]
    needs_gradient: bool = False
    clean: float | None = None


def _each(make: Callable[[float], Change]) -> Callable[[Subject, Batch, float], Pixels]:
    """Apply the same change to every image."""

    def change(_subject: Subject, batch: Batch, value: float) -> Pixels:
        return np.concatenate([changed(image, [make(value)]) for image in batch.pixels])

    return change


def shuffled_tiles(image: Pixels, side: int, generator: np.random.Generator) -> Pixels:
    """Cut an image into `side` x `side` equal tiles, and put none where it was.

    Pixels that are left over at the edges, because the image's size is no multiple of
    `side`, stay.

    Args:
        image: (channels, rows, columns), with at least `side` rows and columns.
        side: tiles in a row; 1 changes nothing.
        generator: of the order.
    """
    count = side * side
    order = np.arange(count)
    while count > 1 and (order == np.arange(count)).any():
        order = generator.permutation(count)
    rows, columns = image.shape[1:]
    height, width = rows // side, columns // side
    top, left = (rows - side * height) // 2, (columns - side * width) // 2
    places = [
        (
            slice(None),
            slice(top + row * height, top + (row + 1) * height),
            slice(left + column * width, left + (column + 1) * width),
        )
        for row in range(side)
        for column in range(side)
    ]
    found = image.copy()
    for to, source in zip(places, order, strict=True):
        found[to] = image[places[source]]
    return found


def _tiles(_subject: Subject, batch: Batch, value: float) -> Pixels:
    return np.stack(
        [
            shuffled_tiles(
                image, int(value), np.random.default_rng([SEED, batch.first + place])
            )
            for place, image in enumerate(batch.pixels)
        ]
    )


def _grain(_subject: Subject, batch: Batch, value: float) -> Pixels:
    return np.concatenate(
        [
            changed(image, [Change(noise=value, seed=SEED + batch.first + place)])
            for place, image in enumerate(batch.pixels)
        ]
    )


def _attack(attack: Attack) -> Callable[[Subject, Batch, float], Pixels]:
    def change(subject: Subject, batch: Batch, value: float) -> Pixels:
        def raised(images: Pixels, which: NDArray[np.intp]) -> Slope:
            labels = batch.labels[torch.from_numpy(which)]
            return subject.slope(images, labels)

        own = replace(attack, seed=SEED + batch.first)
        return attacked(batch.pixels, [value], own, raised)[:, 0]

    return change


def _gradient_attack(method: Literal["fgsm", "pgd"]) -> Experiment:
    details: dict[str, Any] = {"loss": "gap", "gradient": "full"}
    if method == "pgd":
        details |= {"steps": STEPS, "random_starts": RANDOM_STARTS}
    return Experiment(
        "by which a pixel moves at most",
        EPSILONS,
        _attack(Attack(method, STEPS)),
        details,
        needs_gradient=True,
    )


EXPERIMENTS = {
    "rotation": Experiment(
        "degrees counter-clockwise",
        _range(-180, 180, 15),
        _each(lambda value: Change(rotate=value)),
        {},
    ),
    "shift": Experiment(
        "pixels to the right",
        _range(-10, 10, 1),
        _each(lambda value: Change(shift=(value, 0.0))),
        {},
    ),
    "shift_down": Experiment(
        "pixels down",
        _range(-10, 10, 1),
        _each(lambda value: Change(shift=(0.0, value))),
        {},
    ),
    "scale": Experiment(
        "factor", _range(0.4, 1.6, 0.1), _each(lambda value: Change(scale=value)), {}
    ),
    "shear": Experiment(
        "degrees, the top to the right",
        _range(-45, 45, 7.5),
        _each(lambda value: Change(shear=value)),
        {},
    ),
    "tiles": Experiment(
        "shuffled tiles in a row", (1.0, 2.0, 3.0, 4.0), _tiles, {}, clean=1.0
    ),
    "ground": Experiment(
        "added to every pixel",
        _range(-0.1, 0.4, 0.05),
        _each(lambda value: Change(ground=value)),
        {},
    ),
    "contrast": Experiment(
        "factor on every pixel",
        _range(0, 2, 0.2),
        _each(lambda value: Change(contrast=value)),
        {},
    ),
    "grain": Experiment(
        "by which every pixel moves at most, at random", _range(0, 0.6, 0.1), _grain, {}
    ),
    "blur": Experiment(
        "standard deviation of a Gaussian, in pixels",
        _range(0, 3, 0.5),
        _each(lambda value: Change(blur=value)),
        {},
    ),
    "stroke": Experiment(
        "pixels by which every edge of the ink moves outward",
        _range(-2, 3, 0.5),
        _each(lambda value: Change(stroke=value)),
        {},
    ),
    "noise": Experiment(
        "by which every pixel moves, up or down at random",
        EPSILONS,
        _attack(Attack("noise")),
        {},
    ),
    "fgsm": _gradient_attack("fgsm"),
    "pgd": _gradient_attack("pgd"),
}
