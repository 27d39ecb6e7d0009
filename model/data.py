"""MNIST for training and tests: found or downloaded, checked, shifted."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

# MD5 of the four uncompressed files. torchvision checks those it downloads, but takes
# files that are already there on trust.
RAW_MD5 = {
    "train-images-idx3-ubyte": "6bbc9ace898e44ae57da46a324031adb",
    "train-labels-idx1-ubyte": "a25bea736e30d166cdddb491f175f624",
    "t10k-images-idx3-ubyte": "2646ac647ad5339dbf082846283269ea",
    "t10k-labels-idx1-ubyte": "27ae3e4e09519cfbb04c329615203637",
}

# What torchvision raises when files are missing or not MNIST's: some checks of its own
# are assertions.
_UNREADABLE = (
    AssertionError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class DataError(Exception):
    """The data set is missing or broken; the message says what to do."""


@dataclass(frozen=True, slots=True)
class DigitImages:
    """Labelled images.

    Attributes:
        images: (count, rows, columns) uint8, ink 255.
        labels: (count,) int64.
    """

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def split(self, held_out: int) -> tuple["DigitImages", "DigitImages"]:
        """Return all but the last `held_out` images, and those."""
        cut = len(self) - held_out
        return (
            DigitImages(self.images[:cut], self.labels[:cut]),
            DigitImages(self.images[cut:], self.labels[cut:]),
        )


def load_mnist(folder: Path, *, train: bool) -> DigitImages:
    """Read the training or the test part from `folder`, in torchvision's layout.

    Raises:
        DataError: nothing there, or a file that is not what MNIST is.
    """
    # Imported here: only training and evaluation need torchvision, and it is slow.
    from model.torchvision_data import MNIST

    try:
        part = MNIST(str(folder), train=train, download=False)
    except _UNREADABLE as error:
        raise DataError(
            f"no readable MNIST in {folder}: run `python -m model data` to download "
            "it, or name a folder that holds MNIST/raw with --data"
        ) from error
    if len(part.data) != len(part.targets):
        raise DataError(
            f"MNIST in {folder} must have one label for each image, "
            f"got {len(part.targets)} for {len(part.data)}"
        )
    return DigitImages(part.data, part.targets)


def download_mnist(folder: Path) -> None:
    """Download what is missing, showing progress, and check every file.

    Raises:
        DataError: the download failed or a file is not MNIST's.
    """
    from model.torchvision_data import MNIST

    try:
        for train in (True, False):
            MNIST(str(folder), train=train, download=True)
    except _UNREADABLE as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise DataError(
            f"could not download MNIST into {folder}: {reason}. Try again when this "
            "machine is online, or put MNIST's four files into MNIST/raw there"
        ) from error
    for name in broken_files(folder):
        raise DataError(
            f"{folder / 'MNIST' / 'raw' / name} is damaged: its MD5 is not MNIST's. "
            "Remove it and run `python -m model data` again"
        )


def broken_files(folder: Path) -> Iterator[str]:
    """Yield the names of raw files that are missing or not MNIST's."""
    for name, expected in RAW_MD5.items():
        path = folder / "MNIST" / "raw" / name
        if not path.is_file() or _md5(path) != expected:
            yield name


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def to_network(images: Tensor) -> Tensor:
    """Scale uint8 images to the network's float32 range, 0..1."""
    return images.float() / 255


def shifted(images: Tensor, offsets: Tensor) -> Tensor:
    """Move each image by whole pixels; what leaves is lost, what enters is empty.

    Args:
        images: (batch, rows, columns).
        offsets: (batch, 2) int64, pixels down and right; negative is up and left.

    Returns:
        Same shape and type as `images`.
    """
    batch, rows, columns = images.shape
    reach = int(offsets.abs().max()) if len(offsets) else 0
    padded = F.pad(images, (reach, reach, reach, reach))
    from_rows = torch.arange(rows) + reach - offsets[:, :1]
    from_columns = torch.arange(columns) + reach - offsets[:, 1:]
    which = torch.arange(batch)[:, None, None]
    return padded[which, from_rows[:, :, None], from_columns[:, None, :]]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one training step sees.

    Attributes:
        images: (batch, rows, columns) float32 in 0..1, shifted.
        labels: (batch,) int64.
    """

    images: Tensor
    labels: Tensor


def epoch_batches(
    digits: DigitImages, *, epoch: int, batch_size: int, shift: int, seed: int
) -> list["PlannedBatch"]:
    """Plan one epoch: order and shifts follow from `seed` and `epoch` alone.

    A resumed run therefore sees exactly what an uninterrupted one would have seen.
    """
    generator = torch.Generator().manual_seed(1_000_003 * seed + epoch)
    order = torch.randperm(len(digits), generator=generator)
    offsets = torch.randint(-shift, shift + 1, (len(digits), 2), generator=generator)
    return [
        PlannedBatch(digits, indices, offsets[indices])
        for indices in order.split(batch_size)
    ]


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch that is read when it is asked for."""

    digits: DigitImages
    indices: Tensor
    offsets: Tensor

    def read(self) -> Batch:
        """Fetch the images, shift and scale them."""
        images = shifted(self.digits.images[self.indices], self.offsets)
        return Batch(to_network(images), self.digits.labels[self.indices])
