"""The error on images that are shifted, rotated, scaled, sheared, bent or thickened."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from model.architecture import Network
from model.data.augmentation import drawn_distortions, drawn_shifts
from model.data.images import DigitImages, to_network
from model.measuring.evaluation import evaluate
from model.recipe import TrainingConfig

UNCHANGED = replace(TrainingConfig(), shift=0)

# How far handwriting may plausibly differ from MNIST's, in the units of
# `TrainingConfig`.
PLAUSIBLE = {
    "shift": 2,
    "rotation": 12.0,
    "scale": 0.12,
    "shear": 0.2,
    "bend": 0.6,
    "thickness": 0.4,
}

# Each change by that amount, and by twice as much.
CHANGES = tuple(
    replace(UNCHANGED, **{name: times * most})
    for name, most in PLAUSIBLE.items()
    for times in (1, 2)
)


@dataclass(frozen=True, slots=True)
class Robustness:
    """The error under one kind of change.

    Attributes:
        change: its description, with its largest amount.
        error: share of images read wrong, in [0, 1].
    """

    change: str
    error: float


def robustness(
    network: Network, digits: DigitImages, device: torch.device
) -> Iterator[Robustness]:
    """Measure the error on unchanged images, then under each kind of change.

    Each image is changed by a random amount, drawn uniformly up to the largest one
    (bends: from a normal distribution). It depends on `TrainingConfig.seed` alone.

    Args:
        network: on `device`.
        digits: at least one image.
        device: where to compute.
    """
    yield Robustness("nothing", evaluate(network, digits, device).error)
    for recipe in CHANGES:
        changed = evaluate(network, _changed(digits, recipe), device)
        yield Robustness(_words(recipe), changed.error)


def _changed(digits: DigitImages, recipe: TrainingConfig) -> DigitImages:
    generator = torch.Generator().manual_seed(recipe.seed)
    draw = drawn_shifts if recipe.only_shifts else drawn_distortions
    changes = draw(len(digits), recipe, generator).to(digits.images.device)
    images = changes.apply(to_network(digits.images))
    return DigitImages((255 * images).round().to(torch.uint8), digits.labels)


def _words(recipe: TrainingConfig) -> str:
    words = {
        "shift": f"shifts up to {recipe.shift} px",
        "rotation": f"rotation up to {recipe.rotation:g}°",
        "scale": f"scale up to {recipe.scale:.0%}",
        "shear": f"shear up to {recipe.shear:g} px a row",
        "bend": f"bends of {recipe.bend:g} px (standard deviation)",
        "thickness": f"thickness up to {recipe.thickness:.0%} of the way",
    }
    return next(text for name, text in words.items() if getattr(recipe, name))
