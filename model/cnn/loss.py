"""Cross entropy, the loss of a CNN."""

import torch.nn.functional as F
from torch import Tensor

from model.cnn.config import LossConfig


def cross_entropy(logits: Tensor, present: Tensor, config: LossConfig) -> Tensor:
    """Return the cross entropy of each image, in nats: (batch,).

    The probabilities sum to 1, so the target shares 1 among the classes present. An
    image without any costs nothing.

    Args:
        logits: (batch, classes).
        present: (batch, classes), 1 for each class present, else 0.
        config: the loss's settings.
    """
    shares = present / present.sum(dim=1, keepdim=True).clamp(min=1)
    return F.cross_entropy(
        logits,
        shares.to(logits.dtype),
        label_smoothing=config.label_smoothing,
        reduction="none",
    )
