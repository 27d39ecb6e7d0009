"""Which classes an image shows: the target of training, and the rule for an answer."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Presence:
    """The rule that says which classes an image shows, by their scores.

    Attributes:
        at_most: how many classes an answer can name.
        threshold: the score from which on a class counts; None counts every class.
    """

    at_most: int = 1
    threshold: float | None = None

    def __post_init__(self) -> None:
        if type(self.at_most) is not int or self.at_most < 1:
            raise ValueError(
                f"at_most must be a whole number from 1, got {self.at_most!r}"
            )
        if self.threshold is not None and type(self.threshold) not in (int, float):
            raise ValueError(f"threshold must be a number, got {self.threshold!r}")

    def named(self, scores: Tensor) -> list[tuple[int, ...]]:
        """Return the classes present in each image, best first.

        Args:
            scores: (batch, classes); of equal ones the first class is better.
        """
        best, counts = self._rank(scores)
        pairs = zip(best.tolist(), counts.tolist(), strict=True)
        return [tuple(classes[:count]) for classes, count in pairs]

    def among(self, scores: Tensor) -> Tensor:
        """Return whether each class is present: (batch, classes) bool.

        Args:
            scores: (batch, classes).
        """
        best, counts = self._rank(scores)
        places = torch.arange(best.shape[1], device=best.device)
        is_named = places < counts[:, None]
        return torch.zeros_like(scores, dtype=torch.bool).scatter(1, best, is_named)

    def _rank(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        """Return the best classes (batch, at_most), and how many of them count."""
        best = scores.argsort(dim=1, descending=True, stable=True)[:, : self.at_most]
        if self.threshold is None:
            return best, torch.full_like(best[:, 0], best.shape[1])
        return best, (scores.gather(1, best) >= self.threshold).sum(dim=1)


ONE_CLASS = Presence()
"""The class with the highest score, and no other."""


def outrank(scores: Tensor, present: Tensor) -> Tensor:
    """Return whether the classes present have the highest scores: (batch,) bool.

    An answer that names as many classes is then right.

    Args:
        scores: (batch, classes).
        present: (batch, classes), 1 for each class present, else 0.
    """
    is_there = present > 0
    least = scores.masked_fill(~is_there, torch.inf).amin(dim=1)
    most = scores.masked_fill(is_there, -torch.inf).amax(dim=1)
    return least > most


def multi_hot(labels: Tensor, classes: int) -> Tensor:
    """Return the target of training: (count, classes), 1 for each class present.

    Args:
        labels: (count,) int64, one class an image, or (count, classes) of 0 and 1.
        classes: number of classes.

    Raises:
        ValueError: labels of several classes are not of that many.
    """
    if labels.ndim == 1:
        return torch.nn.functional.one_hot(labels, classes).float()
    if labels.shape[1] > classes:
        raise ValueError(
            f"labels must be of at most {classes} classes, got {labels.shape[1]}"
        )
    missing = classes - labels.shape[1]
    return torch.nn.functional.pad(labels, (0, missing)).float()
