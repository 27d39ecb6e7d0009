"""Cross entropy, the loss of a CNN."""

import torch.nn.functional as F
from torch import Tensor

from model.cnn.config import LossConfig


def cross_entropy(logits: Tensor, labels: Tensor, config: LossConfig) -> Tensor:
    """Return the cross entropy of each image, in nats: (batch,).

    Args:
        logits: (batch, classes).
        labels: (batch,) int64.
        config: the loss's settings.
    """
    return F.cross_entropy(
        logits, labels, label_smoothing=config.label_smoothing, reduction="none"
    )
