"""What is special about EMNIST's files (Cohen, Afshar, Tapson & van Schaik 2017).

They are called `emnist-letters-train-images-idx3-ubyte` and so on, images lie on their
side, and labels may begin with 1. A file of their own says what labels mean.
"""

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.idx import BrokenFile, Bytes

BEGINNING = "emnist-"
ALL = string.digits + string.ascii_uppercase + string.ascii_lowercase
MERGED = string.digits + string.ascii_uppercase + "abdefghnqrt"
SPLITS = {
    "balanced": MERGED,
    "byclass": ALL,
    "bymerge": MERGED,
    "digits": string.digits,
    "letters": string.ascii_uppercase,
    "mnist": string.digits,
}
FIRST = {"letters": 1}  # label of a split's first class, if not 0
PLACES = ("EMNIST/raw", "EMNIST", "gzip", ".")  # within the data folder, as unpacked


def is_emnist(name: str) -> bool:
    """Tell whether a file is one of EMNIST's, by its name."""
    return name.lower().startswith(BEGINNING)


def split_of(name: str) -> str:
    """Return the split that a file of EMNIST's belongs to, such as `letters`."""
    return name.lower().removeprefix(BEGINNING).partition("-")[0]


def upright(images: Bytes) -> Bytes:
    """Return images as people see them: rows and columns are exchanged in the files."""
    return images.swapaxes(-1, -2)


def names_by_label(folder: Path, split: str) -> Mapping[int, str]:
    """Return the name of each class by the label that the files give it.

    Args:
        folder: contains the files; one of them may say what labels mean.
        split: such as `letters`.

    Raises:
        BrokenFile: that file is damaged, or there is none and the split is unknown.
    """
    mapping = folder / f"{BEGINNING}{split}-mapping.txt"
    if mapping.is_file():
        try:
            lines = mapping.read_text("ascii").split("\n")
            pairs = [line.split()[:2] for line in lines if line.strip()]
            return {int(label): chr(int(code)) for label, code in pairs}
        except ValueError:
            raise BrokenFile(
                f"{mapping.name} must have a label and codes of characters in each line"
            ) from None
    if split not in SPLITS:
        raise BrokenFile(
            f"EMNIST's parts are {', '.join(SPLITS)}, got {split!r}; "
            f"{mapping.name} could say what its labels mean"
        )
    first = FIRST.get(split, 0)
    return dict(enumerate(SPLITS[split], start=first))


def from_zero(labels: NDArray[Any], names: Mapping[int, str]) -> NDArray[np.int64]:
    """Return labels counted from 0.

    Raises:
        BrokenFile: a label has no name.
    """
    known = np.array(sorted(names))
    places = np.searchsorted(known, labels).clip(max=len(known) - 1)
    wrong = known[places] != labels
    if wrong.any():
        raise BrokenFile(
            f"labels must be from {known[0]} to {known[-1]}, got {labels[wrong][0]}"
        )
    return places.astype(np.int64)
