"""Spread loss (section 3, eq. 3)."""

import torch.nn.functional as F
from torch import Tensor


def spread_losses(activations: Tensor, labels: Tensor, margin: float) -> Tensor:
    """Penalise each wrong class whose activation comes within a margin (eq. 3).

    Args:
        activations: (batch, classes), each in [0, 1].
        labels: (batch,) int64.
        margin: by which the right class's activation shall exceed all others.

    Returns:
        (batch,), Σ max(0, margin - (a_t - a_i))² over the wrong classes i.
    """
    right = activations.gather(1, labels[:, None])
    short = F.relu(margin - (right - activations)).square()
    # The right class's own term is margin², whatever its activation.
    return short.sum(dim=1) - margin**2
