"""Tensors that have an entry for each of many images."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Self

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class PerImage:
    """Fields of which those that are tensors have an entry for each image."""

    def of(self, images: Tensor | slice) -> Self:
        """Return the entries of some images only."""
        return self._with(lambda tensor: tensor[images])

    def to(self, device: torch.device) -> Self:
        """Return the same on another device."""
        return self._with(lambda tensor: tensor.to(device))

    def _with(self, change: Callable[[Tensor], Tensor]) -> Self:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        tensors = {name: x for name, x in values.items() if isinstance(x, Tensor)}
        return replace(self, **{name: change(x) for name, x in tensors.items()})
