"""What would be understood of a folder: format, classes, what is strange."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from capsnet_explorer.datasets.arrays import array_files, unused_arrays
from capsnet_explorer.datasets.catalogue import (
    NAMES_FILE,
    TEST,
    TITLE_FILE,
    TRAINING,
    Dataset,
)
from capsnet_explorer.datasets.doubles import Hashed, doubles_words, hashed, hashes_of
from capsnet_explorer.datasets.form import Folders, Form
from capsnet_explorer.datasets.formats import NEEDED, dataset_in
from capsnet_explorer.datasets.idx import BrokenFile, find_idx
from capsnet_explorer.datasets.looks import Looks, ground_of, looks_of
from capsnet_explorer.datasets.naming import (
    BESIDE,
    ORDER,
    Part,
    is_left_by_a_system,
    steps_of,
    unlike_others,
    words_of,
)
from capsnet_explorer.datasets.parts import (
    class_names_in,
    files_of,
    idx_prefix,
    labelled_parts,
    names_of_labels,
    numbered,
)
from capsnet_explorer.datasets.pictures import (
    Picture,
    Survey,
    arranged_files,
    contents,
    decoded,
    formed,
    pictures_of,
    survey,
)
from capsnet_explorer.datasets.pixels import Labelled, range_words
from capsnet_explorer.datasets.tables import table_files
from capsnet_explorer.datasets.text import some_of
from capsnet_explorer.datasets.tree import Tree, tree_of
from capsnet_explorer.datasets.unread import unread_words, unused_words
from capsnet_explorer.datasets.unused import Unused, ending_of, leave
from capsnet_explorer.pictures.decoding.frames import has_further_pages

FEW = 10  # training images of a class, below which little can be learnt of it
UNEVEN = 5  # times as many images of one class as of another
SAMPLED = 200  # pictures that are looked at
LOOKED_AT = 1000  # images of an array
DARK = 48  # of 255; images that never get brighter are nearly black
# Words of folders that say nothing of what is in their pictures.
NAMELESS = {*BESIDE, "mask", "masks", "label", "labels", "annotation", "annotations"}
FAINT = 140  # of 255: images whose highest value is below it may have another white
ALIKE = 2.0  # of 255, by which a pixel of images differs that show something
FORMATS = {
    "pictures": "pictures in folders, one for each class",
    "csv": "images in CSV files",
    "npz": "arrays in files of NumPy, MATLAB or CIFAR",
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
        raise NothingFound(nothing_words(f"{folder} must hold {NEEDED}", folder))
    return (
        _pictures(dataset, folder)
        if dataset.format == "pictures"
        else _arrays(dataset, folder)
    )


def nothing_words(needed: str, path: Path | Tree) -> str:
    """Say what is needed, and what is there that could not be used.

    Args:
        needed: a sentence without its point.
        path: the folder, the file, or its files.
    """
    tree = path if isinstance(path, Tree) else tree_of(path)
    whole = [] if tree.path.is_dir() else [tree.path.name]  # a form in an archive
    arrangement = arranged_files(tree)
    files = [name for some in arrangement.whole.values() for name in some]
    words = [*unread_words(tree, whole), *unused_words(tree, arrangement.unused, files)]
    return " ".join([f"{needed}.", *dict.fromkeys(words)]).rstrip(".")


def _pictures(dataset: Dataset, folder: Path) -> Description:
    surveyed = survey(folder, dataset.folders)
    for part in surveyed.parts:  # a class that training lacks is told before all else
        pictures_of(surveyed, folder, part)
    names = surveyed.class_names
    counts: dict[Part, dict[str, int]] = {
        part: {name: len(some.get(name, ())) for name in names}
        for part, some in surveyed.parts.items()
    }
    reading = _Seen()
    sample = list(reading.sampled(surveyed))
    looks = looks_of(picture for picture in sample)
    total = sum(sum(some.values()) for some in counts.values())
    lines = [looks.words, looks.size_words(total), *looks.range_words, *surveyed.lines]
    strange = warnings_of(counts["training"], counts.get("test", {}))
    strange += looks.warnings
    if sample:
        images = [formed(picture, looks.form, looks.white) for picture in sample]
        strange += strange_looks(np.stack(images))
    strange += doubles_words(reading.hashes(surveyed, looks.form, looks.white))
    lines += pages_words(reading.several, reading.total)
    lines += unused_words(tree_of(folder), surveyed.unused)
    if surveyed.is_split:
        lines.append(SPLIT)
    strange += reading.words
    options = _options_of(looks)
    if dataset.folders is not None:
        options += ["--folders", dataset.folders]
    first = WRONG if reading.wrong else ""
    return Description(dataset, counts, lines, strange, options, first)


class _Seen:
    """What is seen of pictures while they are decoded.

    Attributes:
        total: how many files were looked at.
        several: how many of them have several pages.
        wrong: what is wrong with those that are no pictures.
    """

    def __init__(self) -> None:
        self.total = self.several = 0
        self.wrong: list[str] = []

    @property
    def words(self) -> list[str]:
        """Say which files are no pictures."""
        if not self.wrong:
            return []
        more = f" ({len(self.wrong)} of {self.total} looked at)"
        return [f"{self.wrong[0]}{more if len(self.wrong) > 1 else ''}"]

    def sampled(self, surveyed: Survey) -> Iterator[Any]:
        """Yield some pictures of each class; damaged ones are left out."""
        names = surveyed.class_names
        files = [
            file
            for some in surveyed.parts["training"].values()
            for file in some[: max(1, SAMPLED // len(names))]
        ]
        for name, content in contents(files):
            try:
                yield decoded(content, name)
            except BrokenFile:
                continue  # it is told below, as all that are damaged

    def hashes(self, surveyed: Survey, form: Form, white: int) -> Iterator[Hashed]:
        """Yield what stands for each picture's pixels."""
        every: list[tuple[Part, int, Picture]] = [
            (part, label, file)
            for part, some in surveyed.parts.items()
            for label, name in enumerate(surveyed.class_names)
            for file in some.get(name, ())
        ]
        read = contents(file for _, _, file in every)
        for (part, label, _), (name, content) in zip(every, read, strict=True):
            self.total += 1
            self.several += has_further_pages(content)
            try:
                image = formed(decoded(content, name), form, white)
            except BrokenFile as error:
                self.wrong.append(str(error))
            else:
                yield part, label, hashed(np.ascontiguousarray(image).tobytes())


