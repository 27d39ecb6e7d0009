"""What an attack raises or lowers, and its gradient with respect to each pixel."""

from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.presence import multi_hot


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
        images: (count, channels, rows, columns).
        labels: (count,) int64.
        loss: an instance of `settings.loss`, to return the classification loss; None
            returns the gap, the largest other class's evidence less the label's.
        through_all: whether gradients flow through every iteration of routing.

    Returns:
        Values (count,), and gradients of the images' shape.
    """
    present = multi_hot(labels, network.config.classes).to(images.device)

    pixels = images.detach().clone().requires_grad_()
    with torch.enable_grad():
        trace = architecture.trace_with_gradient(
            network, pixels, through_all=through_all
        )
        values = (
            _gap(architecture.evidence(trace), labels)
            if loss is None
            else architecture.class_loss(trace, present, loss)
        )
        # Images do not touch each other: the sum's gradient is each one's own.
        (gradients,) = torch.autograd.grad(values.sum(), pixels)
    return values.detach(), gradients


def _gap(evidence: Tensor, labels: Tensor) -> Tensor:
    """Return the largest other class's evidence less the label's: (count,)."""
    is_own = torch.nn.functional.one_hot(labels, evidence.shape[1]).bool()
    rival = evidence.masked_fill(is_own, -torch.inf).amax(dim=1)
    return rival - evidence.gather(1, labels[:, None])[:, 0]
