"""Augmentation: images shifted, rotated, scaled, sheared, bent, thickened or thinned.

The paper only shifts its images (section 5). The other changes prepare the network for
drawings and photographs, whose strokes and slants MNIST lacks.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.data.per_image import PerImage
from capsnet_explorer.model.recipe import TrainingConfig

BEND_KNOTS = 5  # side of the grid whose random moves bend an image

FAINTEST = 0.2  # strokes thinned to less ink than this are not darkened fully again


@dataclass(frozen=True, slots=True)
class Shifts(PerImage):
    """Moves by whole pixels.

    Attributes:
        offsets: (batch, 2) int64, pixels down and right; negative is up and left.
        reach: bound on every offset; known in advance, so that it need not be fetched
            from a GPU.
    """

    offsets: Tensor
    reach: int

    def apply(self, images: Tensor) -> Tensor:
        """Move each image: pixels past the edge are lost, empty ones come in.

        Args:
            images: (batch, channels, rows, columns).
        """
        batch, channels, rows, columns = images.shape
        reach, device = self.reach, images.device
        padded = F.pad(images, (reach, reach, reach, reach))
        from_rows = torch.arange(rows, device=device) + reach - self.offsets[:, :1]
        from_columns = (
            torch.arange(columns, device=device) + reach - self.offsets[:, 1:]
        )
        return padded[
            torch.arange(batch, device=device)[:, None, None, None],
            torch.arange(channels, device=device)[:, None, None],
            from_rows[:, None, :, None],
            from_columns[:, None, None, :],
        ]


@dataclass(frozen=True, slots=True)
class Distortions(PerImage):
    """Thicker or thinner strokes, followed by one smooth warp of the image.

    Attributes:
        pull: (batch, 2, 3), the affine map from a position in the result to its source:
            x and y as linear forms of (x, y, 1), measured from the centre, in pixels.
        knots: (batch, 2, BEND_KNOTS, BEND_KNOTS), further moves right and down at the
            knots of a coarse grid, in pixels, interpolated between them.
        thickness: (batch,) in [-1, 1], see `thicken`.
    """

    pull: Tensor
    knots: Tensor
    thickness: Tensor

    def apply(self, images: Tensor) -> Tensor:
        """Distort each image: pixels past the edge are lost, empty ones come in.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
        """
        rows, columns = images.shape[2:]
        device = images.device
        y, x = torch.meshgrid(
            torch.arange(rows, device=device) - (rows - 1) / 2,
            torch.arange(columns, device=device) - (columns - 1) / 2,
            indexing="ij",
        )
        places = torch.stack([x, y, torch.ones_like(x)], dim=2) @ self.pull.mT[:, None]
        bend = F.interpolate(
            self.knots, (rows, columns), mode="bicubic", align_corners=True
        )
        # grid_sample's coordinates: -1 and 1 are the outer edges of the image.
        halves = torch.tensor([2 / columns, 2 / rows], device=device)
        shares = (places + bend.movedim(1, 3)) * halves
        pens = thicken(images, self.thickness)
        return F.grid_sample(pens, shares, align_corners=False).clamp(0, 1)


def thicken(images: Tensor, thickness: Tensor) -> Tensor:
    """Move each pixel towards the most, or the least, ink of its 3 x 3 neighbourhood.

    The darkest ink stays as dark as it was: thin strokes are narrow, not faint.

    Args:
        images: (batch, channels, rows, columns) in [0, 1].
        thickness: (batch,) in [-1, 1], share of the way: towards the most ink where
            positive, towards the least where negative.
    """
    most = F.max_pool2d(images, 3, stride=1, padding=1)
    least = -F.max_pool2d(-images, 3, stride=1, padding=1)
    share = thickness[:, None, None, None]
    moved = torch.lerp(images, torch.where(share > 0, most, least), share.abs())
    before, after = (group.amax((1, 2, 3), keepdim=True) for group in (images, moved))
    return (moved * (before / after.clamp(min=FAINTEST))).clamp(max=1)


def drawn_shifts(
    count: int, recipe: TrainingConfig, generator: torch.Generator
) -> Shifts:
    """Sample whole-pixel shifts, each direction and distance equally likely."""
    reach = recipe.shift
    offsets = torch.randint(-reach, reach + 1, (count, 2), generator=generator)
    return Shifts(offsets, reach)


def drawn_distortions(
    count: int, recipe: TrainingConfig, generator: torch.Generator
) -> Distortions:
    """Sample distortions: bends from a normal distribution, all else uniformly."""

    def spread(*shape: int) -> Tensor:
        return 2 * torch.rand(count, *shape, generator=generator) - 1

    angle = math.radians(recipe.rotation) * spread()
    cosine, sine = angle.cos(), angle.sin()
    turn = torch.stack([cosine, -sine, sine, cosine], dim=1).view(count, 2, 2)
    lean = torch.eye(2).repeat(count, 1, 1)
    lean[:, 0, 1] = recipe.shear * spread()
    stretch = (1 + recipe.scale) ** spread(2)  # as often smaller as larger
    pull = torch.cat(
        [turn @ lean / stretch[:, None], recipe.shift * spread(2)[:, :, None]], dim=2
    )
    knots = torch.randn(count, 2, BEND_KNOTS, BEND_KNOTS, generator=generator)
    return Distortions(pull, recipe.bend * knots, recipe.thickness * spread())
