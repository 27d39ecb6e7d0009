"""The decoder that reconstructs an image from the pose of one class."""

import torch
from torch import Tensor, nn


class Decoder(nn.Module):
    """Three fully connected layers (Sabour, Frosst & Hinton 2017, figure 2).

    Args:
        classes: number of class capsules.
        dim: numbers in the pose of a class.
        hidden: sizes of the two hidden layers.
        image_size: side of the decoded image, in pixels.
        gain: factor on the pose before the first layer.
    """

    def __init__(
        self,
        *,
        classes: int,
        dim: int,
        hidden: tuple[int, int],
        image_size: int,
        gain: float = 1.0,
    ) -> None:
        first, second = hidden
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(classes * dim, first),
            nn.ReLU(),
            nn.Linear(first, second),
            nn.ReLU(),
            nn.Linear(second, image_size**2),
            nn.Sigmoid(),
        )
        self.image_size = image_size
        self.gain = gain

    def forward(self, capsules: Tensor, keep: Tensor) -> Tensor:
        """Decode one capsule of each image, all others masked to zero.

        Args:
            capsules: (batch, classes, dim).
            keep: (batch,) int64, the class whose capsule to decode.

        Returns:
            (batch, rows, columns), each pixel in [0, 1].
        """
        classes = torch.arange(capsules.shape[1], device=keep.device)
        is_kept = (keep[:, None] == classes)[..., None]
        pixels = self.layers((self.gain * capsules * is_kept).flatten(1))
        return pixels.unflatten(1, (self.image_size, self.image_size))
