"""Cross entropy, the loss of a CNN."""

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.cnn.config import LossConfig


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


def binary_cross_entropy(logits: Tensor, present: Tensor, config: LossConfig) -> Tensor:
    """Return the sum of the classes' cross entropies for each image, in nats: (batch,).

    Each class is present or not, whatever the others are.

    Args:
        logits: (batch, classes).
        present: (batch, classes), 1 for each class present, else 0.
        config: the loss's settings; labels are smoothed towards a half.
    """
    target = torch.lerp(
        present.to(logits.dtype), torch.full_like(logits, 0.5), config.label_smoothing
    )
    return F.binary_cross_entropy_with_logits(logits, target, reduction="none").sum(1)
