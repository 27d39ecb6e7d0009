"""The data sets that a network can be trained on: names, folders, class names.

Each but smallNORB and symbols of one's own has four files in MNIST's format: images and
labels, for training and test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dataset_files.symbols import read_symbols

TRAINING = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")
TEST = ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
NAMES_FILE = "classes.txt"  # beside the files of `idx`, one name a line


@dataclass(frozen=True, slots=True)
class Dataset:
    """One data set.

    Attributes:
        name: its name on the command line.
        title: its name for people; `{folder}` stands for the name of its folder.
        source: who made it.
        place: its folder within the data folder.
        class_names: the classes in the order of their labels; empty if unknown.
        raw_md5: MD5 of each file, where known. For other data sets torchvision knows
            the MD5 of the archives.
        downloaded_as: torchvision's name for it; None if it cannot be downloaded.
        is_norb: whether its files are in smallNORB's format.
        is_symbols: whether it is one file, a set of symbols; `place` is that file.
        made_by: the command that makes it; None if no command does.
        overlaps: whether its images are laid over each other in pairs when they are
            read.
    """

    name: str
    title: str
    source: str
    place: str
    class_names: tuple[str, ...] = ()
    raw_md5: tuple[tuple[str, str], ...] = ()
    downloaded_as: str | None = None
    is_norb: bool = False
    is_symbols: bool = False
    made_by: str | None = None
    overlaps: bool = False

    def files_in(self, folder: Path) -> Path:
        """Return the folder of the files, or the one file, given the data folder."""
        return folder / self.place

    def title_in(self, folder: Path) -> str:
        """Return the name for people, given the data folder."""
        return self.title.format(folder=folder.resolve().name)

    def class_names_in(self, folder: Path, count: int) -> list[str]:
        """Return a name for each of `count` classes; without names, their numbers.

        Raises:
            OSError: the file of names cannot be read.
            ValueError: the file does not name `count` classes.
        """
        if self.is_symbols:
            return list(read_symbols(self.files_in(folder)).names)
        names = list(self.class_names)
        written = self.files_in(folder) / NAMES_FILE
        if not names and written.exists():
            names = written.read_text(encoding="utf-8").split("\n")
            names = [name.strip() for name in names if name.strip()]
            if len(names) != count:
                raise ValueError(
                    f"{written} must name {count} classes, one a line, got {len(names)}"
                )
        return names if len(names) == count else [str(each) for each in range(count)]


_MNIST = Dataset(
    name="mnist",
    title="MNIST",
    source="MNIST (LeCun, Cortes & Burges)",
    place="MNIST/raw",
    class_names=tuple("0123456789"),
    raw_md5=(
        ("train-images-idx3-ubyte", "6bbc9ace898e44ae57da46a324031adb"),
        ("train-labels-idx1-ubyte", "a25bea736e30d166cdddb491f175f624"),
        ("t10k-images-idx3-ubyte", "2646ac647ad5339dbf082846283269ea"),
        ("t10k-labels-idx1-ubyte", "27ae3e4e09519cfbb04c329615203637"),
    ),
    downloaded_as="MNIST",
)
_ALL = (
    _MNIST,
    replace(
        _MNIST,
        name="overlapping",
        title="overlapping digits of MNIST",
        overlaps=True,
    ),
    Dataset(
        name="fashion-mnist",
        title="Fashion-MNIST",
        source="Fashion-MNIST (Xiao, Rasul & Vollgraf)",
        place="FashionMNIST/raw",
        class_names=(
            *("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat"),
            *("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"),
        ),
        downloaded_as="FashionMNIST",
    ),
    Dataset(
        name="kmnist",
        title="Kuzushiji-MNIST",
        source="Kuzushiji-MNIST (CODH; Clanuwat and others)",
        place="KMNIST/raw",
        class_names=("o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"),
        downloaded_as="KMNIST",
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
        name="smallnorb",
        title="smallNORB",
        source="smallNORB (LeCun, Huang & Bottou 2004)",
        place="smallnorb",
        class_names=("animal", "human", "plane", "truck", "car"),
        is_norb=True,
    ),
    Dataset(
        name="symbols",
        title="symbols of one's own",
        source="drawings and photographs of whoever trained it",
        place="symbols.json",
        is_symbols=True,
    ),
    Dataset(
        name="idx",
        title="{folder}",
        source="four files in MNIST's format",
        place=".",
    ),
)
DATASETS = {dataset.name: dataset for dataset in _ALL}


def dataset_of(card: Mapping[str, Any]) -> Dataset:
    """Return the data set that a network's card names.

    Raises:
        ValueError: no data set has that name.
    """
    name = card.get("dataset", "mnist")  # old cards name none
    if name not in DATASETS:
        raise ValueError(f"dataset must be one of {', '.join(DATASETS)}, got {name}")
    return DATASETS[name]
