"""Spread loss (section 3, eq. 3)."""

import torch
import torch.nn.functional as F
from torch import Tensor


def spread_losses(activations: Tensor, present: Tensor, margin: float) -> Tensor:
    """Penalise each absent class whose activation comes within a margin (eq. 3).

    The paper has one class in an image. Of several, the least active counts; where none
    is present, activations are held against 1.

    Args:
        activations: (batch, classes), each in [0, 1].
        present: (batch, classes), 1 for each class present, else 0.
        margin: by which a present class's activation shall exceed all absent ones.

    Returns:
        (batch,), Σ max(0, margin - (a_t - a_i))² over the absent classes i.
    """
    is_present = present > 0
    is_shown = is_present.any(dim=1)
    least = activations.masked_fill(~is_present, torch.inf).argmin(dim=1, keepdim=True)
    right = activations.gather(1, least).where(is_shown[:, None], 1.0)
    short = F.relu(margin - (right - activations)).square()
    others = is_present.scatter(1, least, False)
    # The class's own term is margin², whatever its activation.
    return short.masked_fill(others, 0).sum(dim=1) - is_shown * margin**2
