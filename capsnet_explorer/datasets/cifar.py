"""Reading CIFAR-10's official files in their binary form (Krizhevsky 2009).

A file is records of 3 073 bytes: a label, then 32 x 32 pixels of red, green and blue,
each channel row by row.
"""

from pathlib import Path

import numpy as np

from capsnet_explorer.datasets.idx import BrokenFile, Bytes

FOLDER = "cifar-10-batches-bin"  # in the archive
TRAINING = tuple(f"data_batch_{number}.bin" for number in range(1, 6))
TEST = ("test_batch.bin",)
SHAPE = (3, 32, 32)
CLASSES = 10
RECORD = 1 + 3 * 32 * 32  # bytes

ADDRESS = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"
ARCHIVE_MD5 = "c32a1d4ab5d03f1284b67883e8d87530"


def has_cifar(folder: Path) -> bool:
    """Tell whether all files of both parts are in a folder."""
    return all((folder / FOLDER / name).is_file() for name in (*TRAINING, *TEST))


def read_cifar(folder: Path, *, train: bool) -> tuple[Bytes, Bytes]:
    """Read the training or the test part.

    Args:
        folder: contains the folder that the archive unpacks to.
        train: whether to read the training part, else the test part.

    Returns:
        Images (count, 3, 32, 32), and labels (count).

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged.
    """
    files = [folder / FOLDER / name for name in (TRAINING if train else TEST)]
    records = np.concatenate([_records(file) for file in files])
    return records[:, 1:].reshape(-1, *SHAPE), records[:, 0]


def _records(path: Path) -> Bytes:
    size = path.stat().st_size
    if not size or size % RECORD:
        raise BrokenFile(f"{path.name} must hold records of {RECORD} bytes, got {size}")
    records = np.fromfile(path, np.uint8).reshape(-1, RECORD)
    largest = records[:, 0].max()
    if largest >= CLASSES:
        raise BrokenFile(f"{path.name} must have labels below {CLASSES}, got {largest}")
    return records
