"""The decoder that reconstructs an image from the poses of the classes present."""

import math

import torch
from torch import Tensor, nn

from capsnet_explorer.model.settings import Shape


class Decoder(nn.Module):
    """Three fully connected layers (Sabour, Frosst & Hinton 2017, figure 2).

    Args:
        classes: number of class capsules.
        dim: numbers in the pose of a class.
        hidden: sizes of the two hidden layers.
        image_shape: channels, rows and columns of the decoded image.
        gain: factor on the pose before the first layer.
    """

    def __init__(
        self,
        *,
        classes: int,
        dim: int,
        hidden: tuple[int, int],
        image_shape: Shape,
        gain: float = 1.0,
    ) -> None:
        first, second = hidden
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(classes * dim, first),
            nn.ReLU(),
            nn.Linear(first, second),
            nn.ReLU(),
            nn.Linear(second, math.prod(image_shape)),
            nn.Sigmoid(),
        )
        self.image_shape = image_shape
        self.gain = gain

    def forward(self, capsules: Tensor, keep: Tensor) -> Tensor:
        """Decode some capsules of each image, all others masked to zero.

        Args:
            capsules: (batch, classes, dim).
            keep: (batch,) int64, the class whose capsule to decode, or
                (batch, classes), 1 for each class to decode and 0 for the others, or
                (batch, pictures, classes), the same for several pictures.

        Returns:
            (batch, channels, rows, columns), each pixel in [0, 1]; for several
            pictures (batch, pictures, channels, rows, columns).
        """
        if keep.ndim == 3:
            pictures = keep.shape[1]
            apart = self(capsules.repeat_interleave(pictures, 0), keep.flatten(0, 1))
            return apart.unflatten(0, (-1, pictures))
        if keep.ndim == 1:
            classes = torch.arange(capsules.shape[1], device=keep.device)
            keep = keep[:, None] == classes
        pixels = self.layers((self.gain * capsules * keep[..., None]).flatten(1))
        return pixels.unflatten(1, self.image_shape)