def pages_words(several: int, total: int) -> list[str]:
    """Say of how many files with several pictures only the first one is used."""
    if not several:
        return []
    files = "file" if total == 1 else "files"
    has = "has" if several == 1 else "have"
    return [
        f"{several} of {total} {files} {has} several pages, frames or sizes: the first "
        "is used that is not blank, of icons the largest."
    ]


def _options_of(looks: Looks) -> list[str]:
    form = looks.form
    options = ["--size", f"{form.rows}x{form.columns}"]
    options.append("--colour" if form.channels > 1 else "--grey")
    return [*options, *(["--inverted"] if form.is_inverted else [])]


def _arrays(dataset: Dataset, folder: Path) -> Description:
    names, parts = arrays_of(dataset, folder)
    counts: dict[Part, dict[str, int]] = {}
    for part, some in parts.items():
        tally = np.bincount(some.labels, minlength=len(names)).tolist()
        counts[part] = dict(zip(names, tally, strict=True))
    images = {part: np.asarray(some.images) for part, some in parts.items()}
    labels = {part: some.labels for part, some in parts.items()}
    _, channels, rows, columns = images["training"].shape
    colour = "in colour" if channels > 1 else "grey"
    words, warnings = sentences(parts)
    tree = tree_of(folder)
    lines = [
        f"The images are {colour}, {rows} rows of {columns} pixels.",
        *words,
        *unused_words(tree, unused_files(dataset, files_of(dataset, folder), tree)),
    ]
    strange = [
        *warnings_of(counts["training"], counts["test"]),
        *warnings,
        *strange_parts(images),
        *doubles_words(hashes_of(images, labels)),
    ]
    return Description(dataset, counts, lines, strange, [])


def sentences(parts: Mapping[Part, Labelled]) -> tuple[list[str], list[str]]:
    """Return what is told of images as they were read, and what is strange."""
    lines = dict.fromkeys(line for some in parts.values() for line in some.lines)
    warnings = [words for some in parts.values() for words in some.warnings]
    return [*range_words(parts["training"].range), *lines], warnings


def unused_files(dataset: Dataset, files: Path, tree: Tree) -> Unused:
    """Return the files beside tables, arrays or MNIST's files that are not used."""
    used = {NAMES_FILE, TITLE_FILE}
    unused: Unused = {}
    if dataset.format == "csv":
        used |= {path.name for path in table_files(files).values()}
    elif dataset.format == "npz":
        used |= {path.name for path in array_files(files)} | {"batches.meta", "meta"}
        leave(unused, "arrays", *unused_arrays(files))
    elif dataset.format == "idx":
        before = idx_prefix(dataset, files)
        files_found = (find_idx(files, before + name) for name in (*TRAINING, *TEST))
        used |= {path.name for path in files_found if path is not None}
    for name in sorted(tree.files):
        steps = steps_of(name)
        is_mapping = steps[-1].endswith("-mapping.txt")
        if not is_left_by_a_system(steps) and steps[-1] not in used and not is_mapping:
            leave(unused, ending_of(steps[-1]), name)
    return unused


