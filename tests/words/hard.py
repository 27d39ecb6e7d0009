"""Images that are hard to say true sentences of: nothing, noise, two at once."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.digits import load_samples
from capsnet_explorer.datasets.toys import LIGHTS, View, drawn_toy, toy_of
from capsnet_explorer.datasets.toys.colours import clutter_seed, coloured

Image = NDArray[np.float64]


def hard_images(sample: Image, other: Image) -> dict[str, Image]:
    """Return images by name, each as large as the samples.

    Args:
        sample: (channels, rows, columns), what the network has learned to see.
        other: the same, of another class.
    """
    shape = sample.shape
    chance = np.random.default_rng(7)
    pixel, row, corner = (np.zeros(shape) for _ in range(3))
    pixel[:, shape[1] // 2, shape[2] // 2] = 1
    row[:, shape[1] // 2] = 1
    half = sample[:, ::2, ::2]
    corner[:, : half.shape[1], : half.shape[2]] = half
    side = shape[2] // 4
    left, right = np.roll(sample, -side, axis=2), np.roll(other, side, axis=2)
    found: Mapping[str, Image] = {
        "a sample": sample,
        "another": other,
        "blank": np.zeros(shape),
        "white": np.ones(shape),
        "noise": chance.random(shape),
        "one pixel": pixel,
        "one row": row,
        "two": np.maximum(left, right),
        "upside down": sample[:, ::-1, ::-1],
        "in the corner": corner,
        "faint": 0.1 * sample,
    }
    return {name: np.rint(255 * image) / 255 for name, image in found.items()}


def known_images(dataset: str) -> tuple[Image, Image]:
    """Return two images of different classes, as networks of a data set read them."""
    if "toys" in dataset or "cifar" in dataset:
        is_colour = "cifar" in dataset
        one, other = [_toy(each, is_colour) for each in ("car", "truck")]
        return one, other
    samples = {each.label: each.image.astype(float) for each in load_samples()}
    margin = 4 if "overlapping" in dataset else 0
    edge = ((0, 0), (margin, margin), (margin, margin))
    return np.pad(samples[4], edge), np.pad(samples[7], edge)


def _toy(category: str, is_colour: bool) -> Image:
    toy, view = toy_of(category, drawn_toy(category, 0)), View(40, 30, LIGHTS[1])
    if not is_colour:
        return np.asarray(toy.render(view, 32), dtype=float).reshape(1, 32, 32)
    rendering = toy.look(view, 32)
    return coloured(rendering, "red", "road", clutter_seed(category, 0))
