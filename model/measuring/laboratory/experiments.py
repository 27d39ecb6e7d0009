"""The experiments: for each, what a knob does to images."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.doubts import error
from capsnet_explorer.model.measuring.laboratory.strongest import (
    Batch,
    Climb,
    strongest,
)
from capsnet_explorer.model.slopes import Slopes, gap, slopes, unnoticed_slopes
from capsnet_explorer.perturbations.attack import (
    RANDOM_STARTS,
    Attack,
    Loss,
    Method,
    Slope,
    attacked,
)
from capsnet_explorer.perturbations.changes import Change, changed

Pixels = NDArray[np.floating[Any]]
SEED = 0  # of the choice of images, of tiles, noise and random starts
STEPS = 10  # of PGD
QUERIES = 300  # of Square

EPSILONS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
LOSSES: tuple[Loss, ...] = ("gap", "entropy", "scores")  # of attacks, the best first
ATTACKED = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)


def _range(low: float, high: float, step: float) -> tuple[float, ...]:
    count = round((high - low) / step) + 1
    return tuple(round(low + index * step, 6) for index in range(count))


@dataclass(frozen=True, slots=True)
class Subject:
    """A network under test.

    Attributes:
        architecture: the network's.
        network: the readable one, on `device`.
        device: where to compute.
        loss: an instance of `settings.loss` with which the network was trained; None
            for the architecture's own.
        alarm: the error of a reconstruction above which the card raises an alarm; None
            without a decoder, or without such a figure.
    """

    architecture: Architecture
    network: Network
    device: torch.device
    loss: Any = None
    alarm: float | None = None

    def answers(self, images: Pixels) -> tuple[Tensor, Tensor | None]:
        """Return what the network makes of images.

        Args:
            images: (count, channels, rows, columns).

        Returns:
            Scores (count, classes), and whether each raises the alarm (count,), None
            where there is none.
        """
        pixels = self._pixels(images)
        with torch.no_grad():
            trace = self.network(pixels)
            if self.alarm is None:
                return trace.scores.cpu(), None
            errors = error(pixels, trace.reconstruction, trace.scores)
        return trace.scores.cpu(), (errors > self.alarm).cpu()

    def gaps(self, images: Pixels, labels: Tensor) -> Tensor:
        """Return each image's gap, above 0 where it is misread: (count,)."""
        with torch.no_grad():
            trace = self.network(self._pixels(images))
            return gap(self.architecture.evidence(trace), labels.to(self.device)).cpu()

    def slopes(self, images: Pixels, labels: Tensor, *, of: Loss = "gap") -> Slopes:
        """Return a loss of each image, and its gradient."""
        return slopes(
            self.architecture,
            self.network,
            self._pixels(images),
            labels.to(self.device),
            of=of,
            trained=self.loss,
        )

    def unnoticed(self, images: Pixels, labels: Tensor) -> Slopes:
        """Return what an attacker raises who knows of the alarm; see `slopes`."""
        if self.alarm is None:
            raise ValueError("the network must have an alarm, got none")
        return unnoticed_slopes(
            self.architecture,
            self.network,
            self._pixels(images),
            labels.to(self.device),
            self.alarm,
        )

    def _pixels(self, images: Pixels) -> Tensor:
        return torch.from_numpy(images.astype(np.float32)).to(self.device)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One knob, and what it does to images.

    Attributes:
        knob: what its values are, in words.
        values: in the order of measurement.
        change: returns the changed images of a batch, for one value.
        details: further settings, for the card.
        needs_gradient: whether the network must have one.
        hears_alarm: whether to count the images that raise the alarm of a network.
        needs_alarm: whether the network must have one.
        clean: the value that leaves images as they are, if the highest scores at the
            others are to be held against those at this one; None if not.
    """

    knob: str
    values: tuple[float, ...]
    change: Callable[[Subject, Batch, float], Pixels]
    details: Mapping[str, Any] = field(default_factory=dict)
    needs_gradient: bool = False
    hears_alarm: bool = False
    needs_alarm: bool = False
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
    picture = image.copy()
    for to, source in zip(places, order, strict=True):
        picture[to] = image[places[source]]
    return picture


def _tiles(_subject: Subject, batch: Batch, value: float) -> Pixels:
    return np.stack(
        [
            shuffled_tiles(
                image, int(value), np.random.default_rng([SEED, batch.first + index])
            )
            for index, image in enumerate(batch.pixels)
        ]
    )


def _grain(_subject: Subject, batch: Batch, value: float) -> Pixels:
    return np.concatenate(
        [
            changed(image, [Change(noise=value, seed=SEED + batch.first + index)])
            for index, image in enumerate(batch.pixels)
        ]
    )


def _noise(_subject: Subject, batch: Batch, value: float) -> Pixels:
    def nothing(images: Pixels, _which: NDArray[np.intp]) -> Slope:
        return Slope(np.zeros(len(images)), np.zeros_like(images))

    noise = Attack("noise", seed=SEED + batch.first)
    return attacked(batch.pixels, [value], noise, nothing)[:, 0]


def _attack(
    method: Method, steps: int = STEPS
) -> Callable[[Subject, Batch, float], Pixels]:
    """Return the strongest of attacks that follow one of `LOSSES` each."""

    def change(subject: Subject, batch: Batch, value: float) -> Pixels:
        def following(loss: Loss) -> Climb:
            def climb(images: Pixels, labels: Tensor) -> Slope:
                slopes = subject.slopes(images, labels, of=loss)
                return Slope(slopes.gaps.cpu().numpy(), slopes.gradients.cpu().numpy())

            return climb

        attack = Attack(method, steps, SEED + batch.first)
        return strongest(
            batch, value, attack, [following(loss) for loss in LOSSES], subject.gaps
        )

    return change


def _squares(subject: Subject, batch: Batch, value: float) -> Pixels:
    """Search at random, without a gradient."""

    def climb(images: Pixels, labels: Tensor) -> Slope:
        gaps = subject.gaps(images, labels).numpy()
        return Slope(gaps, np.zeros_like(images))

    attack = Attack("square", QUERIES, SEED + batch.first)
    return strongest(batch, value, attack, [climb], subject.gaps)


def _attack_unnoticed(subject: Subject, batch: Batch, value: float) -> Pixels:
    """Have images misread without an alarm, by PGD that knows of it."""

    def climb(images: Pixels, labels: Tensor) -> Slope:
        slope = subject.unnoticed(images, labels)
        return Slope(slope.values.cpu().numpy(), slope.gradients.cpu().numpy())

    def margins(images: Pixels, labels: Tensor) -> Tensor:
        return subject.unnoticed(images, labels).values.cpu()

    attack = Attack("pgd", STEPS, SEED + batch.first)
    return strongest(batch, value, attack, [climb], margins)


_PIXEL = "by which a pixel moves at most"
_PGD = {"steps": STEPS, "random_starts": RANDOM_STARTS}
EXPERIMENTS = {
    "rotation": Experiment(
        "degrees counter-clockwise",
        _range(-180, 180, 15),
        _each(lambda value: Change(rotate=value)),
    ),
    "shift": Experiment(
        "pixels to the right",
        _range(-10, 10, 1),
        _each(lambda value: Change(shift=(value, 0.0))),
    ),
    "shift_down": Experiment(
        "pixels down",
        _range(-10, 10, 1),
        _each(lambda value: Change(shift=(0.0, value))),
    ),
    "scale": Experiment(
        "factor", _range(0.4, 1.6, 0.1), _each(lambda value: Change(scale=value))
    ),
    "shear": Experiment(
        "degrees, the top to the right",
        _range(-45, 45, 7.5),
        _each(lambda value: Change(shear=value)),
    ),
    "tiles": Experiment(
        "shuffled tiles in a row", (1.0, 2.0, 3.0, 4.0), _tiles, clean=1.0
    ),
    "ground": Experiment(
        "added to every pixel",
        _range(-0.1, 0.4, 0.05),
        _each(lambda value: Change(ground=value)),
    ),
    "contrast": Experiment(
        "factor on every pixel",
        _range(0, 2, 0.2),
        _each(lambda value: Change(contrast=value)),
    ),
    "grain": Experiment(
        "by which every pixel moves at most, at random", _range(0, 0.6, 0.1), _grain
    ),
    "blur": Experiment(
        "standard deviation of a Gaussian, in pixels",
        _range(0, 3, 0.5),
        _each(lambda value: Change(blur=value)),
    ),
    "stroke": Experiment(
        "pixels by which every edge of the ink moves outward",
        _range(-2, 3, 0.5),
        _each(lambda value: Change(stroke=value)),
    ),
    "noise": Experiment(
        "by which every pixel moves, up or down at random",
        EPSILONS,
        _noise,
        hears_alarm=True,
    ),
    "fgsm": Experiment(
        _PIXEL,
        ATTACKED,
        _attack("fgsm"),
        {"losses": list(LOSSES)},
        needs_gradient=True,
        hears_alarm=True,
    ),
    "pgd": Experiment(
        _PIXEL,
        ATTACKED,
        _attack("pgd"),
        {"losses": list(LOSSES), **_PGD},
        needs_gradient=True,
        hears_alarm=True,
    ),
    "square": Experiment(_PIXEL, ATTACKED, _squares, {"steps": QUERIES}),
    "alarm": Experiment(
        _PIXEL,
        ATTACKED,
        _attack_unnoticed,
        {"loss": "the smaller of gap and room below the alarm", **_PGD},
        needs_gradient=True,
        hears_alarm=True,
        needs_alarm=True,
    ),
}
