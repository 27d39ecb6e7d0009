"""Reading the official files of smallNORB (LeCun, Huang & Bottou 2004).

A file begins with the type of its numbers, the number of dimensions, and the size of
each, at least three sizes; all are little-endian, in 4 bytes each.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.dataset_files.idx import BrokenFile

NAMES = (  # of training and test, but for their ends
    "smallnorb-5x46789x9x18x6x2x96x96-training",
    "smallnorb-5x01235x9x18x6x2x96x96-testing",
)
PICTURES, CATEGORIES, VIEWS = "-dat.mat", "-cat.mat", "-info.mat"
TYPES = {0x1E3D4C55: np.dtype("u1"), 0x1E3D4C54: np.dtype("<i4")}
SIDE = 32  # rows and columns of an image as networks read it
MOST = 255


def has_norb(folder: Path) -> bool:
    """Tell whether all files of both parts are in a folder."""
    return all(
        (folder / f"{name}{end}").is_file()
        for name in NAMES
        for end in (PICTURES, CATEGORIES, VIEWS)
    )


def read_norb(folder: Path, *, train: bool) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Read the left image of each pair, and its category.

    An image's 96 x 96 pixels become 32 x 32, each the mean of 3 x 3. Ink is 1 − its
    brightness as a share of the ground's, which is the median along the image's edge.

    Args:
        folder: contains the files.
        train: whether to read the training part, else the test part.

    Returns:
        Images (count, 1, 32, 32), and labels (count).

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, or images and labels differ in number.
    """
    name = NAMES[0] if train else NAMES[1]
    pairs = read_matrix(folder / (name + PICTURES))
    labels = read_matrix(folder / (name + CATEGORIES))
    if pairs.ndim != 4 or pairs.shape[1] != 2 or any(n % SIDE for n in pairs.shape[2:]):
        raise BrokenFile(
            f"{name}{PICTURES} must hold pairs of images of 96 x 96, got {pairs.shape}"
        )
    if labels.shape != pairs.shape[:1]:
        raise BrokenFile(
            f"{name}{CATEGORIES} must have one category for each of {len(pairs)} pairs,"
            f" got {labels.shape}"
        )
    inks = np.empty((len(pairs), 1, SIDE, SIDE), np.uint8)
    for number, (left, _) in enumerate(pairs):
        inks[number, 0] = _ink(left)
    return inks, labels


def read_views(folder: Path, *, train: bool) -> NDArray[np.int64]:
    """Return what each image shows, and from where.

    Returns:
        (images, 4): number of the toy, azimuth and elevation in degrees, number of the
        light.
    """
    name = NAMES[0] if train else NAMES[1]
    info = read_matrix(folder / (name + VIEWS)).astype(np.int64)
    toy, elevation, azimuth, light = info.T
    return np.stack([toy, 10 * azimuth, 30 + 5 * elevation, light], axis=1)


def read_matrix(path: Path) -> NDArray[Any]:
    """Read one file.

    Raises:
        FileNotFoundError: the file does not exist.
        BrokenFile: it is not of this format, or its length does not match its header.
    """
    with path.open("rb") as file:
        head = np.frombuffer(file.read(8), "<i4")
        kind = TYPES.get(int(head[0])) if len(head) == 2 else None
        if kind is None or not 1 <= head[1] <= 8:
            raise BrokenFile(
                f"{path.name} must be a file of smallNORB, got one that starts with "
                f"{head.tobytes().hex(' ') or 'nothing'}"
            )
        sizes = np.frombuffer(file.read(4 * max(3, int(head[1]))), "<i4")
        start = file.tell()
    shape = tuple(int(size) for size in sizes[: head[1]])
    needed = math.prod(shape) * kind.itemsize
    if path.stat().st_size != start + needed or not needed:
        raise BrokenFile(
            f"{path.name} must hold {needed} bytes after its header, "
            f"got {path.stat().st_size - start}"
        )
    return np.memmap(path, kind, mode="r", offset=start, shape=shape)


def _ink(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    ground = max(float(np.median(edge)), 1.0)
    rows, columns = (size // SIDE for size in picture.shape)
    cells = picture.reshape(SIDE, rows, SIDE, columns).mean(axis=(1, 3))
    return np.rint(MOST * (1 - cells / ground).clip(0, 1)).astype(np.uint8)
