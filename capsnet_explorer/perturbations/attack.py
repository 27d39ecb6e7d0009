"""Attacks: changes of an image, too small to matter to people, that mislead a network.

FGSM is of Goodfellow, Shlens & Szegedy 2015 (arXiv 1412.6572), BIM of Kurakin,
Goodfellow & Bengio 2017 (1607.02533), PGD of Madry et al. 2018 (1706.06083). Square, of
Andriushchenko et al. 2020 (1912.00049), needs no gradient.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Method = Literal["noise", "fgsm", "bim", "pgd", "square"]

Loss = Literal["gap", "scores", "entropy", "trained"]
"""What an attack raises: the largest other class's evidence less the label's, where
evidence is what scores are computed from (norms before squash, or logits); the same of
the scores as they are; the cross entropy of a softmax over the evidence; or the loss of
training, without reconstruction."""

Pixels = NDArray[np.floating[Any]]
Indices = NDArray[np.intp]

RANDOM_STARTS = 2  # of PGD, besides FGSM's image
PGD_REACH = 2.5  # of all steps together, in ε (Madry et al. 2018, appendix)
FIRST_SQUARE = 0.3  # of the image's area (Andriushchenko et al. 2020 tried 0.05 to 0.8)

# What stays free of ε: rounding a pixel to single precision moves it by up to 2^-25,
# and whoever compares may have rounded both images.
MARGIN = 2.0**-23


@dataclass(frozen=True, slots=True)
class Slope:
    """A quantity of each image, and its gradient.

    Attributes:
        values: (count,).
        gradient: (count, channels, rows, columns), of each image's own value.
    """

    values: Pixels
    gradient: Pixels


@dataclass(frozen=True, slots=True)
class Way:
    """The images that an iterated attack comes by, from one start.

    Attributes:
        images: (steps + 1, channels, rows, columns), the start first.
        values: what is raised, of each: (steps + 1,).
        start: 0 for the image itself, and of `pgd` FGSM's; above, a random one.
    """

    images: Pixels
    values: Pixels
    start: int

    @property
    def strongest(self) -> int:
        """The index of the image with the highest value, the first of equals."""
        return int(self.values.argmax())


SlopeOf = Callable[[Pixels, Indices], Slope]
"""Of images (count, channels, rows, columns), and for each the index of the attacked
image that it is a change of."""


@dataclass(frozen=True, slots=True)
class Attack:
    """How to change an image.

    Attributes:
        method: `noise` moves every pixel by ε up or down at random; `fgsm` along the
            sign of the gradient. `bim` takes `steps` steps of ε / steps from the image.
            `pgd` takes steps of 2.5 ε / steps from several starts: FGSM's image, and
            random ones. `square` begins with random stripes, and moves one random
            square of pixels in each step, if that raises the value.
        steps: of `bim`, `pgd` and `square`, at least 1.
        seed: of noise, random starts and squares.
    """

    method: Method
    steps: int = 10
    seed: int = 0


def attacked(
    images: Pixels, epsilons: Sequence[float], attack: Attack, raised: SlopeOf
) -> Pixels:
    """Change images by at most ε in each pixel, within [0, 1].

    `bim`, `pgd` and `square` answer with the image whose value is highest, of all that
    they come by. So `bim` is never weaker than no attack, and `pgd` never weaker than
    `fgsm`.
    An ε of 0 answers the image itself.

    Args:
        images: (count, channels, rows, columns) in [0, 1].
        epsilons: each in [0, 1].
        attack: the method.
        raised: what to raise.

    Returns:
        (count, epsilons, channels, rows, columns), in double precision.
    """
    originals = images.astype(np.float64)
    pixels = np.repeat(originals[:, None], len(epsilons), axis=1)
    some = np.flatnonzero(np.asarray(epsilons) > 0)
    if some.size:
        radii = np.asarray(epsilons, np.float64)[some]
        ball = _Ball(originals, np.maximum(radii - MARGIN, 0))
        pixels[:, some] = _METHODS[attack.method](ball, attack, raised)
    return pixels


def followed(image: Pixels, epsilon: float, attack: Attack, raised: SlopeOf) -> Way:
    """Return every step of `bim` or `pgd`; of `pgd`, from the start that leads highest.

    The strongest image on it is the one that `attacked` answers with.

    Args:
        image: (channels, rows, columns) in [0, 1].
        epsilon: in [0, 1].
        attack: `bim` or `pgd`.
        raised: what to raise.

    Raises:
        ValueError: the method takes no steps.
    """
    if attack.method not in _STARTS:
        raise ValueError(f"the method must be bim or pgd, got {attack.method}")
    radius = max(epsilon - MARGIN, 0)
    ball = _Ball(image[None].astype(np.float64), np.array([radius]))
    ways = []
    starts = _STARTS[attack.method](ball, attack, raised)
    for index, (start, first) in enumerate(starts):
        steps = list(_steps(ball, start, first, attack, raised))
        ways.append(
            Way(
                np.concatenate([images[0] for images, _ in steps]),
                np.array([values.item() for _, values in steps]),
                index,
            )
        )
    return max(ways, key=lambda way: way.values.max())


class _Ball:
    """All images within ε of given ones, for each image and each ε.

    Args:
        images: (count, channels, rows, columns).
        radii: (epsilons,).
    """

    def __init__(self, images: Pixels, radii: Pixels) -> None:
        self.images = images
        self._ones = (1,) * (images.ndim - 1)
        self.radii = radii.reshape(-1, *self._ones)
        self._low = (images[:, None] - self.radii).clip(0, 1)
        self._high = (images[:, None] + self.radii).clip(0, 1)

    def moved(self, directions: Pixels) -> Pixels:
        """Move each image by each ε times its direction, which has its shape."""
        return self.within(self.images[:, None] + self.radii * directions[:, None])

    def within(self, images: Pixels) -> Pixels:
        """Bring (count, epsilons, channels, rows, columns) images into the ball."""
        return images.clip(self._low, self._high)

    def slope(self, images: Pixels, raised: SlopeOf) -> Slope:
        """Return the slope at (count, epsilons, channels, rows, columns) images.

        Returns:
            Values (count, epsilons, 1, 1, 1), and a gradient of the images' shape.
        """
        count, radii = images.shape[:2]
        which = np.repeat(np.arange(count), radii)
        slope = raised(images.reshape(-1, *images.shape[2:]), which)
        return Slope(
            slope.values.reshape(count, radii, *self._ones),
            slope.gradient.reshape(images.shape),
        )

    def slope_at_images(self, raised: SlopeOf) -> Slope:
        """Return the slope at the images themselves, in the form of `slope`."""
        slope = raised(self.images, np.arange(len(self.images)))
        count, *size = self.images.shape
        radii = len(self.radii)
        values = slope.values.reshape(count, 1, *self._ones)
        return Slope(
            np.broadcast_to(values, (count, radii, *self._ones)),
            np.broadcast_to(slope.gradient[:, None], (count, radii, *size)),
        )


def random_signs(shape: tuple[int, ...], seed: int) -> Pixels:
    """Return where `noise` moves images of a shape (count, …): -1 or 1."""
    return np.random.default_rng(seed).choice((-1.0, 1.0), shape)


def random_ways(shape: tuple[int, ...], seed: int) -> Sequence[Pixels]:
    """Return where random starts of `pgd` lie, in ε: each from -1 to 1."""
    generator = np.random.default_rng(seed)
    _, *ways = [generator.uniform(-1, 1, shape) for _ in range(1 + RANDOM_STARTS)]
    return ways


def _noise(ball: _Ball, attack: Attack, _raised: SlopeOf) -> Pixels:
    return ball.moved(random_signs(ball.images.shape, attack.seed))


def _fgsm(ball: _Ball, _attack: Attack, raised: SlopeOf) -> Pixels:
    slope = raised(ball.images, np.arange(len(ball.images)))
    return ball.moved(np.sign(slope.gradient))


Start = tuple[Pixels, Slope]
"""Images (count, epsilons, channels, rows, columns), and the slope there."""


def _from_images(ball: _Ball, _attack: Attack, raised: SlopeOf) -> Iterator[Start]:
    yield ball.within(ball.images[:, None]), ball.slope_at_images(raised)


def _from_everywhere(ball: _Ball, attack: Attack, raised: SlopeOf) -> Iterator[Start]:
    start = _fgsm(ball, attack, raised)
    yield start, ball.slope(start, raised)
    for way in random_ways(ball.images.shape, attack.seed):
        start = ball.moved(way)
        yield start, ball.slope(start, raised)


def _climb(ball: _Ball, attack: Attack, raised: SlopeOf) -> Pixels:
    """Return the images with the highest values on the way up from all starts."""
    best, highest = ball.images[:, None], np.array(-np.inf)
    for start, first in _STARTS[attack.method](ball, attack, raised):
        for images, values in _steps(ball, start, first, attack, raised):
            best = np.where(values > highest, images, best)
            highest = np.maximum(values, highest)
    return best


def _steps(
    ball: _Ball, start: Pixels, first: Slope, attack: Attack, raised: SlopeOf
) -> Iterator[tuple[Pixels, Pixels]]:
    """Yield the start and what each step comes to, with their values.

    Args:
        ball: within which to stay.
        start: (count, epsilons, channels, rows, columns).
        first: the slope there.
        attack: has the method and the number of steps.
        raised: what to raise.
    """
    step = _REACH[attack.method] * ball.radii / attack.steps
    images, slope = start, first
    yield images, slope.values
    for _ in range(attack.steps):
        images = ball.within(images + step * np.sign(slope.gradient))
        slope = ball.slope(images, raised)
        yield images, slope.values


def _squares(ball: _Ball, attack: Attack, raised: SlopeOf) -> Pixels:
    """Return the images after a random search, which reads values and no gradient.

    In place of the paper's schedule, the squares' area falls evenly with the steps.
    """
    generator = np.random.default_rng(attack.seed)
    rows, columns = ball.images.shape[-2:]
    stripes = generator.choice((-1.0, 1.0), (*ball.images.shape[:-2], 1, columns))
    best = ball.moved(np.broadcast_to(stripes, ball.images.shape))
    highest = ball.slope(best, raised).values
    for step in range(attack.steps):
        area = FIRST_SQUARE * (1 - step / attack.steps) * rows * columns
        side = min(max(round(math.sqrt(area)), 1), rows, columns)
        top = generator.integers(rows - side + 1)
        left = generator.integers(columns - side + 1)
        signs = generator.choice((-1.0, 1.0), (*ball.images.shape[:-2], 1, 1))
        way = np.zeros_like(ball.images)
        way[..., top : top + side, left : left + side] = signs
        tried = np.where(way[:, None] == 0, best, ball.moved(way))
        values = ball.slope(tried, raised).values
        best = np.where(values > highest, tried, best)
        highest = np.maximum(values, highest)
    return best


_STARTS: dict[Method, Callable[[_Ball, Attack, SlopeOf], Iterator[Start]]] = {
    "bim": _from_images,
    "pgd": _from_everywhere,
}
_REACH: dict[Method, float] = {"bim": 1.0, "pgd": PGD_REACH}

_METHODS: dict[Method, Callable[[_Ball, Attack, SlopeOf], Pixels]] = {
    "noise": _noise,
    "fgsm": _fgsm,
    "bim": _climb,
    "pgd": _climb,
    "square": _squares,
}
