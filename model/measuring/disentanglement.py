"""How far single numbers stand for single properties of an image: published indices.

SAP (Kumar, Sattigeri & Balakrishnan 2018) asks whether each property is in one number
alone; the disentanglement of DCI (Eastwood & Williams 2018) asks whether each number is
about one property alone. Both lie in 0..1. A third, MIG (Chen et al. 2018), asks as SAP
does, by mutual information, whose estimate from drawn images is too high for intervals.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

SEED = 0
RESAMPLES = 500
LEVEL = 0.95
TURNS = 100  # random rotations of the same numbers, the control
HELD_OUT = 0.25  # of a class's images, to choose the lasso's penalty
PENALTIES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)  # of numbers with a deviation of 1
SWEEPS = 60  # of coordinate descent
DIGITS = 4  # decimals in the card
TINY = 1e-12

INDICES = ("sap", "dci")


@dataclass(frozen=True, slots=True)
class Coded:
    """The images of one class.

    Attributes:
        numbers: (images, numbers), which describe each.
        properties: (images, properties), measured in its picture; finite.
    """

    numbers: Values
    properties: Values


def measured_indices(classes: list[Coded]) -> dict[str, Any]:
    """Measure both indices of each class, and their means over the classes.

    Returns:
        For each of `INDICES`: `mean`, with `low` and `high`, its 95 % interval by
        drawing each class's images anew (Efron 1979); `turned`, the mean after random
        rotations of the numbers, with `turned_low` and `turned_high`, between which
        95 % of them lie; `classes`, the value of each class.
    """
    generator = np.random.default_rng(SEED)
    found, drawn, turned = [], [], []
    for coded in classes:
        count = len(coded.numbers)
        own = coded.numbers[None]
        penalties = chosen_penalties(own, coded.properties)
        found.append(indices(correlations(coded), penalties)[0])
        counts = generator.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn.append(indices(correlations(coded, counts), penalties))
        others = np.stack(list(_turned(coded.numbers, generator)))
        each = [correlations(Coded(other, coded.properties)) for other in others]
        together = Correlations(
            np.concatenate([found.own for found in each]),
            np.concatenate([found.shared for found in each]),
        )
        turned.append(indices(together, chosen_penalties(others, coded.properties)))
    return {
        name: {
            **_spread("", np.mean(drawn, axis=0)[:, place]),
            **_spread("turned_", np.mean(turned, axis=0)[:, place]),
            "mean": _rounded(np.mean(found, axis=0)[place]),
            "turned": _rounded(np.mean(turned, axis=(0, 1))[place]),
            "classes": [_rounded(each[place]) for each in found],
        }
        for place, name in enumerate(INDICES)
    }


def _spread(prefix: str, values: Values) -> dict[str, float]:
    """Return the ends between which most of the values lie."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return {f"{prefix}low": _rounded(low), f"{prefix}high": _rounded(high)}


def _rounded(value: np.floating) -> float:
    return round(float(value), DIGITS)


def _turned(numbers: Values, generator: np.random.Generator) -> Iterator[Values]:
    """Yield the same numbers along other axes: poses as long as before."""
    size = numbers.shape[1]
    for _ in range(TURNS):
        turn, upper = np.linalg.qr(generator.normal(size=(size, size)))
        yield numbers @ (turn * np.sign(np.diag(upper)))


@dataclass(frozen=True, slots=True)
class Correlations:
    """Correlations of drawn images.

    Attributes:
        own: (draws, numbers, numbers), of the numbers.
        shared: (draws, numbers, properties), of numbers and properties.
    """

    own: Values
    shared: Values


def indices(found: Correlations, penalties: Values) -> Values:
    """Return both indices: (draws, indices), in the order of `INDICES`.

    Args:
        found: the correlations.
        penalties: (draws or 1, properties), of the lasso that DCI rests on.
    """
    weights = lasso(found.own, found.shared, penalties)
    return np.stack([gaps(found.shared**2), separateness(np.abs(weights))], axis=1)


