"""The training and the test part of any data set, whatever its files' format."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets import emnist
from capsnet_explorer.datasets.arrays import (
    Labelled,
    has_arrays,
    names_of,
    read_arrays,
)
from capsnet_explorer.datasets.batches import batches_folder
from capsnet_explorer.datasets.catalogue import TEST, TRAINING, Dataset
from capsnet_explorer.datasets.cifar import has_cifar, read_cifar
from capsnet_explorer.datasets.idx import (
    BrokenFile,
    find_idx,
    idx_sets,
    read_labelled,
)
from capsnet_explorer.datasets.naming import Part
from capsnet_explorer.datasets.pictures import (
    USUAL,
    Pictures,
    Survey,
    has_pictures,
    pictures_of,
    survey,
)
from capsnet_explorer.datasets.symbols import read_symbols
from capsnet_explorer.datasets.tables import has_tables, read_table, table_files
from capsnet_explorer.datasets.unpacking import unpacked

Images = NDArray[Any] | Pictures


def files_of(dataset: Dataset, folder: Path) -> Path:
    """Return the folder of a data set's files, or its one file.

    Tables and arrays that are packed in one archive are unpacked for it.

    Raises:
        BrokenFile: the archive is damaged.
    """
    files = dataset.files_in(folder)
    is_whole = dataset.format in ("pictures", "symbols", "cifar")
    return files if is_whole else unpacked(files)


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
    files = files_of(dataset, folder)
    part: Part = "training" if train else "test"
    match dataset.format:
        case "cifar":
            return _read_cifar(dataset, files, part)
        case "pictures":
            surveyed = survey(files, dataset.folders)
            return pictures_of(surveyed, files, part, dataset.form or USUAL)
        case "csv" | "npz":
            parts = labelled_parts(dataset, folder)
            return parts[part].images, numbered(parts[part].labels, parts)
        case "symbols":
            return read_symbols(files).part(train=train)
        case _:
            return _read_idx(dataset, files, TRAINING if train else TEST)


def _read_cifar(
    dataset: Dataset, files: Path, part: Part
) -> tuple[Images, NDArray[Any]]:
    if has_cifar(files):
        return read_cifar(files, train=part == "training")
    if batches_folder(files):
        parts = read_arrays(files)
        return parts[part].images, numbered(parts[part].labels, parts)
    surveyed = survey(files)
    _require_classes(dataset, surveyed)
    return pictures_of(surveyed, files, part)


def read_validation(
    dataset: Dataset, folder: Path
) -> tuple[Images, NDArray[Any]] | None:
    """Read a data set's own part for validation, as `read_part` does; None without one.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged.
    """
    files = files_of(dataset, folder)
    if dataset.format == "pictures":
        surveyed = survey(files, dataset.folders)
        form = dataset.form or USUAL
        images, labels = pictures_of(surveyed, files, "validation", form)
        return (images, labels) if len(labels) else None
    if dataset.format in ("csv", "npz"):
        parts = labelled_parts(dataset, folder)
        if (labelled := parts.get("validation")) is not None:
            return labelled.images, numbered(labelled.labels, parts)
    return None


def class_names_in(dataset: Dataset, folder: Path, count: int) -> list[str]:
    """Return a name for each of `count` classes; without names, their numbers.

    Raises:
        OSError: the file of names, or the folders of pictures, cannot be read.
        ValueError: the file does not name `count` classes.
    """
    if dataset.format == "symbols":
        return list(read_symbols(dataset.files_in(folder)).names)
    names = list(dataset.class_names) or dataset.written_names(folder, count)
    names = names or class_names_of(dataset, folder)
    if dataset.split:  # some of EMNIST's classes are the first of them
        names = names[:count]
    return names if len(names) == count else [str(label) for label in range(count)]


def class_names_of(dataset: Dataset, folder: Path) -> list[str]:
    """Return the names of the classes that a data set's files themselves give.

    Returns:
        Their names, in the order of the labels; none where the files give none.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged.
    """
    files = files_of(dataset, folder)
    if dataset.format == "pictures":
        return survey(files, dataset.folders).class_names
    if dataset.format == "idx":
        before = idx_prefix(dataset, files)
        if not emnist.is_emnist(before):
            return []
        named = emnist.names_by_label(files, emnist.split_of(before))
        return [named[label] for label in sorted(named)]
    if dataset.format not in ("csv", "npz"):
        return []
    return names_of_labels(dataset, files, labelled_parts(dataset, folder))


def names_of_labels(
    dataset: Dataset, files: Path, parts: Mapping[Part, Labelled]
) -> list[str]:
    """Return the names of the labels of a CSV file's or an array's images."""
    labels = np.unique(parts["training"].labels).tolist()
    named = {}
    if dataset.format == "csv":
        file = next(iter(table_files(files).values())).name
        if emnist.is_emnist(file) and emnist.split_of(file) in emnist.SPLITS:
            named = emnist.names_by_label(files, emnist.split_of(file))
    elif all(isinstance(label, int) for label in labels):
        named = names_of(files, labels)
    return [named.get(label, str(label)) for label in labels]


def labelled_parts(dataset: Dataset, folder: Path) -> dict[Part, Labelled]:
    """Read all parts of tables, arrays or MNIST's files, with these files' labels.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged.
    """
    files = files_of(dataset, folder)
    if dataset.format == "npz":
        return read_arrays(files)
    if dataset.format != "csv":
        parts: dict[Part, Labelled] = {}
        for part in ("training", "test"):
            images, labels = read_part(dataset, folder, train=part == "training")
            parts[part] = Labelled(np.asarray(images), labels)
        return parts
    form = dataset.form
    return read_table(files, None if form is None else (form.rows, form.columns))


def numbered(labels: NDArray[Any], parts: Mapping[Part, Labelled]) -> NDArray[np.int64]:
    """Return each label's place among those of the training part.

    Raises:
        BrokenFile: the training part lacks one.
    """
    known = np.unique(parts["training"].labels).tolist()
    ranks = {label: rank for rank, label in enumerate(known)}
    unknown = sorted(
        {label for label in labels.tolist() if label not in ranks}, key=str
    )
    if unknown:
        raise BrokenFile(
            f"labels must be those of the training images, got {unknown[0]}"
        )
    return np.array([ranks[label] for label in labels.tolist()], np.int64)


def _read_idx(
    dataset: Dataset, files: Path, names: tuple[str, str]
) -> tuple[NDArray[Any], NDArray[Any]]:
    before = idx_prefix(dataset, files)
    images, labels = read_labelled(files, (before + names[0], before + names[1]))
    if emnist.is_emnist(before):
        named = emnist.names_by_label(files, emnist.split_of(before))
        return emnist.upright(images), emnist.from_zero(labels, named)
    return images, labels


def idx_prefix(dataset: Dataset, files: Path) -> str:
    """Return what stands before MNIST's names in the names of a data set's files.

    Raises:
        BrokenFile: there are several data sets in the folder.
    """
    if dataset.split:
        return f"{emnist.BEGINNING}{dataset.split}-"
    beginnings = idx_sets(files)
    if not beginnings or "" in beginnings:
        return ""
    if len(beginnings) > 1:
        named = ", ".join(name.strip("-") for name in beginnings)
        raise BrokenFile(f"{files.name} must hold one data set, got {named}")
    return beginnings[0]


def _require_classes(dataset: Dataset, pictures: Survey) -> None:
    if pictures.class_names != list(dataset.class_names):
        raise BrokenFile(
            f"pictures of {dataset.title} must be in the folders "
            f"{', '.join(dataset.class_names)}, got {', '.join(pictures.class_names)}"
        )


def is_there(dataset: Dataset, folder: Path) -> bool:
    """Tell whether the files of both parts are there; they may be damaged."""
    files = files_of(dataset, folder)
    match dataset.format:
        case "cifar" if has_cifar(files) or batches_folder(files):
            return True
        case "cifar" | "pictures":
            return has_pictures(files, dataset.folders)
        case "csv" | "npz":
            return (has_tables if dataset.format == "csv" else has_arrays)(files)
        case "symbols":
            return files.is_file()
        case _:
            return not missing_idx(dataset, files)


def missing_idx(dataset: Dataset, files: Path) -> list[str]:
    """Return which of the four files in MNIST's format are missing."""
    try:
        before = idx_prefix(dataset, files)
    except BrokenFile:
        return [*TRAINING, *TEST]
    names = (*TRAINING, *TEST)
    return [name for name in names if find_idx(files, before + name) is None]
