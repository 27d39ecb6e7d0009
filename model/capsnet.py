"""CapsNet, wired, and the trace of one forward pass through it."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.config import CapsNetConfig
from model.layers import Decoder, DigitCapsules, PrimaryCapsules
from model.routing import RoutingStep, Votes, routing_steps, squash
from model.surgery import Surgery


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one forward pass computed. Batch first.

    Attributes:
        conv1_pre: (batch, kernels, rows, columns), before ReLU.
        conv1_relu: same shape, after ReLU.
        primary_pre: (batch, types, rows, columns, primary_dim), before squash.
        primary_capsules: same shape, after squash; the paper's u_i.
        votes: û_j|i, formed when read; those of silenced capsules are zero.
        steps: every iteration of routing, the first one first.
        capsules: v_j of the last iteration, (batch, classes, digit_dim).
        lengths: ‖v_j‖ (batch, classes) in [0, 1): presence, not a distribution.
        reconstruction: (batch, rows, columns) in [0, 1].
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


class CapsNet(nn.Module):
    """The network of Sabour, Frosst & Hinton 2017, section 4.

    Args:
        config: every size.
    """

    def __init__(self, config: CapsNetConfig | None = None) -> None:
        super().__init__()
        self.config = config or CapsNetConfig()
        self.conv1 = nn.Conv2d(1, self.config.conv1_kernels, self.config.kernel_size)
        self.primary = PrimaryCapsules(self.config)
        self.digits = DigitCapsules(self.config)
        self.decoder = Decoder(self.config)

    def forward(
        self,
        images: Tensor,
        *,
        iterations: int | None = None,
        keep: Tensor | None = None,
        surgery: Surgery | None = None,
    ) -> Trace:
        """Run the network and keep what each layer did.

        Training reads `lengths` and `reconstruction`; the visualizer reads the rest of
        the same pass.

        Args:
            images: (batch, rows, columns), ink 1 on ground 0.
            iterations: of routing; the config's if None.
            keep: (batch,) int64, the class to reconstruct from; the longest if None.
            surgery: interventions in routing.

        Raises:
            ValueError: images of another size, or iterations below 1.
        """
        size = self.config.image_size
        if images.ndim != 3 or images.shape[1:] != (size, size):
            raise ValueError(
                f"images must be (batch, {size}, {size}), got {tuple(images.shape)}"
            )
        conv1_pre = self.conv1(images[:, None])
        conv1_relu = conv1_pre.relu()
        # Under autocast, squash and routing's logits, which are sums, stay in float32.
        primary_pre = self.primary(conv1_relu).float()
        primary_capsules = squash(primary_pre)
        below = primary_capsules.flatten(1, 3)
        votes = self.digits(surgery.heard(below) if surgery else below)
        if iterations is None:
            iterations = self.config.routing_iterations
        steps = tuple(routing_steps(votes, iterations, surgery))
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

    @property
    def parameter_count(self) -> int:
        """Trained numbers, decoder included: 8 215 568 for the paper's sizes."""
        return sum(parameter.numel() for parameter in self.parameters())
