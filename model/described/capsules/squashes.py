"""Squash as people write it: which curve, and where its small constants stand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

TINY = 1e-30  # below every square that counts; the gradient of sqrt(0) is infinite
SIZES = (1e-8, 1e-7, 1e-9, 1e-6, 1e-12, 1e-5, 1e-10, 1e-16, 1e-20, 1e-4, 1e-3)


@dataclass(frozen=True)
class Constants:
    """Small numbers that keep a squash from dividing by 0.

    Attributes:
        inside: added to the sum of squares, under the root.
        outside: added to the root.
        in_both: whether the first counts in the new length, too, and not only in what
            the vector is divided by.
    """

    inside: float = 1e-8
    outside: float = 0.0
    in_both: bool = False


USUAL = Constants()


def all_constants() -> Iterator[Constants]:
    """Yield constants that people use, the usual first."""
    yield USUAL
    for size in SIZES:
        yield Constants(0.0, size)
        yield Constants(size, 0.0)
        yield Constants(size, 0.0, in_both=True)
        yield Constants(size, size)
        yield Constants(0.0, size, in_both=True)
    yield Constants(0.0, 0.0)


@dataclass(frozen=True)
class Curve:
    """How a length is shortened.

    Attributes:
        name: one of `CURVES`, or `own`.
        constants: small numbers beside it.
        function: what its owner says, of vectors (..., size); None without.
    """

    name: str = "paper"
    constants: Constants = USUAL
    function: Callable[[Tensor], Tensor] | None = field(default=None, compare=False)

    def __call__(self, vectors: Tensor, axes: tuple[int, ...]) -> Tensor:
        """Return vectors of the same shape, shortened.

        Args:
            vectors: (..., size).
            axes: over which a length is summed; () makes each number a vector.
        """
        if self.function is not None:
            return self.function(vectors)
        if self.name == "none":
            return vectors
        squares = vectors.square()
        square = squares if axes == () else squares.sum(dim=axes, keepdim=True)
        small = self.constants
        root = (square + small.inside).clamp_min(TINY).sqrt()
        below = root + small.outside
        if self.name == "exponential":
            more = small.outside if small.in_both else 0.0
            return vectors * ((1 - 1 / (root.exp() + more)) / below)
        counted = root.square() if small.in_both else square
        return vectors * (CURVES[self.name](counted) / below)

    def with_constants(self, constants: Constants) -> "Curve":
        """Return the same curve with other constants."""
        return replace(self, constants=constants)


def _root(square: Tensor) -> Tensor:
    return square.clamp_min(TINY).sqrt()


# The new length, of the square of the old one.
CURVES: dict[str, Callable[[Tensor], Tensor]] = {
    "paper": lambda square: square / (1 + square),
    "exponential": lambda square: -torch.expm1(-_root(square)),
    "simple": lambda square: _root(square) / (1 + _root(square)),
    "half": lambda square: square / (0.5 + square),
    "none": _root,
}

CURVE_WORDS = {
    "paper": "l² ∕ (1 + l²)",
    "exponential": "1 − e^−l",
    "simple": "l ∕ (1 + l)",
    "half": "l² ∕ (½ + l²)",
    "none": "l itself",
    "own": "what its own function makes of it",
}
PAPER = Curve()
OTHERS = tuple(Curve(name) for name in CURVES if name != "paper")
