"""Ridge regression, and how well it reads a number from vectors it was not given."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

STRENGTHS = tuple(10.0 ** (place / 2) for place in range(-12, 7))  # of the penalty
HELD_OUT = 0.25  # of the images that a reader is fitted on, to choose the penalty
RESAMPLES = 1000
LEVEL = 0.95
TINY = 1e-12  # of vectors that are all alike


@dataclass(frozen=True, slots=True)
class Directions:
    """Vectors in the directions of their variance (principal components).

    Attributes:
        mean: (numbers,), of the vectors.
        axes: (directions, numbers), orthonormal, those of most variance first.
        places: (count, directions), the vectors less their mean along the axes.
        spread: (directions,), the norm of each column of `places`.
    """

    mean: Values
    axes: Values
    places: Values
    spread: Values

    @classmethod
    def of(cls, vectors: Values, most: int | None = None) -> "Directions":
        """Return the first directions of (count, numbers) vectors; all by default."""
        mean = vectors.mean(axis=0)
        along, spread, axes = np.linalg.svd(vectors - mean, full_matrices=False)
        some = slice(most)
        return cls(mean, axes[some], (along * spread)[:, some], spread[some])

    def fitted(self, amounts: Values, strengths: Values) -> Values:
        """Return the weights that ridge regression gives, for each strength.

        Args:
            amounts: (count,), what to read, less their mean.
            strengths: (strengths,), each the penalty on the squared weights as a share
                of the vectors' squared spread in the mean of its directions.

        Returns:
            (strengths, numbers).
        """
        squares = self.spread**2
        penalties = strengths[:, None] * max(float(squares.mean()), TINY)
        return (self.places.T @ amounts) / (squares + penalties) @ self.axes


def fitted_and_read(
    vectors: Values, amounts: Values, unseen: Values, most: int | None = None
) -> Values:
    """Fit a linear reader by ridge regression, and read other vectors with it.

    The last `HELD_OUT` of the vectors choose the penalty, of `STRENGTHS`; then the
    reader is fitted on all of them.

    Args:
        vectors: (count, numbers) to fit on, at least 4, in no order.
        amounts: (count,), the number that each vector is to give.
        unseen: (others, numbers), to read.
        most: principal components of the vectors that the reader is given; all if None.

    Returns:
        (others,), what is read of each.

    Raises:
        ValueError: there are fewer than 4 vectors.
    """
    if len(vectors) < 4:
        raise ValueError(
            f"a reader needs at least 4 images of a class, got {len(vectors)}"
        )
    kept = len(vectors) - round(HELD_OUT * len(vectors))
    strengths = np.array(STRENGTHS)
    tried = _read(vectors[:kept], amounts[:kept], vectors[kept:], strengths, most)
    errors = np.square(tried - amounts[kept:]).mean(axis=1)
    best = strengths[errors.argmin()]
    return _read(vectors, amounts, unseen, np.array([best]), most)[0]


def _read(
    vectors: Values,
    amounts: Values,
    unseen: Values,
    strengths: Values,
    most: int | None,
) -> Values:
    """Return what readers of each strength read: (strengths, others)."""
    found = Directions.of(vectors, most)
    middle = amounts.mean()
    weights = found.fitted(amounts - middle, strengths)
    return middle + weights @ (unseen - found.mean).T


def explained(amounts: Values, read: Values) -> float:
    """Return R², the share of the amounts' variance that is read.

    1 if every amount is read exactly, 0 if their mean would do as well, and below 0 if
    it would do better.

    Args:
        amounts: (count,), not all equal.
        read: (count,).
    """
    squares = np.square(amounts - amounts.mean()).sum()
    return float(1 - np.square(amounts - read).sum() / squares)


def explained_interval(amounts: Values, read: Values, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of R², by drawing the images anew (Efron 1979).

    Args:
        amounts: (count,), one for each image.
        read: (count,).
        seed: of the draws.
    """
    generator = np.random.default_rng(seed)
    drawn = generator.integers(len(amounts), size=(RESAMPLES, len(amounts)))
    squares = np.square(amounts - read)[drawn].sum(axis=1)
    whole = amounts[drawn].var(axis=1) * len(amounts)
    ends = np.quantile(1 - squares / whole, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(ends[0]), float(ends[1])
