"""What an attack raises or lowers, and its gradient with respect to each pixel."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.doubts import error
from capsnet_explorer.perturbations.attack import Loss


class Slopes(NamedTuple):
    """A loss of each image, and its gradient.

    Attributes:
        values: (count,).
        gradients: of the images' shape.
        gaps: (count,), above 0 where the label is not what the network reads.
    """

    values: Tensor
    gradients: Tensor
    gaps: Tensor


def slopes(
    architecture: Architecture,
    network: Network,
    images: Tensor,
    labels: Tensor,
    *,
    of: Loss = "gap",
    trained: Any = None,
    through_all: bool = True,
) -> Slopes:
    """Return a loss of each image, and its gradient.

    Args:
        architecture: the network's.
        network: the readable one.
        images: (count, channels, rows, columns).
        labels: (count,) int64.
        of: the loss.
        trained: an instance of `settings.loss`: what `trained` means; None for the
            architecture's own.
        through_all: whether gradients flow through every iteration of routing.
    """

    def value(trace: Any, _pixels: Tensor, gaps: Tensor) -> Tensor:
        return (
            gaps if of == "gap" else loss_of(architecture, trace, labels, of, trained)
        )

    return _slopes(architecture, network, images, labels, value, through_all)


def loss_of(
    architecture: Architecture,
    trace: Any,
    labels: Tensor,
    of: Loss,
    trained: Any = None,
) -> Tensor:
    """Return a loss of each image of a trace: (count,). See `slopes`."""
    if of == "scores":
        return gap(trace.scores, labels)
    evidence = architecture.evidence(trace)
    if of == "gap":
        return gap(evidence, labels)
    if of == "entropy":
        return F.cross_entropy(evidence, labels, reduction="none")
    present = one_of(labels, evidence.shape[1]).float()
    return architecture.class_loss(
        trace, present, trained or architecture.settings.loss()
    )


def unnoticed_slopes(
    architecture: Architecture,
    network: Network,
    images: Tensor,
    labels: Tensor,
    threshold: float,
) -> Slopes:
    """Return what an attacker raises who knows of an alarm, and its gradient.

    It is the smaller of two margins: the gap, and what the reconstruction's error may
    still grow until there is an alarm, as a share of the threshold. Above 0, the image
    is misread without an alarm.

    Args:
        architecture: the network's, with a decoder.
        network: the readable one.
        images: (count, channels, rows, columns).
        labels: (count,) int64.
        threshold: the error above which there is an alarm.
    """

    def value(trace: Any, pixels: Tensor, gaps: Tensor) -> Tensor:
        errors = error(pixels, trace.reconstruction, trace.scores)
        return torch.minimum(gaps, 1 - errors / threshold)

    return _slopes(architecture, network, images, labels, value, through_all=True)


def gap(evidence: Tensor, labels: Tensor) -> Tensor:
    """Return the largest other class's evidence less the label's: (count,)."""
    is_own = one_of(labels, evidence.shape[1])
    rival = evidence.masked_fill(is_own, -torch.inf).amax(dim=1)
    return rival - evidence.gather(1, labels[:, None])[:, 0]


def one_of(labels: Tensor, classes: int) -> Tensor:
    """Return which class each label is: (count, classes) bool."""
    return torch.arange(classes, device=labels.device) == labels[:, None]


def _slopes(
    architecture: Architecture,
    network: Network,
    images: Tensor,
    labels: Tensor,
    value: Callable[[Any, Tensor, Tensor], Tensor],
    through_all: bool,
) -> Slopes:
    """Return the slopes of a value of trace, images and gaps: (count,)."""
    pixels = images.detach().clone().requires_grad_()
    with torch.enable_grad():
        trace = architecture.trace_with_gradient(
            network, pixels, through_all=through_all
        )
        gaps = gap(architecture.evidence(trace), labels)
        values = value(trace, pixels, gaps)
        # Images do not touch each other: the sum's gradient is each one's own.
        (gradients,) = torch.autograd.grad(values.sum(), pixels)
    return Slopes(values.detach(), gradients, gaps.detach())
