"""What people ask for, each with the answer it must get, computed one by one before."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine import Engine, Question
from app.samples import load_samples
from benchmarks.soak.connection import Answer, post

Array = NDArray[np.float32]

# What the page asks for while someone draws, whatever view is open.
NAMES = (
    "conv1.glimpse",
    "primary.lengths",
    "routing.types",
    "digits.capsules",
    "digits.lengths",
    "reconstruction",
)
ROUNDING = 1e-3  # images computed together may differ so much from each on its own
POSE_SPREAD = 0.3  # of the numbers of a capsule


@dataclass(frozen=True, slots=True)
class Wish:
    """A request and what its answer must hold.

    Attributes:
        request: as sent.
        tensor: the name of the tensor that tells answers apart.
        expected: that tensor.
    """

    request: bytes
    tensor: str
    expected: Array

    def is_granted(self, answer: Answer) -> bool:
        """Tell whether the answer is the one to this request."""
        return is_near(answer.tensors()[self.tensor], self.expected)


def is_near(one: Array, other: Array) -> bool:
    """Tell whether two tensors are equal but for rounding."""
    return one.shape == other.shape and bool((abs(one - other) < ROUNDING).all())


def drawings(engine: Engine, count: int, seed: int) -> list[Wish]:
    """Return traces of `count` images that nobody else has."""
    generator = np.random.default_rng(seed)
    samples = [sample.image for sample in load_samples()]
    path = f"/api/models/{engine.info.id}/trace"
    wishes = []
    for _ in range(count):
        sample = samples[generator.integers(len(samples))]
        specks = generator.random(sample.shape) * (generator.random(sample.shape) < 0.1)
        image = np.maximum(sample, specks).round(3).astype(np.float32)
        question = Question(image, engine.info.routing_iterations, NAMES, half=True)
        expected = engine.trace(question).tensors["digits.capsules"]
        rows = [[round(value, 3) for value in row] for row in image.tolist()]
        request = post(path, {"image": rows, "tensors": NAMES})
        wishes.append(Wish(request, "digits.capsules", expected))
    return wishes


def slider_steps(engine: Engine, count: int, seed: int) -> list[Wish]:
    """Return `count` edited capsules to decode, that nobody else has."""
    generator = np.random.default_rng(seed)
    path = f"/api/models/{engine.info.id}/reconstruct"
    wishes = []
    for _ in range(count):
        digit = int(generator.integers(engine.info.classes))
        pose = generator.normal(0, POSE_SPREAD, engine.info.pose_dim).round(3)
        expected = engine.reconstruct(digit, pose[None].astype(np.float32))
        request = post(path, {"digit": digit, "poses": [pose.tolist()]})
        wishes.append(Wish(request, "images", expected))
    return wishes


def all_differ(wishes: list[Wish]) -> bool:
    """Tell whether an answer to one wish can be told from that to any other."""
    expected = np.stack([wish.expected.ravel() for wish in wishes])
    return all(
        (abs(expected[place + 1 :] - row).max(axis=1) > 2 * ROUNDING).all()
        for place, row in enumerate(expected[:-1])
    )
