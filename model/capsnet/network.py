"""The CapsNet, and the trace of one forward pass through it."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Network
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.layers import DigitCapsules, PrimaryCapsules
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.layers.dynamic import (
    RoutingStep,
    Votes,
    routing_steps,
    shares_among_capsules,
    shares_beside_none,
    shares_of_each,
)
from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.layers.surgery import Surgery


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one forward pass computed. Batch first.

    Attributes:
        conv1_pre: (batch, kernels, rows, columns), before ReLU.
        conv1_relu: same shape, after ReLU.
        primary_pre: (batch, types, rows, columns, primary_dim), before squash.
        primary_capsules: same shape, after squash; the paper's u_i.
        votes: û_j|i, computed when read; those of silenced capsules are zero.
        steps: every iteration of routing, in order.
        capsules: v_j of the last iteration, (batch, classes, digit_dim).
        lengths: ‖v_j‖ (batch, classes) in [0, 1): presence, not a distribution.
        reconstruction: (batch, channels, rows, columns) in [0, 1]; with an axis for
            the pictures after the first, if `keep` asked for several.
    """

    conv1_pre: Tensor
    conv1_relu: Tensor
    primary_pre: Tensor
    primary_capsules: Tensor
    votes: Votes
    steps: tuple[RoutingStep, ...]
    capsules: Tensor
    lengths: Tensor
    reconstruction: Tensor

    @property
    def scores(self) -> Tensor:
        """The lengths, under the name that all networks share."""
        return self.lengths

    @property
    def poses(self) -> Tensor:
        """The digit capsules, under the name that all networks share."""
        return self.capsules


class CapsNet(Network):
    """The network of Sabour, Frosst & Hinton 2017, section 4."""

    def __init__(self, config: CapsNetConfig | None = None) -> None:
        super().__init__()
        self.config: CapsNetConfig = config or CapsNetConfig()
        self.conv1 = nn.Conv2d(
            self.config.image_channels,
            self.config.conv1_kernels,
            self.config.kernel_size,
        )
        self.primary = PrimaryCapsules(self.config)
        self.digits = DigitCapsules(self.config)
        self.decoder = Decoder(
            classes=self.config.classes,
            dim=self.config.digit_dim,
            hidden=self.config.decoder_hidden,
            image_shape=self.config.image_shape,
        )

    @property
    def _shares(self) -> Callable[[Tensor], Tensor]:
        """What makes couplings of logits."""
        if self.config.has_none:
            return shares_beside_none
        return (
            shares_among_capsules if self.config.mistake == "axis" else shares_of_each
        )

    def forward(
        self,
        images: Tensor,
        *,
        iterations: int | None = None,
        keep: Tensor | None = None,
        surgery: Surgery | None = None,
        through_all: bool = False,
    ) -> Trace:
        """Run the network and keep every layer's output.

        Training reads `lengths` and `reconstruction`; the visualizer reads the rest of
        the same pass.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            iterations: of routing; None takes the config's number.
            keep: (batch,) int64, the class to reconstruct from, or (batch, classes),
                1 for each of several and 0 for the others, or (batch, pictures,
                classes) for several reconstructions; None takes the longest capsule's.
            surgery: interventions in routing.
            through_all: whether gradients flow through every iteration of routing.

        Raises:
            ValueError: the images have another size, or iterations are below 1.
        """
        self.require_size(images)
        conv1_pre = self.conv1(images)
        conv1_relu = conv1_pre.relu()
        # Under autocast, squash and the routing logits, both sums, stay in float32.
        primary_pre = self.primary(conv1_relu).float()
        primary_capsules = squash(primary_pre)
        below = primary_capsules.flatten(1, 3)
        votes = self.digits(surgery.silence(below) if surgery else below)
        if iterations is None:
            iterations = int(self.config.routing_iterations)
        steps = tuple(
            routing_steps(
                votes, iterations, surgery, through_all=through_all, shares=self._shares
            )
        )
        capsules = steps[-1].capsules
        lengths = torch.linalg.vector_norm(capsules, dim=2)
        if keep is None:
            keep = lengths.argmax(dim=1)
        return Trace(
            conv1_pre=conv1_pre,
            conv1_relu=conv1_relu,
            primary_pre=primary_pre,
            primary_capsules=primary_capsules,
            votes=votes,
            steps=steps,
            capsules=capsules,
            lengths=lengths,
            reconstruction=self.decoder(capsules, keep).float(),
        )
