"""Reading pictures as the page does: through the intake, then the network."""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from benchmarks.intake.scene import Plane
from capsnet_explorer.intake import IntakeError, read_digit
from capsnet_explorer.model.weights import load_weights

TOGETHER = 64  # images in one pass


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one picture.

    Attributes:
        name: identifies the picture.
        file: the picture.
        label: the digit that it shows.
        image: (28, 28), the intake's result; None if it found no digit.
        ms: time of the intake, in milliseconds.
        answer: the digit that the network read; None without an image.
    """

    name: str
    file: bytes
    label: int
    image: Plane | None
    ms: float
    answer: int | None

    @property
    def is_right(self) -> bool:
        """Whether the digit was read right."""
        return self.answer == self.label


class Reader:
    """A network behind the intake.

    Args:
        weights: a network's file.
    """

    def __init__(self, weights: Path) -> None:
        self._network = load_weights(weights).network
        self._network.eval()

    def read(self, pictures: list[tuple[str, int, bytes]]) -> list[Reading]:
        """Read pictures, each given as a name, the digit that it shows, and a file."""
        taken = [_taken(file) for _, _, file in pictures]
        images = [image for image, _ in taken if image is not None]
        answers = iter(self.answers(images))
        return [
            Reading(
                name, file, label, image, ms, None if image is None else next(answers)
            )
            for (name, label, file), (image, ms) in zip(pictures, taken, strict=True)
        ]

    def answers(self, images: list[Plane]) -> list[int]:
        """Return the digit that the network reads in each image (28, 28)."""
        found: list[int] = []
        with torch.inference_mode():
            for start in range(0, len(images), TOGETHER):
                batch = torch.from_numpy(np.stack(images[start : start + TOGETHER]))
                found += self._network(batch).scores.argmax(dim=1).tolist()
        return found


def _taken(file: bytes) -> tuple[Plane | None, float]:
    """Return the intake's result for a file, and its time in milliseconds."""
    start = time.perf_counter()
    try:
        image = read_digit(file).image
    except IntakeError:
        image = None
    return image, 1000 * (time.perf_counter() - start)
