"""Augmentation by tones: fainter or stronger ink, a grey ground, noise.

MNIST's ground is exactly 0. A network trained on it alone can misread most digits on a
ground of 0.1, which nobody notices in a photograph. Trained with slight changes of
tone, it reads them. It has to reconstruct the clean image, so it learns to ignore them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet_explorer.model.data.per_image import PerImage
from capsnet_explorer.model.recipe import TrainingConfig


@dataclass(frozen=True, slots=True)
class Tones(PerImage):
    """A separate change of tones for each of many images.

    Attributes:
        contrast: (batch,) factor on the ink, at least 0.
        ground: (batch,) in [0, 1], added to every pixel.
        noise: (batch,) in [0, 1], largest amount by which noise moves a pixel.
        is_even: (batch,) bool; whether noise moves each pixel by that whole amount, up
            or down, or by a random share of it.
    """

    contrast: Tensor
    ground: Tensor
    noise: Tensor
    is_even: Tensor

    def apply(self, images: Tensor, moves: Tensor) -> Tensor:
        """Change images in [0, 1], keeping their shape and range.

        Args:
            images: (batch, channels, rows, columns), ink 1 on ground 0.
            moves: same shape, in [-1, 1], see `drawn_moves`.
        """

        def per_image(values: Tensor) -> Tensor:
            return values[:, None, None, None]

        noise = torch.where(per_image(self.is_even), moves.sign(), moves)
        toned = per_image(self.contrast) * images + per_image(self.ground)
        # The ground is light that adds up, and a camera clips it before it adds noise.
        return (toned.clamp(max=1) + per_image(self.noise) * noise).clamp(0, 1)


def drawn_moves(size: Sequence[int], seed: int) -> Tensor:
    """Sample a number in [-1, 1) for each pixel, from `seed` alone, on the CPU."""
    generator = torch.Generator().manual_seed(seed)
    return 2 * torch.rand(*size, generator=generator) - 1


def drawn_tones(
    count: int, recipe: TrainingConfig, generator: torch.Generator
) -> Tones:
    """Sample tones; each kind of change happens to a share `toned` of the images.

    Contrasts lie between 1 - `contrast` and 1 + `contrast` / 2, grounds and noise
    between 0 and the recipe's amounts. Half of the noise is even.
    """

    def amounts(least: float, most: float, otherwise: float) -> Tensor:
        drawn = least + (most - least) * torch.rand(count, generator=generator)
        is_toned = torch.rand(count, generator=generator) < recipe.toned
        return torch.where(is_toned, drawn, otherwise)

    return Tones(
        contrast=amounts(1 - recipe.contrast, 1 + recipe.contrast / 2, 1.0),
        ground=amounts(0, recipe.ground, 0.0),
        noise=amounts(0, recipe.noise, 0.0),
        is_even=torch.rand(count, generator=generator) < 0.5,
    )
