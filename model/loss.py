"""What CapsNet is trained to minimise."""

import torch.nn.functional as F
from torch import Tensor

from model.config import LossConfig


def margin_loss(lengths: Tensor, labels: Tensor, config: LossConfig) -> Tensor:
    """Ask for long capsules of present classes and short ones of absent (eq. 4).

    Args:
        lengths: (batch, classes), each in [0, 1).
        labels: (batch,) int64 class indices.
        config: margins and weights.

    Returns:
        Scalar: summed over classes, averaged over the batch.
    """
    present = F.one_hot(labels, num_classes=lengths.shape[1]).to(lengths.dtype)
    too_short = F.relu(config.present_margin - lengths).square()
    too_long = F.relu(lengths - config.absent_margin).square()
    per_class = present * too_short + config.absent_weight * (1 - present) * too_long
    return per_class.sum(dim=1).mean()


def reconstruction_loss(
    reconstruction: Tensor, images: Tensor, config: LossConfig
) -> Tensor:
    """Return the weighted sum of squared pixel differences (section 4.1).

    Args:
        reconstruction: (batch, rows, columns) in [0, 1].
        images: same shape and range.
        config: the weight.

    Returns:
        Scalar: summed over pixels, averaged over the batch.
    """
    per_image = (reconstruction - images).square().flatten(1).sum(dim=1)
    return config.reconstruction_weight * per_image.mean()
