"""The sample digits: what `digits.json` says of each, and its image in `digits.png`.

The picture holds the images one below the other, each 28x28, in the file's order. The
file is a list of objects with the keys of a `Sample`, but for its image, and with the
`strokes` of those that are not hard, which `writing` varies.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

DATA_FILE = Path(__file__).with_name("digits.json")
TOLD = ("id", "label", "title", "source", "hard")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A digit that comes with the project.

    Attributes:
        id: names it in URLs, such as `four-open`.
        label: the intended class, 0..9.
        title: for people, such as `4, open top`.
        source: its origin, for people.
        hard: whether it resembles another class on purpose.
        image: (1, 28, 28), a channel with ink in [0, 1], read-only.
    """

    id: str
    label: int
    title: str
    source: str
    hard: bool
    image: NDArray[np.float32]


@cache
def load_samples() -> tuple[Sample, ...]:
    """Return the samples in the order of the file: by label, the hard one last."""
    digits = json.loads(DATA_FILE.read_text(encoding="utf-8"))
    with Image.open(DATA_FILE.with_suffix(".png")) as picture:
        images = np.asarray(picture).reshape(len(digits), 1, 28, 28) / np.float32(255)
    images.flags.writeable = False
    return tuple(
        Sample(**{key: digit[key] for key in TOLD}, image=image)
        for digit, image in zip(digits, images, strict=True)
    )


def is_sample(image: NDArray[np.floating[Any]]) -> bool:
    """Tell whether an image, in [0, 1], is one of the samples, and nobody's own."""
    levels = (255 * image).round()
    samples = ((255 * sample.image).round() for sample in load_samples())
    return any(np.array_equal(levels, sample) for sample in samples)
