"""The training objective as one module: network and losses together."""

from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.presence import outrank


class Objective(nn.Module):
    """A network's losses on labelled images.

    Args:
        architecture: the network's, which provides the losses.
        network: the network to train.
        loss: an instance of `architecture.settings.loss`.
        bfloat16: whether autocast computes products in bfloat16.
    """

    def __init__(
        self,
        architecture: Architecture,
        network: Network,
        loss: Any,
        *,
        bfloat16: bool,
    ) -> None:
        super().__init__()
        self.architecture = architecture
        self.network = network
        self.loss = loss
        self.is_autocast = bfloat16

    def forward(
        self,
        images: Tensor,
        present: Tensor,
        progress: float = 1.0,
        *,
        clean: Tensor | None = None,
        keep: Tensor | None = None,
    ) -> Tensor:
        """Return a step's means over its images: (4 + further figures,).

        They are the loss of classification, that of reconstruction, that of the
        architecture's further terms, the share of images whose classes have the highest
        scores, and the figures that `architecture.logged` names. The second and third
        loss are weighted.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            present: (batch, classes), 1 for each class present, else 0.
            progress: share of the run that is done, in [0, 1].
            clean: what to reconstruct, see `Batch`; None takes `images`.
            keep: (batch, pictures, classes), the class in each of several pictures to
                reconstruct, each decoded from its own capsule alone; a picture without
                a class costs nothing. None decodes all classes present into one.
        """
        kind = images.device.type
        target = images if clean is None else clean
        with torch.autocast(kind, torch.bfloat16, enabled=self.is_autocast):
            trace = self.network(images, keep=present if keep is None else keep)
        if keep is not None and trace.reconstruction is not None:
            is_there = keep.any(dim=2)[:, :, None, None, None]
            target = target.where(is_there, trace.reconstruction.detach())
        right = outrank(trace.scores, present).float().mean()
        loss = self.architecture.loss_at(self.loss, progress)
        losses = [
            self.architecture.class_loss(trace, present, loss).mean(),
            self.architecture.reconstruction_loss(trace, target, loss),
            self.architecture.further_loss(self.network, trace, present, loss),
        ]
        with torch.no_grad():
            figures = self.architecture.logged_figures(trace, present)
        return torch.cat([torch.stack([*losses, right]), figures])
