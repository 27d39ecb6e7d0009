"""The layers of an Efficient-CapsNet that PyTorch lacks, bottom to top."""

import math
from dataclasses import dataclass

import torch
from capsnet_explorer.model.batch_norm import BatchNorm
from capsnet_explorer.model.efficient.config import EfficientConfig
from capsnet_explorer.model.settings import Shape
from capsnet_explorer.model.surgery.changes import Surgery
from torch import Tensor, nn

EPSILON = 1e-8


def squash(vectors: Tensor) -> Tensor:
    """Keep each vector's direction and set its length n to 1 - e^-n (eq. 2).

    Short vectors keep their length more than under the squash of Sabour et al. 2017,
    n²/(1+n²), and the gradient does not vanish at zero.

    Args:
        vectors: (..., dim). A zero vector stays zero.

    Returns:
        Same shape as `vectors`.
    """
    # EPSILON goes under the root: the gradient of sqrt(0) is infinite.
    length = (vectors.square().sum(dim=-1, keepdim=True) + EPSILON).sqrt()
    return vectors * (-torch.expm1(-length) / length)


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


@dataclass(frozen=True, slots=True)
class AttentionStep:
    """How attention routed the votes. Batch first.

    Attributes:
        votes: û_n (batch, in_caps, classes, dim).
        agreement: (batch, in_caps, classes), each vote's dot product with the sum of
            all votes for that class, over √d: the sum of `attention` over its second
            axis of capsules.
        shares: (batch, in_caps, classes), softmax of the agreement over the classes.
        couplings: the same plus the log prior; what weighs the votes.
        capsules: v (batch, classes, dim), each shorter than 1.
        scale: √d, the square root of a primary capsule's numbers.
    """

    votes: Tensor
    agreement: Tensor
    shares: Tensor
    couplings: Tensor
    capsules: Tensor
    scale: float

    @property
    def attention(self) -> Tensor:
        """A (eq. 5): û_in · û_jn / √d, as (batch, in_caps, in_caps, classes)."""
        by_class = self.votes.transpose(1, 2)
        return (by_class @ by_class.mT).movedim(1, 3) / self.scale


class ClassCapsules(nn.Module):
    """Votes, self-attention routing and squash (section 3.2).

    Args:
        config: the network's sizes.
    """

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
            surgery: interventions: a silenced capsule is zero before it votes; uniform
                couplings ignore agreement and keep the prior; a held coupling is held
                as it is, without the prior.
        """
        if surgery:
            primary = surgery.silence(primary)
        # û_in = W_in u_i (eq. 4)
        votes = torch.einsum("bid,ined->bine", primary, self.transforms)
        # Eq. 5 and the sum in eq. 6: Σ_j û_in · û_jn = û_in · Σ_j û_jn.
        agreement = (votes * votes.sum(dim=1, keepdim=True)).sum(dim=3) / self.scale
        shares, couplings = self._couplings(agreement, surgery)
        # s_n = Σ_i (c_in + b_in) û_in (eq. 7)
        capsules = squash((votes * couplings[..., None]).sum(dim=1))
        return AttentionStep(votes, agreement, shares, couplings, capsules, self.scale)

    def _couplings(
        self, agreement: Tensor, surgery: Surgery | None
    ) -> tuple[Tensor, Tensor]:
        """Return the softmax over classes (eq. 6), and the same plus the prior."""
        if surgery is None:
            shares = agreement.softmax(dim=2)
            return shares, shares + self.prior
        free = surgery.mask_held(surgery.logit_gain(agreement)).softmax(dim=2)
        shares = surgery.insert_held(free)
        is_held = ~surgery.held.isnan()
        return shares, torch.where(is_held, shares, shares + self.prior)
