"""Batch normalisation of a convolution's maps (Ioffe & Szegedy 2015)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MOMENTUM = 0.1  # weight of a batch in the running figures
EPSILON = 1e-5  # added to a variance


class BatchNorm(nn.Module):
    """Batch normalisation of maps (Ioffe & Szegedy 2015).

    torch's own also counts batches, in a number that half precision cannot hold.
    """

    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, maps: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(maps))
        self.bias = nn.Parameter(torch.zeros(maps))
        self.register_buffer("running_mean", torch.zeros(maps))
        self.register_buffer("running_variance", torch.ones(maps))

    def forward(self, maps: Tensor) -> Tensor:
        """Normalise (batch, maps, rows, columns); in training, by the batch."""
        return F.batch_norm(
            maps,
            self.running_mean,
            self.running_variance,
            self.weight,
            self.bias,
            training=self.training,
            momentum=MOMENTUM,
            eps=EPSILON,
        )

    @property
    def deviation(self) -> Tensor:
        """What the maps are divided by when it is not training: (maps,)."""
        return (self.running_variance + EPSILON).sqrt()

    @torch.no_grad()
    def folded(self, kernels: Tensor) -> tuple[Tensor, Tensor]:
        """Return kernels and biases of a convolution that normalises its own maps.

        Args:
            kernels: (maps, ...) of the convolution below, which has no bias.

        Returns:
            Kernels (maps, ...) and biases (maps,).
        """
        scale = self.weight / self.deviation
        bias = self.bias - self.running_mean * scale
        return kernels * scale.reshape(-1, *[1] * (kernels.ndim - 1)), bias
