"""Reading data sets as tensors to train and to test on."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from capsnet_explorer.datasets.catalogue import TEST, TRAINING, Dataset
from capsnet_explorer.datasets.digits import writing
from capsnet_explorer.datasets.overlapping import TEST_LAYOUT
from capsnet_explorer.datasets.parts import Images, read_part, read_validation
from capsnet_explorer.model.data.files import DataError, explaining
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.overlapping import DigitPool, fixed_overlaps


def load_part(
    dataset: Dataset, folder: Path, *, train: bool, one_class: bool = True
) -> LabelledImages:
    """Read the training or the test part.

    Args:
        dataset: the data set.
        folder: the data folder, which contains the data set's folder.
        train: whether to read the training part, else the test part.
        one_class: whether each image must show exactly one class.

    Returns:
        The images. Where they are laid over each other, a `DigitPool` for training, and
        for testing `Overlaps`.

    Raises:
        DataError: a file is missing or not in the data set's format, or images show
            several classes.
    """
    if dataset.is_written:
        return _write_digits(train=train)
    files = dataset.files_in(folder)
    names = TRAINING if train else TEST
    with explaining(dataset, folder):
        images, labels = _in_memory(*read_part(dataset, folder, train=train))
    if not len(images):
        raise DataError(f"{files / names[0]} must hold images, got none")
    if one_class and labels.ndim > 1:
        raise DataError(
            f"{files / names[1]} must have one label for each image, got one for each "
            "class"
        )
    if one_class and dataset.overlaps:
        raise DataError(f"{dataset.title} show two classes: this needs images of one")
    labelled = LabelledImages(images, labels)
    if not dataset.overlaps:
        return labelled
    if train:
        return DigitPool(labelled.images, labelled.labels)
    return fixed_overlaps(labelled, TEST_LAYOUT)


def load_validation(dataset: Dataset, folder: Path) -> LabelledImages | None:
    """Read a data set's own part for validation; None if it has none.

    Raises:
        DataError: a file is missing or damaged.
    """
    if dataset.is_written:
        return None
    with explaining(dataset, folder):
        arrays = read_validation(dataset, folder)
        return None if arrays is None else LabelledImages(*_in_memory(*arrays))


def _in_memory(images: Images, labels: Any) -> tuple[Tensor, Tensor]:
    """Return them as tensors, so that training does not wait for the disk."""
    return torch.from_numpy(np.array(images)), torch.from_numpy(labels.astype(np.int64))


def _write_digits(*, train: bool) -> LabelledImages:
    """Write the digits that have no files."""
    part = "training" if train else "test"
    return LabelledImages(
        torch.from_numpy(writing.written(part))[:, None],
        torch.from_numpy(writing.labels_of(part).astype(np.int64)),
    )
