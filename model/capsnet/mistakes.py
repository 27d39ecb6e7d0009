"""The field's famous mistakes, made on purpose: each is a switch of a run's recipe.

Public implementations of capsule networks have made every one of them. A network that
makes one differs from the right one in a single place, so two runs from one seed show
what it does. The sizes name the mistake, so a weight file's card does, and whoever
loads the file gets the same network again.
"""

from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.layers import PrimaryCapsules
from capsnet_explorer.model.capsnet.network import CapsNet, Trace
from capsnet_explorer.model.layers.dynamic import shares_among_capsules
from capsnet_explorer.model.layers.squash import EPSILON
from capsnet_explorer.model.margin_loss import MarginLoss

BRIGHTEST = 255  # the largest value of a byte


def capsnet(config: CapsNetConfig) -> CapsNet:
    """Return a CapsNet of these sizes with random weights, and with its mistake."""
    return NETWORKS.get(config.mistake, CapsNet)(config)


class SoftmaxOverCapsules(CapsNet):
    """Each class divides itself among the primary capsules."""

    shares = staticmethod(shares_among_capsules)


class ViewedCapsules(PrimaryCapsules):
    """A capsule is eight numbers that are adjacent in memory.

    These are the values of one channel at eight positions, where they should be those
    of eight channels at one position.
    """

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, kernels, rows, columns) to (batch, types, rows, columns, dim)."""
        channels = self.convolution(maps)
        _, _, rows, columns = channels.shape
        return channels.reshape(len(maps), self.types, rows, columns, self.dim)


class ViewForPermute(CapsNet):
    """PrimaryCaps without the permute that brings a capsule's numbers together."""

    primary_layer = ViewedCapsules


def squash_beside_root(vectors: Tensor) -> Tensor:
    """Squash with ε beside the root: the gradient at a vector of zeros is no number."""
    squared_length = vectors.square().sum(dim=-1, keepdim=True)
    length = squared_length.sqrt() + EPSILON
    return vectors * (squared_length / (1 + squared_length) / length)


class EpsilonBesideRoot(CapsNet):
    """Capsules squashed without ε under the root.

    Biases start at zero, as they do in many libraries. So where the ground fills all
    that a capsule sees, it is a vector of zeros, and the first step's gradient is no
    number. That takes kernels smaller than the paper's: with 9 x 9, every capsule sees
    some ink of nearly every digit.
    """

    squash = staticmethod(squash_beside_root)

    def __init__(self, config: CapsNetConfig) -> None:
        super().__init__(config)
        for name in ("conv1.bias", "primary.convolution.bias"):
            nn.init.zeros_(self.get_parameter(name))


class GradientsThroughAll(CapsNet):
    """Gradients flow through every iteration of routing, where the last is enough."""

    def forward(self, images: Tensor, **asked: Any) -> Trace:
        """Run the network and keep every layer's output."""
        if self.training:
            asked["through_all"] = True
        return super().forward(images, **asked)


class OneIterationTooMany(CapsNet):
    """Routing that goes round once more than it is asked to."""

    def forward(
        self, images: Tensor, *, iterations: int | None = None, **asked: Any
    ) -> Trace:
        """Run the network and keep every layer's output."""
        wanted = self.config.routing_iterations if iterations is None else iterations
        return super().forward(images, iterations=wanted + 1, **asked)


class FedWithBytes(CapsNet):
    """Trained on pixels from 0 to 1, and then fed with pixels from 0 to 255."""

    def forward(self, images: Tensor, **asked: Any) -> Trace:
        """Run the network and keep every layer's output."""
        fed = images if self.training else BRIGHTEST * images
        return super().forward(fed, **asked)


class UnmaskedInTraining(CapsNet):
    """Trained with a decoder that is given the capsules of all classes.

    Afterwards it is given one capsule, all others masked to zero, as it should be.
    """

    def forward(
        self, images: Tensor, *, keep: Tensor | None = None, **asked: Any
    ) -> Trace:
        """Run the network and keep every layer's output."""
        if self.training:
            if keep is None or keep.ndim == 1:
                keep = images.new_zeros(len(images), self.config.classes)
            keep = torch.ones_like(keep)
        return super().forward(images, keep=keep, **asked)


# `unsquared` is no network's, but the objective's.
NETWORKS: dict[str, type[CapsNet]] = {
    "axis": SoftmaxOverCapsules,
    "view": ViewForPermute,
    "root": EpsilonBesideRoot,
    "gradients": GradientsThroughAll,
    "iteration": OneIterationTooMany,
    "bytes": FedWithBytes,
    "mask": UnmaskedInTraining,
}


def unsquared(lengths: Tensor, present: Tensor, config: MarginLoss) -> Tensor:
    """Return the margin loss with its two distances as they are: (batch,).

    Args:
        lengths: (batch, classes), each in [0, 1).
        present: (batch, classes), 1 for each class present, else 0.
        config: margins and weights.
    """
    too_short = (config.present_margin - lengths).relu()
    too_long = (lengths - config.absent_margin).relu()
    absent = config.absent_weight * (1 - present)
    return torch.where(present > 0, too_short, absent * too_long).sum(dim=1)
