"""The training objective as one module: network and losses together."""

from typing import Any

import torch
from torch import Tensor, nn

from model.architecture import Architecture, Network


class Objective(nn.Module):
    """A network's losses on labelled images.

    Args:
        architecture: the network's, which provides the losses.
        network: the network to train.
        loss: an instance of `architecture.settings.loss`.
        bfloat16: whether autocast computes products in bfloat16.
    """

    def __init__(
        self, architecture: Architecture, network: Network, loss: Any, *, bfloat16: bool
    ) -> None:
        super().__init__()
        self.architecture = architecture
        self.network = network
        self.loss = loss
        self.is_autocast = bfloat16

    def forward(
        self,
        images: Tensor,
        labels: Tensor,
        progress: float = 1.0,
        *,
        clean: Tensor | None = None,
    ) -> Tensor:
        """Return a step's means over its images: (4 + further figures,).

        They are the loss of classification, that of reconstruction, that of the
        architecture's further terms, the accuracy, and the figures that
        `architecture.logged` names. The second and third loss are weighted.

        Args:
            images: (batch, rows, columns) in [0, 1].
            labels: (batch,) int64.
            progress: share of the run that is done, in [0, 1].
            clean: same shape as `images`; the images to reconstruct; None takes
                `images`.
        """
        kind = images.device.type
        target = images if clean is None else clean
        with torch.autocast(kind, torch.bfloat16, enabled=self.is_autocast):
            trace = self.network(images, keep=labels)
        right = (trace.scores.argmax(dim=1) == labels).float().mean()
        loss = self.architecture.loss_at(self.loss, progress)
        losses = [
            self.architecture.class_loss(trace, labels, loss).mean(),
            self.architecture.reconstruction_loss(trace, target, loss),
            self.architecture.further_loss(self.network, trace, labels, loss),
        ]
        with torch.no_grad():
            figures = self.architecture.logged_figures(trace, labels)
        return torch.cat([torch.stack([*losses, right]), figures])
