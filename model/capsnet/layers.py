"""The layers of a CapsNet that PyTorch lacks, bottom to top."""

import torch
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.layers.dynamic import Votes

TRANSFORM_STD = 0.1  # standard deviation of the initial W_ij; the paper gives none


class PrimaryCapsules(nn.Module):
    """A convolution whose output channels form capsules (section 4)."""

    def __init__(self, config: CapsNetConfig) -> None:
        super().__init__()
        self.types = config.primary_types
        self.dim = config.primary_dim
        self.is_cut_by_view = config.mistake == "view"
        self.convolution = nn.Conv2d(
            config.conv1_kernels,
            config.primary_types * config.primary_dim,
            config.kernel_size,
            stride=config.primary_stride,
        )

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, kernels, rows, columns) to (batch, types, rows, columns, dim).

        The result is not squashed yet. Channels `8 t` to `8 t + 7` hold the eight
        components of type t at one position. So the channel axis is split first and
        its inner half moved last; a plain reshape mixes positions, as in networks
        whose config has the mistake `view`.
        """
        channels = self.convolution(maps)
        if self.is_cut_by_view:
            _, _, rows, columns = channels.shape
            return channels.reshape(len(maps), self.types, rows, columns, self.dim)
        grouped = channels.unflatten(1, (self.types, self.dim))
        return grouped.permute(0, 1, 3, 4, 2)


class DigitCapsules(nn.Module):
    """The transforms W_ij with which each primary capsule votes (eq. 2)."""

    def __init__(self, config: CapsNetConfig) -> None:
        super().__init__()
        self.transforms = nn.Parameter(
            TRANSFORM_STD
            * torch.randn(
                config.primary_capsules,
                config.classes,
                config.digit_dim,
                config.primary_dim,
            )
        )

    def forward(self, primary: Tensor) -> Votes:
        """Return the votes of primary capsules (batch, in_caps, in_dim)."""
        return Votes(primary, self.transforms)
