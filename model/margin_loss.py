"""Margin loss and reconstruction loss, the objective of capsules with lengths.

Paper: Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules", sections 3 and
4.1. Cross entropy can take the margin loss's place. Settings import this file, so it
does not import torch.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsnet_explorer.model.setting import check_fields, setting

if TYPE_CHECKING:
    from torch import Tensor


CLASS_LOSSES = ("margin", "cross_entropy")
HEAVIEST = 10  # weight of a term of the loss, as a request may ask for it
LENGTH_SCALE = 10.0  # makes logits of lengths, see `length_cross_entropy`


@dataclass(frozen=True, slots=True)
class MarginLoss:
    """Settings of margin loss (eq. 4) plus reconstruction loss (section 4.1).

    `absent_weight` is the paper's lambda, which keeps early training from shrinking
    every capsule. Cross entropy has no margins.
    """

    class_loss: str = setting(
        "margin",
        "loss of the classes: margin, as in the paper, or cross_entropy of the lengths",
        choices=CLASS_LOSSES,
        is_first=True,
    )
    present_margin: float = setting(
        0.9, "a present class costs nothing above this length", 0, 1
    )
    absent_margin: float = setting(
        0.1, "an absent class costs nothing below this length", 0, 1
    )
    absent_weight: float = setting(
        0.5, "weight of the absent classes' cost", most=HEAVIEST
    )
    reconstruction_weight: float = setting(
        0.0005,
        "weight of the sum of squared pixel differences",
        most=HEAVIEST,
        is_first=True,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.absent_margin < self.present_margin:
            raise ValueError(
                "margins must be 0 <= absent_margin < present_margin <= 1, "
                f"got {self.absent_margin} and {self.present_margin}"
            )


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
