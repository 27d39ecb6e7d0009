"""Connected components of a mask, found by runs of pixels and union-find."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Components:
    """The connected parts of a mask; pixels connect at edges and corners.

    Attributes:
        labels: (rows, columns) int32, 0 outside the mask, 1..count inside.
        area: (count,) pixels of each part.
        top, left, bottom, right: (count,) box of each part; bottom and right are
            the first row and column after it.
    """

    labels: NDArray[np.int32]
    area: NDArray[np.int64]
    top: NDArray[np.int64]
    left: NDArray[np.int64]
    bottom: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def height(self) -> NDArray[np.int64]:
        """Rows of each part's box (count,)."""
        return self.bottom - self.top

    @property
    def width(self) -> NDArray[np.int64]:
        """Columns of each part's box (count,)."""
        return self.right - self.left

    @property
    def size(self) -> NDArray[np.int64]:
        """The longer side of each part's box (count,)."""
        return np.maximum(self.height, self.width)

    def gaps(self, part: int) -> NDArray[np.int64]:
        """Return the distance (count,) in px of each part's box from that of one."""
        across = np.maximum(self.left - self.right[part], self.left[part] - self.right)
        down = np.maximum(self.top - self.bottom[part], self.top[part] - self.bottom)
        return np.maximum(np.maximum(across, down), 0)


def label(mask: NDArray[np.bool_]) -> Components:
    """Find the connected components of a mask (rows, columns)."""
    row, start, stop = runs(mask)
    parent = joined(row.tolist(), start.tolist(), stop.tolist())
    _, part = np.unique(parent, return_inverse=True)
    count = int(part.max()) + 1 if len(part) else 0
    length = stop - start
    # Runs are sorted by row, so repeating labels by run length fills the mask in order.
    labels = np.zeros(mask.shape, dtype=np.int32)
    labels[mask] = np.repeat(part + 1, length)

    def extreme(
        pick: np.ufunc, values: NDArray[np.int64], first: int
    ) -> NDArray[np.int64]:
        result = np.full(count, first, dtype=np.int64)
        pick.at(result, part, values)
        return result

    far = max(mask.shape)
    return Components(
        labels=labels,
        area=np.bincount(part, weights=length, minlength=count).astype(np.int64),
        top=extreme(np.minimum, row, far),
        left=extreme(np.minimum, start, far),
        bottom=extreme(np.maximum, row + 1, 0),
        right=extreme(np.maximum, stop, 0),
    )


def runs(
    mask: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return row, first column and column after the last of each run of set pixels."""
    rows, columns = mask.shape
    padded = np.zeros((rows, columns + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    row, start = np.nonzero(change == 1)
    _, stop = np.nonzero(change == -1)
    return row, start, stop


def joined(row: list[int], start: list[int], stop: list[int]) -> list[int]:
    """Return for each run the first run of its component.

    Runs of adjacent rows touch if they overlap or meet at a corner. Both rows are
    scanned together from left to right, so each pair is compared once.
    """
    parent = list(range(len(row)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    above = 0
    for run in range(len(row)):
        while row[above] < row[run] - 1 or (
            row[above] == row[run] - 1 and stop[above] < start[run]
        ):
            above += 1
        candidate = above
        while row[candidate] == row[run] - 1 and start[candidate] <= stop[run]:
            first, second = sorted((root(candidate), root(run)))
            parent[second] = first
            candidate += 1
    return [root(run) for run in range(len(row))]
