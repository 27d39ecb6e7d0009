"""Margin loss and reconstruction loss, the two terms of a CapsNet's objective."""

import torch.nn.functional as F
from torch import Tensor

from model.capsnet.config import LossConfig


def margin_losses(lengths: Tensor, present: Tensor, config: LossConfig) -> Tensor:
    """Penalise short capsules of present classes and long ones of absent (eq. 4).

    Args:
        lengths: (batch, classes), each in [0, 1).
        present: (batch, classes), T_k: 1 for each class present, else 0.
        config: margins and weights.

    Returns:
        (batch,), summed over classes.
    """
    present = present.to(lengths.dtype)
    too_short = F.relu(config.present_margin - lengths).square()
    too_long = F.relu(lengths - config.absent_margin).square()
    per_class = present * too_short + config.absent_weight * (1 - present) * too_long
    return per_class.sum(dim=1)


def reconstruction_loss(
    reconstruction: Tensor, images: Tensor, config: LossConfig
) -> Tensor:
    """Return the weighted sum of squared pixel differences (section 4.1).

    Args:
        reconstruction: (batch, channels, rows, columns) in [0, 1].
        images: same shape and range.
        config: holds the weight.

    Returns:
        A scalar, summed over pixels and averaged over the batch.
    """
    per_image = (reconstruction - images).square().flatten(1).sum(dim=1)
    return config.reconstruction_weight * per_image.mean()
