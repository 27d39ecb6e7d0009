"""Labelled images, and their conversion to the network's input range."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class DigitImages:
    """Labelled images.

    Attributes:
        images: (count, rows, columns) uint8, ink 255.
        labels: (count,) int64.
    """

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def split(self, held_out: int) -> tuple["DigitImages", "DigitImages"]:
        """Return all but the last `held_out` images, and the last `held_out`."""
        cut = len(self) - held_out
        return (
            DigitImages(self.images[:cut], self.labels[:cut]),
            DigitImages(self.images[cut:], self.labels[cut:]),
        )

    def to(self, device: torch.device) -> "DigitImages":
        """Return the same on another device."""
        return DigitImages(self.images.to(device), self.labels.to(device))


def to_network(images: Tensor) -> Tensor:
    """Scale uint8 images to the network's float32 range, 0..1."""
    return images.float() / 255
