"""What would be understood of a folder: format, classes, what is strange."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from capsnet_explorer.dataset_files.arranging import ORDER, Part
from capsnet_explorer.dataset_files.arrays import array_files, has_arrays
from capsnet_explorer.dataset_files.catalogue import DATASETS, Dataset, dataset_named
from capsnet_explorer.dataset_files.emnist import BEGINNING, PLACES, is_emnist, split_of
from capsnet_explorer.dataset_files.idx import BrokenFile, idx_sets
from capsnet_explorer.dataset_files.looks import Looks, looks_of
from capsnet_explorer.dataset_files.parts import is_there, read_part, read_validation
from capsnet_explorer.dataset_files.pictures import (
    OneClass,
    contents,
    decoded,
    formed,
    survey,
)
from capsnet_explorer.dataset_files.tables import has_tables

FEW = 10  # training images of a class, below which little can be learnt of it
UNEVEN = 5  # times as many images of one class as of another
MOST_NAMED = 5  # classes in a warning
SAMPLED = 200  # pictures that are looked at
FORMATS = {
    "pictures": "pictures in folders, one for each class",
    "csv": "images in CSV files",
    "npz": "arrays in NumPy's files",
    "idx": "files in MNIST's format",
}


class NothingFound(ValueError):
    """There is nothing that could be trained on; the message says what is needed."""


@dataclass(frozen=True, slots=True)
class Description:
    """What is understood of a folder.

    Attributes:
        dataset: to train on.
        counts: images of each class, by part and name.
        lines: sentences about the images.
        warnings: sentences about what is strange.
        options: of the command that trains on it, beside `--dataset` and `--data`.
    """

    dataset: Dataset
    counts: Mapping[Part, Mapping[str, int]]
    lines: Sequence[str]
    warnings: Sequence[str]
    options: Sequence[str]

    def text(self, folder: Path) -> str:
        """Return it for people."""
        parts: list[Part] = [part for part in ORDER if part in self.counts]
        names = list(self.counts["training"])
        wide = max(len("classes"), *(len(name) for name in names)) + 2
        table = [f"{'classes':<{wide}}" + "".join(f"{part:>12}" for part in parts)]
        table += [
            f"{name:<{wide}}"
            + "".join(f"{self.counts[part].get(name, 0):>12}" for part in parts)
            for name in names
        ]
        totals = "".join(f"{sum(self.counts[part].values()):>12}" for part in parts)
        table.append(f"{'in all':<{wide}}{totals}")
        command = shlex.join(
            [
                *("python", "-m", "capsnet_explorer", "train"),
                *("--dataset", self.dataset.name, "--data", str(folder)),
                *self.options,
            ]
        )
        return "\n".join(
            [
                f"{folder}: {FORMATS[self.dataset.format]}",
                "",
                *table,
                "",
                *self.lines,
                *(f"Warning: {words}" for words in self.warnings),
                f"To train on it: {command}",
            ]
        )


def described(folder: Path) -> Description:
    """Describe the data in a folder, or in one file.

    Raises:
        NothingFound: there is none; the message says what is needed.
        BrokenFile: a file is damaged.
        OSError: it cannot be read.
    """
    if not folder.exists():
        raise NothingFound(f"{folder} does not exist")
    dataset = dataset_in(folder)
    if dataset is None:
        if (one := _one_class_in(folder)) is not None:
            raise NothingFound(
                f"there are pictures of {one} alone in {folder}: two classes or more "
                "are needed, in a folder each"
            )
        raise NothingFound(
            f"{folder} must hold folders with pictures of two classes or more, CSV "
            "files with labels, NumPy's arrays of images and labels, or four files in "
            "MNIST's format"
        )
    return (
        _pictures(dataset, folder)
        if dataset.format == "pictures"
        else _arrays(dataset, folder)
    )


def _one_class_in(folder: Path) -> str | None:
    """Return the class that all pictures are of, if there is one alone."""
    try:
        survey(folder)
    except OneClass as error:
        return error.name
    except (OSError, BrokenFile):
        pass
    return None


def dataset_in(folder: Path) -> Dataset | None:
    """Return the data set that a folder, or a file, holds, if any."""
    if folder.is_dir():
        sets = idx_sets(folder)
        splits = [split_of(name) for name in sets if is_emnist(name)]
        for split in splits:
            return dataset_named(f"{BEGINNING}{split}")
        for place in PLACES[:-1]:
            for name in idx_sets(folder / place):
                if is_emnist(name):
                    return dataset_named(f"{BEGINNING}{split_of(name)}")
        if is_there(DATASETS["idx"], folder):
            return DATASETS["idx"]
        for each in DATASETS.values():
            is_shelved = each.place != "." and each.format == "idx"
            if is_shelved and not each.overlaps and is_there(each, folder):
                return each
    if has_tables(folder):
        return DATASETS["csv"]
    if array_files(folder) and has_arrays(folder):
        return DATASETS["npz"]
    try:
        survey(folder)
    except FileNotFoundError:
        return None
    except BrokenFile:
        if folder.is_file():
            return None
        raise
    return DATASETS["folder"]


def _pictures(dataset: Dataset, folder: Path) -> Description:
    found = survey(folder)
    names = found.class_names
    counts: dict[Part, dict[str, int]] = {
        part: {name: len(own.get(name, ())) for name in names}
        for part, own in found.parts.items()
    }
    files = [
        file
        for own in found.parts["training"].values()
        for file in own[: max(1, SAMPLED // len(names))]
    ]
    wrong = []
    pictures = []
    for name, content in contents(files):
        try:
            pictures.append(decoded(content, name))
        except BrokenFile as error:
            wrong.append(str(error))
    looks = looks_of(pictures)
    formed_all = [formed(picture, looks.form) for picture in pictures]
    lines = [looks.words, looks.size_words, *skipped_words(found.skipped)]
    if found.is_split:
        lines.append(
            "Without folders for the parts, every fifth picture is for the test."
        )
    strange = warnings_of(counts["training"], counts.get("test", {}))
    if formed_all and all_equal(np.stack(formed_all)):
        strange.append("all pictures looked at are equal: there is nothing to learn.")
    if wrong:
        more = f" ({len(wrong)} of {len(files)} looked at)" if len(wrong) > 1 else ""
        strange.append(f"{wrong[0]}{more}")
    return Description(dataset, counts, lines, strange, _options_of(looks))


def skipped_words(skipped: Mapping[str, int]) -> list[str]:
    """Say which files are left out, and how many."""
    if not skipped:
        return []
    named = ", ".join(f"{what} ({count})" for what, count in sorted(skipped.items()))
    return [f"Left out: {named}."]


def _options_of(looks: Looks) -> list[str]:
    form = looks.form
    options = ["--size", f"{form.rows}x{form.columns}"]
    options.append("--colour" if form.channels > 1 else "--grey")
    return [*options, *(["--inverted"] if form.is_inverted else [])]


def _arrays(dataset: Dataset, folder: Path) -> Description:
    parts: dict[Part, object] = {
        "training": read_part(dataset, folder, train=True),
        "validation": read_validation(dataset, folder),
        "test": read_part(dataset, folder, train=False),
    }
    counts: dict[Part, dict[str, int]] = {}
    names: list[str] = []
    lines, strange = [], []
    for part, found in parts.items():
        if found is None:
            continue
        images, labels = found  # pyright: ignore[reportGeneralTypeIssues]
        if labels.ndim > 1:
            raise BrokenFile("images that show several classes have no class to count")
        if part == "training":
            classes = int(labels.max()) + 1
            names = dataset.class_names_in(folder, classes)
            _, channels, rows, columns = images.shape
            colour = "in colour" if channels > 1 else "grey"
            lines.append(f"The images are {colour}, {rows} rows of {columns} pixels.")
            if all_equal(np.asarray(images)):
                strange.append(EQUAL)
        tally = np.bincount(labels, minlength=len(names)).tolist()
        counts[part] = dict(zip(names, tally, strict=False))
    strange += warnings_of(counts["training"], counts["test"])
    return Description(dataset, counts, lines, strange, [])


SPLIT = "Without folders for the parts, every fifth picture is for the test."
EQUAL = "all training images are equal: there is nothing to learn."


def all_equal(images: np.ndarray) -> bool:
    """Tell whether images (count, ...) are all the same."""
    return len(images) > 1 and bool((images == images[:1]).all())


def warnings_of(
    training: Mapping[str, int], test: Mapping[str, int] | None = None
) -> list[str]:
    """Return what is strange about the numbers of images, a sentence each.

    Args:
        training: of each class, by name.
        test: the same of the test part; None says nothing of it.
    """
    found = []
    if empty := [name for name, count in training.items() if not count]:
        found.append(
            f"no training image shows {_some(empty)}: a network cannot learn that."
        )
    if few := [name for name, count in training.items() if 0 < count < FEW]:
        found.append(f"fewer than {FEW} training images show {_some(few)}.")
    filled = [count for count in training.values() if count]
    if filled and max(filled) >= UNEVEN * min(filled):
        found.append(
            f"the commonest class has {max(filled)} training images, the rarest "
            f"{min(filled)}: the setting balance shows rare classes as often."
        )
    shown = [name for name, count in training.items() if count]
    if len(shown) == 1:
        found.append(f"there is {shown[0]} alone: training needs two classes or more.")
    if test is not None and (
        untested := [name for name in shown if not test.get(name)]
    ):
        found.append(f"no test image shows {_some(untested)}.")
    return found


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
