"""What an attack raises, and its gradient with respect to each pixel."""

from typing import Any

import torch
from torch import Tensor

from model.architecture import Architecture, Network


def slopes(
    architecture: Architecture,
    network: Network,
    images: Tensor,
    labels: Tensor,
    *,
    loss: Any = None,
    through_all: bool = True,
) -> tuple[Tensor, Tensor]:
    """Return each image's gap or loss, and its gradient.

    Args:
        architecture: the network's.
        network: the readable one.
        images: (count, rows, columns).
        labels: (count,) int64.
        loss: an instance of `settings.loss`, to return the classification loss; None
            returns the gap, the largest other class's evidence less the label's.
        through_all: whether gradients flow through every iteration of routing.

    Returns:
        Values (count,), and gradients (count, rows, columns).
    """
    pixels = images.detach().clone().requires_grad_()
    with torch.enable_grad():
        trace = architecture.trace_with_gradient(
            network, pixels, through_all=through_all
        )
        if loss is None:
            values = _gap(architecture.evidence(trace), labels)
        else:
            values = architecture.class_loss(trace, labels, loss)
        # Images do not touch each other: the sum's gradient is each one's own.
        (gradients,) = torch.autograd.grad(values.sum(), pixels)
    return values.detach(), gradients


def _gap(evidence: Tensor, labels: Tensor) -> Tensor:
    """Return the largest other class's evidence less the label's: (count,)."""
    is_own = torch.nn.functional.one_hot(labels, evidence.shape[1]).bool()
    rival = evidence.masked_fill(is_own, -torch.inf).amax(dim=1)
    return rival - evidence.gather(1, labels[:, None])[:, 0]
