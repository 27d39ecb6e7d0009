"""What would be understood of a folder: format, classes, what is strange."""

import shlex
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.datasets.arranging import BESIDE, ORDER, Part, words_of
from capsnet_explorer.datasets.arrays import (
    BYTES,
    Range,
    array_files,
    arrays_in,
    has_arrays,
    range_words,
)
from capsnet_explorer.datasets.catalogue import DATASETS, Dataset, dataset_named
from capsnet_explorer.datasets.doubles import doubles_words, hashed, hashes_of
from capsnet_explorer.datasets.emnist import BEGINNING, PLACES, is_emnist, split_of
from capsnet_explorer.datasets.form import Folders
from capsnet_explorer.datasets.idx import BrokenFile, idx_sets
from capsnet_explorer.datasets.looks import Looks, ground_of, looks_of
from capsnet_explorer.datasets.parts import (
    is_there,
    labelled_parts,
    names_of_labels,
    numbered,
    read_part,
)
from capsnet_explorer.datasets.pictures import (
    OneClass,
    contents,
    decoded,
    formed,
    pictures_of,
    survey,
)
from capsnet_explorer.datasets.tables import has_tables, table_files
from capsnet_explorer.datasets.text import some_of
from capsnet_explorer.pictures.decoding.frames import has_further_pages

