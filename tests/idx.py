"""Writing the files that data sets come in."""

import gzip
from pathlib import Path

import numpy as np


def write_idx(path: Path, array: np.ndarray, *, packed: bool = False) -> None:
    """Write an idx file of bytes, and the folders above it."""
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    data = header + array.astype(np.uint8).tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if packed else data)
