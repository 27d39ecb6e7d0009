"""Requests with their expected responses, each computed separately in advance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.soak.connection import Answer, picture, post
from capsnet_explorer.app.content.samples import load_samples
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.intake import Overrides, read_digit

Array = NDArray[np.float32]

# What the page requests while somebody draws, in any view.
NAMES = (
    "conv1.glimpse",
    "primary.lengths",
    "routing.types",
    "digits.capsules",
    "digits.lengths",
    "reconstruction",
)
ROUNDING = 1e-3  # largest difference between images computed together and separately
PAD_SIDE = 280  # pixels of the page's canvas
POSE_SPREAD = 0.3  # standard deviation of a capsule's numbers


@dataclass(frozen=True, slots=True)
class Wish:
    """A request and its expected response.

    Attributes:
        request: the bytes to send.
        tensor: name of the tensor that identifies the response.
        expected: that tensor.
    """

    request: bytes
    tensor: str
    expected: Array

    def is_granted(self, answer: Answer) -> bool:
        """Return whether a response belongs to this request."""
        return is_near(answer.tensors()[self.tensor], self.expected)


def is_near(one: Array, other: Array) -> bool:
    """Return whether two tensors are equal up to rounding."""
    return one.shape == other.shape and bool((abs(one - other) < ROUNDING).all())


def drawings(engine: Engine, count: int, seed: int) -> list[Wish]:
    """Return traces of `count` images that are unique to this seed."""
    generator = np.random.default_rng(seed)
    samples = [sample.image for sample in load_samples()]
    path = f"/api/models/{engine.info.id}/trace"
    options = engine.options({})
    wishes = []
    for _ in range(count):
        sample = samples[generator.integers(len(samples))]
        specks = generator.random(sample.shape) * (generator.random(sample.shape) < 0.1)
        image = np.maximum(sample, specks).round(3).astype(np.float32)
        question = Question(image, options, NAMES, half=True)
        expected = engine.trace(question).tensors["digits.capsules"]
        numbers = image.astype(float).round(3).tolist()
        request = post(path, {"image": numbers, "tensors": NAMES})
        wishes.append(Wish(request, "digits.capsules", expected))
    return wishes


def strokes(engine: Engine, count: int, seed: int) -> list[Wish]:
    """Return `count` pictures as the page sends them while somebody draws.

    Each is read by the network as it is drawn, large, and converted by the server.
    """
    generator = np.random.default_rng(seed)
    samples = [sample.image for sample in load_samples()]
    path = f"/api/models/{engine.info.id}/read?ink=light&tensors=digits.capsules"
    options = engine.options({})
    wishes = []
    for _ in range(count):
        ink = samples[generator.integers(len(samples))][0]
        pressure = 0.4 + 0.6 * generator.random(ink.shape)
        scale = PAD_SIDE // len(ink)
        large = np.kron(ink * pressure, np.ones((scale, scale)))
        moved = np.roll(large, generator.integers(-30, 31, 2), (0, 1))
        pgm = (
            b"P5\n%d %d\n255\n" % moved.shape
            + (255 * moved).round().astype(np.uint8).tobytes()
        )
        image = read_digit(pgm, Overrides(ink="light")).image
        question = Question(image, options, ("digits.capsules",), half=True)
        expected = engine.trace(question).tensors["digits.capsules"]
        wishes.append(Wish(picture(path, pgm), "digits.capsules", expected))
    return wishes


def slider_steps(engine: Engine, count: int, seed: int) -> list[Wish]:
    """Return `count` edited capsules to decode, unique to this seed."""
    generator = np.random.default_rng(seed)
    path = f"/api/models/{engine.info.id}/reconstruct"
    wishes = []
    for _ in range(count):
        digit = int(generator.integers(engine.info.classes))
        pose = generator.normal(0, POSE_SPREAD, engine.info.details["pose_dim"]).round(
            3
        )
        images = engine.reconstruct(digit, pose[None].astype(np.float32))
        expected = images[:, 0]  # rows alone, as the response has grey images
        request = post(path, {"digit": digit, "poses": [pose.tolist()]})
        wishes.append(Wish(request, "images", expected))
    return wishes


def all_differ(wishes: list[Wish]) -> bool:
    """Return whether every pair of expected responses can be distinguished."""
    expected = np.stack([wish.expected.ravel() for wish in wishes])
    return all(
        (abs(expected[place + 1 :] - row).max(axis=1) > 2 * ROUNDING).all()
        for place, row in enumerate(expected[:-1])
    )
