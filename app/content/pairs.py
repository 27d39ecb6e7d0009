"""The test set of two digits on top of each other, made of that of single digits."""

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.app.content.datasets import Dataset
from capsnet_explorer.datasets.overlapping import REACH, TEST_LAYOUT, fixed_pairs
from capsnet_explorer.perturbations.overlay import placed

MOST = 255  # ink of a pixel


class Pairs:
    """Each digit of a data set over another; the images that training is measured on.

    Attributes:
        digits: (count, 2), indices in the data set of single digits.
        shifts: (count, 2, 2), of each digit: pixels down and right.
        labels: (count, 2).
        shape: channels, rows and columns of an image.
    """

    def __init__(self, dataset: Dataset) -> None:
        """Lay the digits out.

        Raises:
            ValueError: they are of one class.
        """
        self._dataset = dataset
        labels = np.asarray(dataset.labels)
        self.digits, self.shifts = fixed_pairs(labels, TEST_LAYOUT)
        self.labels = labels[self.digits]
        channels, rows, columns = dataset.images.shape[1:]
        self.shape = (channels, rows + 2 * REACH, columns + 2 * REACH)

    def __len__(self) -> int:
        return len(self.digits)

    def image(self, index: int) -> NDArray[np.float32]:
        """Return the clipped sum of two digits: (channels, rows, columns) in [0, 1]."""
        canvas = np.zeros(self.shape, np.int16)
        for digit, shift in zip(self.digits[index], self.shifts[index], strict=True):
            for onto, channel in zip(canvas, self._dataset.images[digit], strict=True):
                onto += placed(channel, shift[::-1], self.shape[1:])
        return canvas.clip(max=MOST).astype(np.float32) / np.float32(MOST)
