"""The training and the test part of any data set, whatever its files' format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from capsnet_explorer.dataset_files.catalogue import TEST, TRAINING, Dataset
from capsnet_explorer.dataset_files.cifar import has_cifar, read_cifar
from capsnet_explorer.dataset_files.idx import BrokenFile, read_labelled
from capsnet_explorer.dataset_files.norb import has_norb, read_norb
from capsnet_explorer.dataset_files.pictures import (
    Pictures,
    class_names,
    has_pictures,
    read_pictures,
)
from capsnet_explorer.dataset_files.symbols import read_symbols
from numpy.typing import NDArray

Images = NDArray[Any] | Pictures


def read_part(
    dataset: Dataset, folder: Path, *, train: bool
) -> tuple[Images, NDArray[Any]]:
    """Read the training or the test part of a data set.

    CIFAR-10 is read from its official files, or else from pictures in its folder.

    Args:
        dataset: the data set.
        folder: the data folder, which contains the data set's folder.
        train: whether to read the training part, else the test part.

    Returns:
        Images (count, channels, rows, columns) uint8, of which MNIST's format leaves
        those on disk and pictures are decoded when read; and labels (count), or
        (count, classes).

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged.
    """
    files = dataset.files_in(folder)
    match dataset.format:
        case "norb":
            return read_norb(files, train=train)
        case "cifar" if has_cifar(files):
            return read_cifar(files, train=train)
        case "cifar":
            _require_classes(dataset, files)
            return read_pictures(files, train=train)
        case "pictures":
            return read_pictures(files, train=train)
        case "symbols":
            return read_symbols(files).part(train=train)
        case _:
            return read_labelled(files, TRAINING if train else TEST)


def _require_classes(dataset: Dataset, files: Path) -> None:
    found = class_names(files)
    if found != list(dataset.class_names):
        raise BrokenFile(
            f"pictures of {dataset.title} must be in the folders "
            f"{', '.join(dataset.class_names)}, got {', '.join(found)}"
        )


def is_there(dataset: Dataset, folder: Path) -> bool:
    """Tell whether the files of both parts are there; they may be damaged."""
    files = dataset.files_in(folder)
    return _CHECKS[dataset.format](files)


def _has_idx(files: Path) -> bool:
    return all((files / name).is_file() for name in (*TRAINING, *TEST))


def _has_either(files: Path) -> bool:
    return has_cifar(files) or has_pictures(files)


_CHECKS: dict[str, Callable[[Path], bool]] = {
    "idx": _has_idx,
    "norb": has_norb,
    "cifar": _has_either,
    "pictures": has_pictures,
    "symbols": Path.is_file,
}
