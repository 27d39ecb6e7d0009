"""Random numbers that Python and JavaScript draw alike."""

import numpy as np
from numpy.typing import NDArray

RANGE = 1 << 32


def uniform(seed: int, count: int) -> NDArray[np.float64]:
    """Return numbers that follow from a seed: (count,), in 0..1 without 1.

    Number k is the PCG hash (Jarzynski & Olano 2020, Hash Functions for GPU Rendering)
    of the seed's hash plus k.

    Args:
        seed: a whole number from 0 to 2^32 − 1.
        count: how many numbers.

    Raises:
        ValueError: the seed is out of range.
    """
    if not 0 <= seed < RANGE:
        raise ValueError(f"seed must be from 0 to {RANGE - 1}, got {seed}")
    first = _hash(np.array([seed], np.uint32))
    return _hash(first + np.arange(count, dtype=np.uint32)) / RANGE


def _hash(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the hash of each number, all products modulo 2^32."""
    state = numbers * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(
        277803737
    )
    return (word >> np.uint32(22)) ^ word
