"""Writing the files that data sets come in."""

import gzip
from pathlib import Path

import numpy as np

from capsnet_explorer.datasets import idx


def write_idx(path: Path, array: np.ndarray, *, packed: bool = False) -> None:
    """Write an idx file of bytes, packed by gzip or not, and the folders above it."""
    idx.write_idx(path, array)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))


def write_stripes(folder):
    """Write a data set of three classes: dark, bright above, bright below."""
    random = np.random.default_rng(0)
    for part, count in (("train", 100), ("t10k", 50)):
        labels = np.arange(count) % 3
        images = random.integers(0, 60, (count, 12, 12))
        images[labels == 1, :6] += 190
        images[labels == 2, 6:] += 190
        write_idx(folder / f"{part}-images-idx3-ubyte", images)
        write_idx(folder / f"{part}-labels-idx1-ubyte", labels)
