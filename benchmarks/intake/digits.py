"""The digits to read: MNIST's test digits, and folders of real pictures."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.intake.scene import Plane
from capsnet_explorer.app.content.datasets import open_test_set

MANIFEST = "manifest.tsv"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A real picture of a digit.

    Attributes:
        name: its path in the folder.
        label: the digit it shows.
        group: its kind and polarity, such as `photo, dark-on-light`.
        file: the picture.
    """

    name: str
    label: int
    group: str
    file: bytes


def load_drawings(folder: Path) -> list[Drawing]:
    """Read a folder of pictures with a `manifest.tsv`.

    Its columns are file, label, kind and polarity; others are ignored.
    """
    with (folder / MANIFEST).open(encoding="utf-8", newline="") as lines:
        return [
            Drawing(
                row["file"],
                int(row["label"]),
                f"{row['kind']}, {row['polarity']}",
                (folder / row["file"]).read_bytes(),
            )
            for row in csv.DictReader(lines, delimiter="\t")
        ]


class Mnist:
    """Random samples of MNIST's test digits.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._digits = open_test_set(folder)

    def some(
        self, count: int, labels: tuple[int, ...], random: np.random.Generator
    ) -> list[tuple[int, int, Plane]]:
        """Sample distinct digits: index in the test set, label, (28, 28) in [0, 1]."""
        places = np.flatnonzero(np.isin(self._digits.labels, labels))
        return [
            (
                int(place),
                int(self._digits.labels[place]),
                self._digits.image(int(place)),
            )
            for place in random.permutation(places)[:count]
        ]
