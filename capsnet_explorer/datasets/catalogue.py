"""The data sets that a network can be trained on: names, folders, class names.

Most have four files in MNIST's format: images and labels, for training and test. Drawn
digits have no files, and a set of symbols is one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from capsnet_explorer.datasets import emnist
from capsnet_explorer.datasets.form import Folders, Form
from capsnet_explorer.datasets.text import text_of

TRAINING = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")
TEST = ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
NAMES_FILE = "classes.txt"  # beside the files of `idx`, one name a line
TITLE_FILE = "title.txt"  # beside them, the name of the data set
OWN = re.compile(r"set:[0-9a-f]{8}")  # names a set of pictures that the page has taken


@dataclass(frozen=True, slots=True)
class Dataset:
    """One data set.

    Attributes:
        name: its name on the command line.
        source: who made it.
        title: its name for people; `{folder}` stands for the name of its folder.
        place: its folder within the data folder.
        class_names: the classes in the order of their labels; empty if unknown.
        archives: each file as a .gz that can be downloaded, with the MD5 of the .gz;
            empty if there is none.
        archive_bytes: size of all archives.
        mirrors: addresses that archives' names complete; the first that answers serves.
        raw_md5: MD5 of each file, where known.
        is_written: whether the project writes its images when they are read.
        format: of its files: MNIST's (`idx`), CIFAR-10's, pictures in
            folders, CSV files, NumPy's arrays, or a set of symbols, whose one file
            `place` names.
        made_by: the command that makes it; None if no command does.
        overlaps: whether its images are laid over each other in pairs when they are
            read.
        form: of the images that pictures become, or whose pixels a CSV file has; None
            is the usual one.
        split: of EMNIST's files, such as `letters`; empty for others.
        folders: what the outermost folders of pictures are; None lets their names tell.
    """

    name: str
    source: str
    title: str = "{folder}"
    place: str = "."
    class_names: tuple[str, ...] = ()
    archives: tuple[tuple[str, str], ...] = ()
    archive_bytes: int = 0
    mirrors: tuple[str, ...] = ()
    raw_md5: tuple[tuple[str, str], ...] = ()
    is_written: bool = False
    format: Literal["idx", "cifar", "pictures", "csv", "npz", "symbols"] = "idx"
    made_by: str | None = None
    overlaps: bool = False
    form: Form | None = None
    split: str = ""
    folders: Folders | None = None

    @property
    def can_be_downloaded(self) -> bool:
        """Whether the command `data` gets it; CIFAR-10 comes by torchvision."""
        return bool(self.archives) or self.format == "cifar"

    def files_in(self, folder: Path) -> Path:
        """Return the folder of its files, or its one file, given the data folder."""
        if self.split:
            start = f"{emnist.BEGINNING}{self.split}-train-images"
            for place in emnist.PLACES:
                if any((folder / place).glob(f"{start}*")):
                    return folder / place
        return folder / self.place

    def title_in(self, folder: Path) -> str:
        """Return the name for people, given the data folder."""
        written = folder / TITLE_FILE
        if self.format == "idx" and self.place == "." and written.is_file():
            return text_of(written.read_bytes()).strip()
        return self.title.format(folder=folder.resolve().name)

    def written_names(self, folder: Path, count: int) -> list[str]:
        """Return the names in the file of names; none without such a file.

        Raises:
            ValueError: the file does not name `count` classes.
        """
        written = self.files_in(folder) / NAMES_FILE
        if not written.is_file():
            return []
        names = text_of(written.read_bytes()).split("\n")
        names = [name.strip() for name in names if name.strip()]
        if len(names) != count:
            raise ValueError(
                f"{NAMES_FILE} must name {count} classes, one a line, got {len(names)}"
            )
        return names


def _archives(*md5: str) -> tuple[tuple[str, str], ...]:
    """Return the names of the four archives, each with its MD5."""
    names = [f"{name}.gz" for name in (*TRAINING, *TEST)]
    return tuple(zip(names, md5, strict=True))


_MNIST = Dataset(
    name="mnist",
    title="MNIST",
    source="MNIST (LeCun, Cortes & Burges)",
    place="MNIST/raw",
    class_names=tuple("0123456789"),
    archives=_archives(
        "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        "d53e105ee54ea40749a09fcbcd1e9432",
        "9fb629c4189551a2d022fa330f9573f3",
        "ec29112dd5afa0611ce80d1b7f02629c",
    ),
    archive_bytes=11_594_722,
    mirrors=(
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ),
    raw_md5=(
        ("train-images-idx3-ubyte", "6bbc9ace898e44ae57da46a324031adb"),
        ("train-labels-idx1-ubyte", "a25bea736e30d166cdddb491f175f624"),
        ("t10k-images-idx3-ubyte", "2646ac647ad5339dbf082846283269ea"),
        ("t10k-labels-idx1-ubyte", "27ae3e4e09519cfbb04c329615203637"),
    ),
)
_ALL = (
    _MNIST,
    replace(_MNIST, name="overlapping", title="pairs of digits", overlaps=True),
    Dataset(
        name="fashion-mnist",
        title="Fashion-MNIST",
        source="Fashion-MNIST (Xiao, Rasul & Vollgraf)",
        place="FashionMNIST/raw",
        class_names=(
            *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat"),
            *("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"),
        ),
        archives=_archives(
            "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
            "25c81989df183df01b3e8a0aad5dffbe",
            "bef4ecab320f06d8554ea6380940ec79",
            "bb300cfdad3c16e7a12a480ee83cd310",
        ),
        archive_bytes=30_878_645,
        mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
    ),
    Dataset(
        name="kmnist",
        title="Kuzushiji-MNIST",
        source="Kuzushiji-MNIST (CODH; Clanuwat and others)",
        place="KMNIST/raw",
        class_names=("o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"),
        archives=_archives(
            "bdb82020997e1d708af4cf47b453dcf7",
            "e144d726b3acfaa3e44228e80efcd344",
            "5c965bf0a639b31b8f53240b1b52f4d7",
            "7320c461ea6c1c855c0b718fb2a4b134",
        ),
        archive_bytes=21_240_888,
        mirrors=("http://codh.rois.ac.jp/kmnist/dataset/kmnist/",),
    ),
    Dataset(
        name="drawn",
        title="digits that this project draws",
        source="digits that this project draws",
        class_names=tuple("0123456789"),
        is_written=True,
    ),
    Dataset(
        name="toys",
        title="toys on a turntable",
        source="toys that this project draws",
        place="toys",
        class_names=("animal", "human", "plane", "truck", "car"),
        made_by="toys",
    ),
    Dataset(
        name="cifar10",
        title="CIFAR-10",
        source="CIFAR-10 (Krizhevsky 2009)",
        place="CIFAR10",
        class_names=(
            *("airplane", "automobile", "bird", "cat", "deer"),
            *("dog", "frog", "horse", "ship", "truck"),
        ),
        format="cifar",
    ),
    Dataset("folder", "pictures in folders, one for each class", format="pictures"),
    Dataset("csv", "images in CSV files", format="csv"),
    Dataset("npz", "arrays of images in NumPy's files", format="npz"),
    Dataset(
        name="symbols",
        title="symbols of one's own",
        source="drawings and photographs of whoever trained it",
        place="symbols.json",
        format="symbols",
    ),
    Dataset("idx", "four files in MNIST's format"),
)
DATASETS = {dataset.name: dataset for dataset in _ALL}
SHELVES = {dataset.place.partition("/")[0] for dataset in _ALL} - {"."}
"""The folders of known data sets within the data folder."""


def file_name(dataset: str) -> str:
    """Return a data set's name as part of a file's, which may have no colon."""
    return dataset.replace(":", "-")


def dataset_named(name: str) -> Dataset:
    """Return the data set of a name, among them EMNIST's and sets of one's own.

    Raises:
        ValueError: no data set has that name.
    """
    if name in DATASETS:
        return DATASETS[name]
    split = name.removeprefix(emnist.BEGINNING)
    if split != name and split in emnist.SPLITS:
        return Dataset(
            name=name,
            title=f"EMNIST {split}",
            source="EMNIST (Cohen, Afshar, Tapson & van Schaik)",
            place=emnist.PLACES[0],
            split=split,
        )
    if OWN.fullmatch(name):
        return replace(DATASETS["idx"], name=name, source="pictures of one's own")
    splits = ", ".join(f"{emnist.BEGINNING}{part}" for part in emnist.SPLITS)
    raise ValueError(
        f"dataset must be one of {', '.join(DATASETS)}, {splits}, got {name}"
    )


def dataset_of(card: Mapping[str, Any]) -> Dataset:
    """Return the data set that a network's card names, in the form that it reads.

    Raises:
        ValueError: no data set has that name.
    """
    dataset = dataset_named(card.get("dataset", "mnist"))  # old cards name none
    config = card.get("config", {})
    if dataset.format not in ("pictures", "csv") or "image_rows" not in config:
        return dataset
    form = Form(
        config["image_rows"],
        config["image_columns"],
        config["image_channels"],
        is_inverted=bool(card.get("inverted")),
    )
    return replace(dataset, form=form, folders=card.get("folders"))
