"""Writing the files that data sets come in."""

import gzip
from pathlib import Path

import numpy as np

from capsnet_explorer.dataset_files import idx


def write_idx(path: Path, array: np.ndarray, *, packed: bool = False) -> None:
    """Write an idx file of bytes, packed by gzip or not, and the folders above it."""
    idx.write_idx(path, array)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
