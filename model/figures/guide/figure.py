"""What every figure is: a drawing and its words, made from passes over samples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.figures.guide.svg import Drawing
from capsnet_explorer.model.weights import Trained
from capsnet_explorer.sample_digits import load_samples

Numbers = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, and what it shows in words, with the same numbers."""

    drawing: Drawing
    alt: str


@dataclass(frozen=True, slots=True)
class Material:
    """What figures of one network are made from.

    Attributes:
        trained: the network, on the CPU, and its card.
        test: returns the test images.
    """

    trained: Trained
    test: Callable[[], LabelledImages]

    @property
    def card(self) -> Mapping[str, Any]:
        """The network's card."""
        return self.trained.card

    def pass_over(self, sample: str, **options: Any) -> Any:
        """Return the trace of one pass over a sample."""
        image = torch.from_numpy(image_of(sample).copy())[None, None]
        with torch.no_grad():
            return self.trained.network(image, **options)


Draw = Callable[[Material], Figure | None]


def image_of(sample: str) -> Numbers:
    """Return a sample's image: (rows, columns) in [0, 1]."""
    return next(each.image[0] for each in load_samples() if each.id == sample)


def listed(words: list[str]) -> str:
    """Join words with commas and a last `and`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
