"""The error on images that are shifted, distorted, or changed in tone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.data.augmentation import drawn_distortions, drawn_shifts
from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.data.tones import Tones, drawn_moves
from capsnet_explorer.model.measuring.evaluation import evaluate
from capsnet_explorer.model.recipe import TrainingConfig

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

# Changes of tone happen to every image by exactly this amount. They are slight: a
# reader of the picture hardly notices the first two of each kind.
CONTRASTS = (0.8, 0.6)  # factor on the ink
GROUNDS = (0.05, 0.1, 0.2)  # added to every pixel
NOISES = (0.05, 0.1, 0.2)  # by which every pixel moves, up or down at random
NOISE_SEED = 0


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
    network: Network, labelled: LabelledImages, device: torch.device
) -> Iterator[Robustness]:
    """Measure the error on unchanged images, then under each kind of change.

    Each image is changed by a random amount, drawn uniformly up to the largest one
    (bends: from a normal distribution). It depends on `TrainingConfig.seed` alone.
    Tones change by the same amount in every image.

    Args:
        network: on `device`.
        labelled: at least one image.
        device: where to compute.
    """
    yield Robustness("nothing", evaluate(network, labelled, device).error)
    for recipe in CHANGES:
        changed = evaluate(network, _changed(labelled, recipe), device)
        yield Robustness(_words(recipe), changed.error)
    for change, toned in tone_changes(labelled):
        yield Robustness(change, evaluate(network, toned(), device).error)


def tone_changes(
    labelled: LabelledImages,
) -> Iterator[tuple[str, Callable[[], LabelledImages]]]:
    """Yield a description of each change of tone, and a function that applies it."""

    def changed(
        contrast: float = 1.0, ground: float = 0.0, noise: float = 0.0
    ) -> Callable[[], LabelledImages]:
        return lambda: _toned(labelled, contrast, ground, noise)

    for amount in CONTRASTS:
        yield f"ink at {amount:.0%} of its strength", changed(contrast=amount)
    for amount in GROUNDS:
        yield f"a grey ground of {amount:g}", changed(ground=amount)
    for amount in NOISES:
        yield f"every pixel up or down by {amount:g}", changed(noise=amount)


def _toned(
    labelled: LabelledImages, contrast: float, ground: float, noise: float
) -> LabelledImages:
    images = to_network(labelled.images)

    def same(amount: float) -> Tensor:
        return images.new_full((len(images),), amount)

    is_even = torch.ones(len(images), dtype=torch.bool, device=images.device)
    tones = Tones(same(contrast), same(ground), same(noise), is_even)
    moves = drawn_moves(images.shape, NOISE_SEED).to(images.device)
    return _as_bytes(tones.apply(images, moves), labelled.labels)


def _changed(labelled: LabelledImages, recipe: TrainingConfig) -> LabelledImages:
    generator = torch.Generator().manual_seed(recipe.seed)
    draw = drawn_shifts if recipe.only_shifts else drawn_distortions
    changes = draw(len(labelled), recipe, generator).to(labelled.images.device)
    images = changes.apply(to_network(labelled.images))
    return _as_bytes(images, labelled.labels)


def _as_bytes(images: Tensor, labels: Tensor) -> LabelledImages:
    return LabelledImages((255 * images).round().to(torch.uint8), labels)


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
