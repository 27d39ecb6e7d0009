"""Margin loss and reconstruction loss, the objective of capsules with lengths.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules", sections 3 and
4.1. Cross entropy can take the margin loss's place. Settings import this file, so it
does not import torch.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


CLASS_LOSSES = ("margin", "cross_entropy")
LENGTH_SCALE = 10.0  # makes logits of lengths, see `length_cross_entropy`


def require_class_loss(name: str) -> None:
    """Refuse a loss of the classes that is none of those known.

    Raises:
        ValueError: says which there are.
    """
    if name not in CLASS_LOSSES:
        raise ValueError(
            f"class_loss must be one of {', '.join(CLASS_LOSSES)}, got {name!r}"
        )


@dataclass(frozen=True, slots=True)
class MarginLoss:
    """Settings of margin loss (eq. 4) plus reconstruction loss (section 4.1).

    Attributes:
        class_loss: of `CLASS_LOSSES`; cross entropy has no margins.
        present_margin: m+; a present class costs nothing above this length.
        absent_margin: m-; an absent class costs nothing below this length.
        absent_weight: lambda; keeps early training from shrinking every capsule.
        reconstruction_weight: factor on the *sum* of squared pixel differences.
    """

    class_loss: str = "margin"
    present_margin: float = 0.9
    absent_margin: float = 0.1
    absent_weight: float = 0.5
    reconstruction_weight: float = 0.0005

    def __post_init__(self) -> None:
        require_class_loss(self.class_loss)
        if not 0 <= self.absent_margin < self.present_margin <= 1:
            raise ValueError(
                "margins must be 0 <= absent_margin < present_margin <= 1, "
                f"got {self.absent_margin} and {self.present_margin}"
            )
        for name in ("absent_weight", "reconstruction_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")


MARGIN_HELP = {
    "class_loss": "loss of the classes: margin, as in the paper, or cross_entropy of "
    "the lengths",
    "present_margin": "a present class costs nothing above this length",
    "absent_margin": "an absent class costs nothing below this length",
    "absent_weight": "weight of the absent classes' cost",
    "reconstruction_weight": "weight of the sum of squared pixel differences",
}


def margin_losses(lengths: "Tensor", present: "Tensor", config: MarginLoss) -> "Tensor":
    """Penalise short capsules of present classes and long ones of absent (eq. 4).

    Args:
        lengths: (batch, classes), each in [0, 1).
        present: (batch, classes), T_k: 1 for each class present, else 0.
        config: margins and weights.

    Returns:
        (batch,), summed over classes.
    """
    present = present.to(lengths.dtype)
    too_short = (config.present_margin - lengths).relu().square()
    too_long = (lengths - config.absent_margin).relu().square()
    per_class = present * too_short + config.absent_weight * (1 - present) * too_long
    return per_class.sum(dim=1)


def length_cross_entropy(lengths: "Tensor", present: "Tensor") -> "Tensor":
    """Return the cross entropy of each image, in nats: (batch,).

    A class's probability is the softmax of `LENGTH_SCALE` times the lengths. Lengths
    are below 1, so with ten classes and a scale of 10 the loss can fall to 0.0004: it
    has no margin beyond which a class costs nothing. The target shares 1 among the
    classes present; an image without any costs nothing.

    Args:
        lengths: (batch, classes), each in [0, 1).
        present: (batch, classes), 1 for each class present, else 0.
    """
    present = present.to(lengths.dtype)
    shares = present / present.sum(dim=1, keepdim=True).clamp(min=1)
    return -(shares * (LENGTH_SCALE * lengths).log_softmax(dim=1)).sum(dim=1)


def class_losses(lengths: "Tensor", present: "Tensor", config: MarginLoss) -> "Tensor":
    """Return the loss of the classes that the settings name: (batch,).

    Args:
        lengths: (batch, classes), each in [0, 1).
        present: (batch, classes), 1 for each class present, else 0.
        config: the loss's settings.
    """
    if config.class_loss == "cross_entropy":
        return length_cross_entropy(lengths, present)
    return margin_losses(lengths, present, config)


def reconstruction_loss(
    reconstruction: "Tensor", images: "Tensor", weight: float
) -> "Tensor":
    """Return the weighted sum of squared pixel differences (section 4.1).

    Args:
        reconstruction: (batch, ..., channels, rows, columns) in [0, 1].
        images: same shape and range.
        weight: factor on the sum.

    Returns:
        A scalar, summed over pixels and pictures, and averaged over the batch.
    """
    return weight * (reconstruction - images).square().flatten(1).sum(dim=1).mean()
