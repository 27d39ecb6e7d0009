"""The layers of an Efficient-CapsNet that PyTorch lacks, bottom to top."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from capsnet_explorer.model.batch_norm import BatchNorm
from capsnet_explorer.model.efficient.config import EfficientConfig
from capsnet_explorer.model.layers.attention import AttentionStep, attend
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.settings import Shape


@dataclass(frozen=True, slots=True)
class Maps:
    """What one convolution computes. Batch first, (batch, maps, rows, columns).

    Attributes:
        pre: before ReLU.
        relu: after ReLU.
        out: after batch norm, which follows ReLU here (section 3.1).
    """

    pre: Tensor
    relu: Tensor
    out: Tensor


class Convolution(nn.Module):
    """A convolution without padding, ReLU, then batch norm (section 3.1).

    Args:
        channels: maps below.
        kernels: maps above.
        side: of the square kernels.
        stride: of the convolution.
    """

    def __init__(self, channels: int, kernels: int, side: int, stride: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(channels, kernels, side, stride=stride)
        nn.init.kaiming_normal_(self.convolution.weight, nonlinearity="relu")
        nn.init.zeros_(self.convolution.bias)  # pyright: ignore[reportArgumentType]
        self.norm = BatchNorm(kernels)

    def forward(self, below: Tensor) -> Maps:
        """Map (batch, channels, rows, columns) to maps."""
        pre = self.convolution(below)
        relu = pre.relu()
        return Maps(pre, relu, self.norm(relu))


class PrimaryCapsules(nn.Module):
    """A depthwise convolution as large as the maps (section 3.1).

    Each map gets a kernel of its own, which covers the map and makes one number of it;
    eight numbers make a capsule.

    Args:
        maps: number, rows and columns of the maps below.
        dim: numbers of a capsule.
    """

    def __init__(self, maps: Shape, dim: int) -> None:
        super().__init__()
        self.dim = dim
        count, rows, columns = maps
        bound = 1 / math.sqrt(rows * columns)
        self.kernels = nn.Parameter(torch.empty(maps).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(count))

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, maps, rows, columns) to capsules before squash.

        With one place for a kernel, the convolution is a product with the map and a
        sum.

        Returns:
            (batch, capsules, dim); maps 8 i to 8 i + 7 make capsule i.
        """
        numbers = (maps * self.kernels).sum(dim=(2, 3)) + self.bias
        return numbers.unflatten(1, (-1, self.dim))


class ClassCapsules(nn.Module):
    """Votes, self-attention routing and squash (section 3.2)."""

    def __init__(self, config: EfficientConfig) -> None:
        super().__init__()
        below, classes = config.primary_capsules, config.classes
        # The paper names no initialisation; that of the authors' code, He's, counts the
        # classes among a vote's inputs.
        deviation = math.sqrt(2 / (classes * config.primary_dim))
        self.transforms = nn.Parameter(
            deviation
            * torch.randn(below, classes, config.class_dim, config.primary_dim)
        )
        self.prior = nn.Parameter(torch.zeros(below, classes))
        self.scale = math.sqrt(config.primary_dim)

    def forward(self, primary: Tensor, surgery: Surgery | None = None) -> AttentionStep:
        """Route primary capsules (batch, in_caps, in_dim) to the classes.

        Args:
            primary: after squash.
            surgery: interventions, as in `attend`; a silenced capsule is zero before it
                votes.
        """
        if surgery:
            primary = surgery.silence(primary)
        # û_in = W_in u_i (eq. 4)
        votes = torch.einsum("bid,ined->bine", primary, self.transforms)
        return attend(votes, self.prior, self.scale, surgery)
