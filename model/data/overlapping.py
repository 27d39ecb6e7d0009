"""Two digits on top of each other (Sabour, Frosst & Hinton 2017, section 6).

Each digit stands on a canvas that is 8 pixels higher and wider than its own image, in
the middle but for a shift of up to 4 pixels in each direction. An image is the clipped
sum of two digits of different classes.
"""

import hashlib
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.datasets.overlapping import (
    REACH,
    fixed_pairs,
    require_two_classes,
)
from capsnet_explorer.model.data.augmentation import Shifts
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.data.per_image import PerImage
from capsnet_explorer.model.settings import Shape

SINGLES = 0.125  # share of the training images that show a single digit
HELD_OUT = 12  # a twelfth of the digits is held out where no number is named
NONE = -1  # stands for the second digit of an image with a single one
MOST = 255  # ink of a pixel


@dataclass(frozen=True, slots=True)
class Layout(PerImage):
    """Which digits images show, and where.

    Attributes:
        digits: (images, 2) int64, indices of digits; the second may be `NONE`.
        shifts: (images, 2, 2) int64, of each digit: pixels down and right.
    """

    digits: Tensor
    shifts: Tensor

    def __len__(self) -> int:
        return len(self.digits)

    @property
    def sha256(self) -> str:
        """A checksum, the same on every machine."""
        content = (self.digits.numpy(force=True), self.shifts.numpy(force=True))
        return hashlib.sha256(
            b"".join(array.astype("<i4").tobytes() for array in content)
        ).hexdigest()


def lay_out(
    digits: LabelledImages, layout: Layout, classes: int | None = None
) -> tuple[Tensor, Tensor]:
    """Return each digit of each image alone on the canvas, and its class.

    Args:
        digits: the single digits.
        layout: which of them each image shows, and where.
        classes: how many there are; None asks the digits, and a GPU waits for that.

    Returns:
        (images, 2, channels, rows, columns) uint8, without ink where there is no second
        digit; and (images, 2, classes) int64, 1 for the class of each digit, no 1 where
        there is none.
    """
    device = digits.images.device
    indices = layout.digits.to(device)
    is_there = indices != NONE
    flat = indices.clamp(min=0).flatten()
    canvas = F.pad(digits.images[flat], (REACH,) * 4)
    placed = Shifts(layout.shifts.flatten(0, 1).to(device), REACH).apply(canvas)
    placed *= is_there.flatten()[:, None, None, None]
    labels = digits.labels[indices.clamp(min=0)]
    hot = F.one_hot(labels, classes or digits.classes)
    return placed.unflatten(0, (-1, 2)), hot * is_there[..., None]


def merge(apart: Tensor) -> Tensor:
    """Return the clipped sum of digits (images, 2, channels, rows, columns) uint8."""
    return apart.sum(dim=1, dtype=torch.int16).clamp(max=MOST).to(torch.uint8)


def drawn_layout(labels: Tensor, generator: torch.Generator) -> Layout:
    """Lay each digit over another of a different class, or over none.

    Args:
        labels: (count,) int64, of at least two classes.
        generator: source of all randomness.

    Returns:
        One image for each digit, in random order.
    """
    labels = labels.cpu()
    require_two_classes(len(labels.unique()))
    count = len(labels)

    def another(number: int) -> Tensor:
        return torch.randint(count, (number,), generator=generator)

    first = torch.randperm(count, generator=generator)
    second = another(count)
    while len(alike := (labels[first] == labels[second]).nonzero()[:, 0]):
        second[alike] = another(len(alike))
    shifts = torch.randint(-REACH, REACH + 1, (count, 2, 2), generator=generator)
    is_single = torch.rand(count, generator=generator) < SINGLES
    return Layout(torch.stack([first, second.where(~is_single, NONE)], dim=1), shifts)


def fixed_layout(labels: Tensor, name: str) -> Layout:
    """Lay every digit over another of a different class; see `fixed_pairs`.

    Args:
        labels: (count,) int64, of at least two classes.
        name: of the layout; another name gives another one.

    Returns:
        One image for each digit, which is its first, in their order.
    """
    digits, shifts = fixed_pairs(labels.numpy(force=True), name)
    return Layout(torch.from_numpy(digits), torch.from_numpy(shifts))


@dataclass(frozen=True, slots=True)
class DigitPool(LabelledImages):
    """Digits, of which training lays two over each other, others in each epoch.

    Its images and labels are those of the single digits.
    """

    @property
    def shape(self) -> Shape:
        """Channels, rows and columns of an image of two digits."""
        channels, rows, columns = self.images.shape[1:]
        return channels, rows + 2 * REACH, columns + 2 * REACH

    @property
    def most_present(self) -> int:
        """Two."""
        return 2

    def first(self, count: int) -> Tensor:
        """Return images of the first digits over others."""
        return fixed_overlaps(self, "first").images[:count]

    def split(self, held_out: int) -> tuple["DigitPool", "Overlaps"]:
        """Return all digits but the last, and fixed images of the last.

        Some are always held out: they choose the score from which on a class counts.

        Args:
            held_out: how many; 0 holds out a twelfth.
        """
        pool, last = LabelledImages.split(self, held_out or len(self) // HELD_OUT)
        return DigitPool(pool.images, pool.labels), fixed_overlaps(last, "validation")


@dataclass(frozen=True, slots=True)
class Overlaps(LabelledImages):
    """Images of two digits each, the same every time.

    Attributes:
        digits: the single digits.
        layout: which of them each image shows, and where.
    """

    digits: LabelledImages
    layout: Layout

    @property
    def singles(self) -> LabelledImages:
        """The first digit of each image alone, where it stands."""
        apart, classes = lay_out(self.digits, self.layout)
        return LabelledImages(apart[:, 0], classes[:, 0].argmax(dim=1))

    def apart(self, images: slice) -> tuple[Tensor, Tensor]:
        """Return each digit of some images alone, and its class; see `lay_out`."""
        return lay_out(self.digits, self.layout.of(images))


def fixed_overlaps(digits: LabelledImages, name: str) -> Overlaps:
    """Lay every digit over another of a different class; see `fixed_layout`."""
    layout = fixed_layout(digits.labels, name)
    apart, classes = lay_out(digits, layout)
    single = LabelledImages(digits.images, digits.labels)
    return Overlaps(merge(apart), classes.sum(dim=1), single, layout)