def arrays_of(dataset: Dataset, folder: Path) -> tuple[list[str], dict[Part, Labelled]]:
    """Read CSV files, arrays, or files in MNIST's format, whole.

    Returns:
        A name for each class, and the images of each part, with labels from 0.

    Raises:
        FileNotFoundError: a file is missing.
        BrokenFile: a file is damaged, or its images show several classes each.
    """
    parts = labelled_parts(dataset, folder)
    if any(some.labels.ndim > 1 for some in parts.values()):
        raise BrokenFile("images that show several classes have no class to count")
    known = parts["training"].labels
    if dataset.format == "idx":
        classes = int(known.max(initial=0)) + 1
        return class_names_in(dataset, folder, classes), parts
    names = dataset.written_names(folder, len(np.unique(known)))
    names = names or names_of_labels(dataset, files_of(dataset, folder), parts)
    return names, {
        part: replace(some, labels=numbered(some.labels, parts))
        for part, some in parts.items()
    }


WRONG = "Once files that are no pictures are mended or gone, to train on it"
SPLIT = "Without a test part, every fifth picture of a class is for the test."
EQUAL = "all training images are equal: there is nothing to learn."


def strange_parts(images: Mapping[Any, np.ndarray]) -> list[str]:
    """Return what is strange about how the images of each part look, a sentence each.

    Args:
        images: of each part, (count, channels, rows, columns) uint8.
    """
    warnings = strange_looks(images["training"])
    for part, some_images in images.items():
        if part != "training":
            more = strange_looks(some_images)
            warnings += [f"for {part}: {words}" for words in more if not warnings]
    return warnings


def strange_looks(images: np.ndarray) -> list[str]:
    """Return what is strange about how images look: a sentence at most.

    Args:
        images: (count, channels, rows, columns) uint8, as a network reads them.
    """
    some = np.asarray(images[:: max(1, len(images) // LOOKED_AT)])
    if len(some) > 1 and (some == some[:1]).all() and all_equal(np.asarray(images)):
        return [EQUAL]
    brightest = some.reshape(len(some), -1).max(axis=1)
    dark = int((brightest < DARK).sum())
    if dark > len(some) / 2:
        return [
            f"the images are nearly black: of {len(some)} looked at, {dark} have no "
            f"value above {DARK} of 255. Should they be divided by another number?"
        ]
    if some.shape[1] == 1 and _are_light(some[:, 0]):
        return [
            "the images are dark on light. The drawing area and uploads give a "
            "network light on dark: exchange the two (inverted)."
        ]
    highest = int(brightest.max(initial=0))
    if highest <= FAINT:
        return [
            f"no value is above {highest}, where 255 is white: if {highest} is meant "
            f"as white, as 100 of percent, multiply all by {255 / highest:.3g}."
        ]
    spread = some.astype(np.float32).std(axis=0).mean()
    if len(some) > 1 and spread < ALIKE:
        return [
            "the images are nearly alike: a pixel differs from its mean by "
            f"{spread:.2g} of 255."
        ]
    return []


def _are_light(images: np.ndarray) -> bool:
    grounds = [ground_of(image.astype(np.float32)) for image in images]
    return grounds.count("light") > len(images) / 2


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
    counts = {name: count for name, count in training.items() if count}
    warnings = [
        *_about(
            "no training image shows {}: a network cannot learn that.",
            [name for name in training if name not in counts],
        ),
        *_about(
            f"fewer than {FEW} training images show {{}}.",
            [name for name, count in counts.items() if count < FEW],
        ),
        *_about(
            "there is {} alone: training needs two classes or more.",
            [*counts] if len(counts) == 1 else [],
        ),
    ]
    if counts and max(counts.values()) >= UNEVEN * min(counts.values()):
        warnings.append(
            f"the commonest class has {max(counts.values())} training images, the "
            f"rarest {min(counts.values())}: the setting balance shows rare classes as "
            "often."
        )
    untested = [] if test is None else [name for name in counts if not test.get(name)]
    warnings += _strange_names([*training])
    return [*warnings, *_about("no test image shows {}.", untested)]


def _about(sentence: str, names: Sequence[str]) -> list[str]:
    """Return a sentence about some names; none where there are none."""
    return [sentence.format(some_of(names, 5))] if names else []


def _strange_names(names: Sequence[str]) -> list[str]:
    """Return what is strange about the names of classes, a sentence each."""
    warnings = _alike(names)
    if odd := unlike_others(names):
        warnings.append(
            f"the class {odd} is called unlike all others "
            f"({some_of([name for name in names if name != odd])}): is it one?"
        )
    if all(words and set(words) <= NAMELESS for words in map(words_of, names)):
        warnings.append(
            f"the classes are called {some_of(names, 5)}, which says nothing of "
            "what pictures show: are these folders classes?"
        )
    return warnings


def _alike(names: Sequence[str]) -> list[str]:
    """Say which names of classes differ in capitals alone."""
    known: dict[str, str] = {}
    warnings = []
    for name in names:
        other = known.setdefault(name.casefold(), name)
        if other != name:
            warnings.append(
                f"the classes {other} and {name} differ in capitals alone: they may be "
                "meant as one."
            )
    return warnings
