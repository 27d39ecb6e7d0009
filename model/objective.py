"""What a training step minimises, as one module: network and losses together."""

import torch
from torch import Tensor, nn

from model.capsnet import CapsNet
from model.config import LossConfig
from model.loss import margin_loss, reconstruction_loss


class Objective(nn.Module):
    """A network's losses on labelled images.

    Args:
        network: what is trained.
        loss: margins and weights.
        bfloat16: whether products are computed in bfloat16 (autocast).
    """

    def __init__(self, network: CapsNet, loss: LossConfig, *, bfloat16: bool) -> None:
        super().__init__()
        self.network = network
        self.loss = loss
        self.is_halved = bfloat16

    def forward(self, images: Tensor, labels: Tensor) -> Tensor:
        """Return three means: margin loss, weighted reconstruction loss, share right.

        Args:
            images: (batch, rows, columns) in [0, 1].
            labels: (batch,) int64.
        """
        kind = images.device.type
        with torch.autocast(kind, torch.bfloat16, enabled=self.is_halved):
            trace = self.network(images, keep=labels)
        right = (trace.lengths.argmax(dim=1) == labels).float().mean()
        return torch.stack(
            [
                margin_loss(trace.lengths, labels, self.loss),
                reconstruction_loss(trace.reconstruction, images, self.loss),
                right,
            ]
        )
