"""What is tried about a description, and how far it is off."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

Choices = Mapping[tuple[str, str], Any]
"""What was found, by a layer's id and what it is: `step`, `pool`, `cut` or `way`."""


@dataclass(frozen=True)
class Hypothesis:
    """Settings of all layers so far.

    Attributes:
        choices: what is tried.
        values: what each layer then computes, in the module's own order.
        differences: the largest difference of each layer that could be compared.
    """

    choices: Choices = field(default_factory=dict)
    values: Mapping[str, Tensor] = field(default_factory=dict)
    differences: Mapping[str, float] = field(default_factory=dict)

    def added(
        self,
        layer: str,
        values: Tensor | None = None,
        difference: float | None = None,
        choices: Choices | None = None,
    ) -> "Hypothesis":
        """Return this one with a layer more."""
        return Hypothesis(
            {**self.choices, **(choices or {})},
            self.values if values is None else {**self.values, layer: values},
            self.differences
            if difference is None
            else {**self.differences, layer: difference},
        )


def answers_of_capsules(capsules: Tensor, own: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Yield what a module may answer with, of its last capsules.

    Args:
        capsules: (batch, classes, size).
        own: what it answers, of whose shape they must be.
    """
    if own.ndim == 3:
        if own.shape == capsules.shape:
            yield "capsules", capsules
        return
    lengths = torch.linalg.vector_norm(capsules, dim=-1)
    yield "lengths", lengths
    yield "softmax of lengths", lengths.softmax(dim=1)
    yield "squared lengths", lengths.square()


def answers_of_dense(values: Tensor, own: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Yield what a module may answer with, of its last dense layer."""
    if values.shape != own.shape:
        return
    yield "logits", values
    yield "probabilities", values.softmax(dim=1)
    yield "log probabilities", values.log_softmax(dim=1)


def largest(one: Tensor, other: Tensor) -> float:
    """Return the largest difference; infinite if shapes differ, or where one is NaN."""
    if one.shape != other.shape:
        return math.inf
    off = (one - other).abs().max().item()
    return math.inf if math.isnan(off) else off


def scale(values: Tensor) -> float:
    """Return the largest value without its sign."""
    return values.abs().max().item()


def as_good(least: float, size: float = 1.0) -> float:
    """Return the difference up to which another is as good as the least.

    Args:
        least: difference of the best.
        size: of the largest of the values that are compared.
    """
    return max(8 * least, 2e-6 * min(1.0, size))
