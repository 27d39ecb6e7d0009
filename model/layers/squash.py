"""Squash: a capsule keeps its direction, and its length shrinks to below 1."""

import torch
from torch import Tensor

# Under the root, in squares: the gradient of sqrt(0) is infinite.
EPSILON = 1e-8


def squash(vectors: Tensor, axes: int | tuple[int, ...] = -1) -> Tensor:
    """Keep each vector's direction and shrink its length n to n²/(1+n²).

    Equation 1 of Sabour, Frosst & Hinton 2017.

    Args:
        vectors: (..., dim). A zero vector stays zero.
        axes: over which a length is summed; () makes each number a vector.

    Returns:
        Same shape as `vectors`.
    """
    squares = vectors.square()
    squared_length = squares if axes == () else squares.sum(dim=axes, keepdim=True)
    # `rsqrt` in place of `sqrt`: when the first call of `sqrt` in a process ran on two
    # threads, one of them was off by 1e-4.
    inverse_length = (squared_length + EPSILON).rsqrt()
    return vectors * (squared_length * inverse_length / (1 + squared_length))


def squash_exponentially(vectors: Tensor) -> Tensor:
    """Keep each vector's direction and set its length n to 1 - e^-n.

    Equation 2 of Mazzia, Salvetti & Chiaberge 2021. Short vectors keep their length
    more than under `squash`, and the gradient does not vanish at zero.

    Args:
        vectors: (..., dim). A zero vector stays zero.

    Returns:
        Same shape as `vectors`.
    """
    length = norms(vectors)[..., None]
    return vectors * (-torch.expm1(-length) / length)


def norms(vectors: Tensor) -> Tensor:
    """Return the norm of each vector, with a gradient even at zero: (...).

    Args:
        vectors: (..., dim).
    """
    return (vectors.square().sum(dim=-1) + EPSILON).sqrt()