def gaps(values: Values) -> Values:
    """Return by how much, for each property, one number is ahead of all others.

    Args:
        values: (draws, numbers, properties), what each number tells of each.

    Returns:
        (draws,), the mean over the properties.
    """
    ordered = np.sort(values, axis=1)
    return (ordered[:, -1] - ordered[:, -2]).mean(axis=1)


def separateness(importance: Values) -> Values:
    """Return the disentanglement of DCI: how little numbers share in properties.

    1 less the entropy of a number's importance over the properties, with the number of
    properties as its base; numbers count by their importance.

    Args:
        importance: (draws, numbers, properties), not negative.

    Returns:
        (draws,).
    """
    whole = importance.sum(axis=2, keepdims=True)
    shares = importance / np.maximum(whole, TINY)
    entropy = -(shares * np.log(np.maximum(shares, TINY))).sum(axis=2)
    apart = 1 - entropy / np.log(importance.shape[2])
    weights = whole[:, :, 0]
    return (weights * apart).sum(axis=1) / np.maximum(weights.sum(axis=1), TINY)


def lasso(own: Values, shared: Values, penalties: Values) -> Values:
    """Return the weights of the lasso by coordinate descent (Tibshirani 1996).

    Args:
        own: (draws, numbers, numbers), correlations of the numbers.
        shared: (draws, numbers, properties), of numbers and properties.
        penalties: (draws or 1, properties), on the sum of the weights' magnitudes.

    Returns:
        (draws, numbers, properties), for numbers and properties with a deviation of 1.
    """
    weights = np.zeros_like(shared)
    for _ in range(SWEEPS):
        for number in range(shared.shape[1]):
            others = (own[:, number, None] @ weights)[:, 0]
            scale = own[:, number, number, None]
            left = shared[:, number] - others + scale * weights[:, number]
            kept = np.maximum(np.abs(left) - penalties, 0)
            weights[:, number] = np.sign(left) * kept / np.maximum(scale, TINY)
    return weights


def chosen_penalties(numbers: Values, properties: Values) -> Values:
    """Return the penalties with the least error on held-out images.

    Args:
        numbers: (ways, images, numbers), of the same images in several ways.
        properties: (images, properties).

    Returns:
        (ways, properties).
    """
    order = np.random.default_rng(SEED).permutation(len(properties))
    numbers, properties = _standard(numbers)[:, order], _standard(properties)[order]
    kept = len(order) - round(HELD_OUT * len(order))
    fit = numbers[:, :kept].swapaxes(1, 2)
    found = Correlations(fit @ numbers[:, :kept] / kept, fit @ properties[:kept] / kept)
    errors = [
        np.square(
            numbers[:, kept:]
            @ lasso(found.own, found.shared, np.full((1, properties.shape[1]), penalty))
            - properties[kept:]
        ).sum(axis=1)
        for penalty in PENALTIES
    ]
    return np.array(PENALTIES)[np.argmin(errors, axis=0)]


def _standard(values: Values) -> Values:
    """Return (..., images, columns) with a mean of 0 and a deviation of 1."""
    spread = np.maximum(values.std(axis=-2, keepdims=True), TINY)
    return (values - values.mean(axis=-2, keepdims=True)) / spread


def correlations(coded: Coded, counts: NDArray[Any] | None = None) -> Correlations:
    """Return correlations over all images once, or drawn so often.

    Args:
        coded: the images.
        counts: (draws, images), how often each is drawn.
    """
    values = _standard(np.hstack([coded.numbers, coded.properties]))
    drawn = np.ones((1, len(values))) if counts is None else counts.astype(np.float64)
    columns = values.shape[1]
    products = (values[:, :, None] * values[:, None]).reshape(len(values), -1)
    whole = drawn.sum(axis=1)
    means = drawn @ values / whole[:, None]
    spread = (drawn @ products / whole[:, None]).reshape(-1, columns, columns)
    spread -= means[:, :, None] * means[:, None]
    scale = np.sqrt(np.maximum(np.diagonal(spread, axis1=1, axis2=2), TINY))
    found = spread / scale[:, :, None] / scale[:, None]
    size = coded.numbers.shape[1]
    return Correlations(found[:, :size, :size], found[:, :size, size:])