FEW = 10  # training images of a class, below which little can be learnt of it
UNEVEN = 5  # times as many images of one class as of another
SAMPLED = 200  # pictures that are looked at
LOOKED_AT = 1000  # images of an array
DARK = 48  # of 255; images that never get brighter are nearly black
# Words of folders that say nothing of what is in their pictures.
NAMELESS = {*BESIDE, "mask", "masks", "label", "labels", "annotation", "annotations"}
ALIKE = 2.0  # of 255, by which a pixel of images differs that show something
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
        first: what has to be done before that command works; empty if nothing.
    """

    dataset: Dataset
    counts: Mapping[Part, Mapping[str, int]]
    lines: Sequence[str]
    warnings: Sequence[str]
    options: Sequence[str]
    first: str = ""

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
                f"{self.first or 'To train on it'}: {command}",
            ]
        )


def described(folder: Path, folders: Folders | None = None) -> Description:
    """Describe the data in a folder, or in one file.

    Args:
        folder: the folder or the file.
        folders: what the outermost folders of pictures are; None lets names tell.

    Raises:
        NothingFound: there is none; the message says what is needed.
        OneClass: there are pictures, of one class alone.
        BrokenFile: a file is damaged.
        OSError: it cannot be read.
    """
    if not folder.exists():
        raise NothingFound(f"{folder} does not exist")
    dataset = dataset_in(folder, folders)
    if dataset is None:
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


def dataset_in(folder: Path, folders: Folders | None = None) -> Dataset | None:
    """Return the data set that a folder, or a file, holds, if any.

    Args:
        folder: the folder or the file.
        folders: what the outermost folders of pictures are; None lets names tell.

    Raises:
        OneClass: there are pictures, of one class alone.
        BrokenFile: a file is damaged, or what is meant is unclear.
    """
    if folder.is_dir():
        for place in (".", *PLACES):
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
        survey(folder, folders)
    except OneClass:
        raise
    except FileNotFoundError:
        arrays_in(folder)  # what is damaged there, or unclear, is told
        table_files(folder)
        return None
    except BrokenFile:
        if folder.is_file() and not zipfile.is_zipfile(folder):
            return None
        raise
    return replace(DATASETS["folder"], folders=folders)


def _pictures(dataset: Dataset, folder: Path) -> Description:
    found = survey(folder, dataset.folders)
    for part in found.parts:  # a class that training lacks is told before all else
        pictures_of(found, folder, part)
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
    several = 0
    for name, content in contents(files):
        several += has_further_pages(content)
        try:
            pictures.append(decoded(content, name))
        except BrokenFile as error:
            wrong.append(str(error))
    looks = looks_of(pictures)
    total = sum(sum(own.values()) for own in counts.values())
    formed_all = [formed(picture, looks.form, looks.white) for picture in pictures]
    lines = [looks.words, looks.size_words(total), *looks.range_words, *found.lines]
    lines += [*pages_words(several, len(files)), *skipped_words(found.skipped)]
    if found.is_split:
        lines.append(SPLIT)
    strange = warnings_of(counts["training"], counts.get("test", {}))
    strange += looks.warnings
    if formed_all:
        strange += strange_looks(np.stack(formed_all))
    every = [
        (part, label, file)
        for part, own in found.parts.items()
        for label, name in enumerate(names)
        for file in own.get(name, ())
    ]
    read = contents(file for _, _, file in every)
    strange += doubles_words(
        (part, label, hashed(content))
        for (part, label, _), (_, content) in zip(every, read, strict=True)
    )
    if wrong:
        more = f" ({len(wrong)} of {len(files)} looked at)" if len(wrong) > 1 else ""
        strange.append(f"{wrong[0]}{more}")
    options = _options_of(looks)
    if dataset.folders is not None:
        options += ["--folders", dataset.folders]
    first = WRONG if wrong else ""
    return Description(dataset, counts, lines, strange, options, first)


def pages_words(several: int, seen: int) -> list[str]:
    """Say of how many files with several pictures only the first one is used."""
    if not several:
        return []
    files = "file" if seen == 1 else "files"
    has = "has" if several == 1 else "have"
    return [
        f"{several} of {seen} {files} {has} several pages, frames or sizes: the first "
        "is used, of icons the largest."
    ]


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
    read = arrays_of(dataset, folder)
    names = read.class_names
    counts: dict[Part, dict[str, int]] = {}
    for part, labels in read.labels.items():
        tally = np.bincount(labels, minlength=len(names)).tolist()
        counts[part] = dict(zip(names, tally, strict=True))
    images = read.images["training"]
    _, channels, rows, columns = images.shape
    colour = "in colour" if channels > 1 else "grey"
    lines = [
        f"The images are {colour}, {rows} rows of {columns} pixels.",
        *range_words(read.range),
    ]
    strange = [
        *warnings_of(counts["training"], counts["test"]),
        *strange_parts(read.images),
        *doubles_words(hashes_of(read.images, read.labels)),
    ]
    return Description(dataset, counts, lines, strange, [])


@dataclass(frozen=True, slots=True)
class Arrays:
    """All images of a data set that has them as arrays.

    Attributes:
        images: of each part, (count, channels, rows, columns) uint8.
        labels: of each part, (count).
        class_names: one for each class.
        range: what stood for black and for white.
    """

    images: Mapping[Part, np.ndarray]
    labels: Mapping[Part, np.ndarray]
    class_names: list[str]
    range: Range


def arrays_of(dataset: Dataset, folder: Path) -> Arrays:
    """Read CSV files, NumPy's arrays, or files in MNIST's format, whole.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, or its images show several classes each.
    """
    if dataset.format in ("csv", "npz"):
        parts = labelled_parts(dataset, folder)
        count = len(np.unique(parts["training"].labels))
        names = dataset.written_names(folder, count) or names_of_labels(
            dataset, dataset.files_in(folder), parts
        )
        return Arrays(
            {part: own.images for part, own in parts.items()},
            {part: numbered(own.labels, parts) for part, own in parts.items()},
            names,
            parts["training"].range,
        )
    both: tuple[tuple[Part, bool], ...] = (("training", True), ("test", False))
    images: dict[Part, np.ndarray] = {}
    labels: dict[Part, np.ndarray] = {}
    for part, train in both:
        own, labels[part] = read_part(dataset, folder, train=train)
        images[part] = np.asarray(own)
    if any(own.ndim > 1 for own in labels.values()):
        raise BrokenFile("images that show several classes have no class to count")
    classes = int(labels["training"].max(initial=0)) + 1
    return Arrays(images, labels, dataset.class_names_in(folder, classes), BYTES)


WRONG = "Once files that are no pictures are mended or gone, to train on it"
SPLIT = "Without a test part, every fifth picture of a class is for the test."
EQUAL = "all training images are equal: there is nothing to learn."


def strange_parts(images: Mapping[Any, np.ndarray]) -> list[str]:
    """Return what is strange about how the images of each part look, a sentence each.

    Args:
        images: of each part, (count, channels, rows, columns) uint8.
    """
    found = strange_looks(images["training"])
    for part, own in images.items():
        if part != "training":
            more = strange_looks(own)
            found += [f"for {part}: {words}" for words in more if not found]
    return found


def strange_looks(images: np.ndarray) -> list[str]:
    """Return what is strange about how images look, a sentence each.

    Args:
        images: (count, channels, rows, columns) uint8, as a network reads them.
    """
    some = np.asarray(images[:: max(1, len(images) // LOOKED_AT)])
    if len(some) > 1 and (some == some[:1]).all() and all_equal(np.asarray(images)):
        return [EQUAL]
    found = []
    brightest = some.reshape(len(some), -1).max(axis=1)
    dark = int((brightest < DARK).sum())
    if dark > len(some) / 2:
        found.append(
            f"the images are nearly black: of {len(some)} looked at, {dark} have no "
            f"value above {DARK} of 255. Should they be divided by another number?"
        )
    elif some.shape[1] == 1:
        light = sum(ground_of(image[0].astype(np.float32)) == "light" for image in some)
        if light > len(some) / 2:
            found.append(
                "the images are dark on light. The drawing area and uploads give a "
                "network light on dark: exchange the two (inverted)."
            )
    spread = some.astype(np.float32).std(axis=0).mean()
    if not found and len(some) > 1 and spread < ALIKE:
        found.append(
            "the images are nearly alike: a pixel differs from its mean by "
            f"{spread:.2g} of 255."
        )
    return found


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
            f"no training image shows {some_of(empty, 5)}: a network cannot learn that."
        )
    if few := [name for name, count in training.items() if 0 < count < FEW]:
        found.append(f"fewer than {FEW} training images show {some_of(few, 5)}.")
    filled = [count for count in training.values() if count]
    if filled and max(filled) >= UNEVEN * min(filled):
        found.append(
            f"the commonest class has {max(filled)} training images, the rarest "
            f"{min(filled)}: the setting balance shows rare classes as often."
        )
    shown = [name for name, count in training.items() if count]
    if len(shown) == 1:
        found.append(f"there is {shown[0]} alone: training needs two classes or more.")
    found += _alike(list(training))
    if all(words and set(words) <= NAMELESS for words in map(words_of, training)):
        found.append(
            f"the classes are called {some_of(training, 5)}, which says nothing of "
            "what pictures show: are these folders classes?"
        )
    if test is not None and (
        untested := [name for name in shown if not test.get(name)]
    ):
        found.append(f"no test image shows {some_of(untested, 5)}.")
    return found


def _alike(names: Sequence[str]) -> list[str]:
    """Say which names of classes differ in capitals alone."""
    known: dict[str, str] = {}
    found = []
    for name in names:
        other = known.setdefault(name.casefold(), name)
        if other != name:
            found.append(
                f"the classes {other} and {name} differ in capitals alone: they may be "
                "meant as one."
            )
    return found
