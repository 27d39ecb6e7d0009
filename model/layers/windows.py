"""Which capsules below each capsule above sees, and the reverse."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Windows:
    """The windows of a layer of capsules onto the grid of its children.

    A child's number runs over types, rows and columns; so does a slot's within a
    window. All types of capsules at one position share a window.

    Attributes:
        grid: (types, rows, columns) of the children.
        kernel: rows and columns of a window.
        stride: step between windows, in children.
    """

    grid: tuple[int, int, int]
    kernel: tuple[int, int]
    stride: int

    @property
    def children(self) -> int:
        """Number of capsules below."""
        types, rows, columns = self.grid
        return types * rows * columns

    @property
    def above(self) -> tuple[int, int]:
        """Rows and columns of the positions above."""
        _, rows, columns = self.grid
        return (
            (rows - self.kernel[0]) // self.stride + 1,
            (columns - self.kernel[1]) // self.stride + 1,
        )

    @property
    def positions(self) -> int:
        """Number of positions above."""
        rows, columns = self.above
        return rows * columns

    @property
    def slots(self) -> int:
        """Number of children in a window."""
        return self.grid[0] * math.prod(self.kernel)

    def members(self) -> Tensor:
        """Return the child in each slot of each window: (positions, slots) int64."""
        numbers = torch.arange(self.children).reshape(self.grid)
        windows = numbers.unfold(1, self.kernel[0], self.stride)
        windows = windows.unfold(2, self.kernel[1], self.stride)
        return windows.permute(1, 2, 0, 3, 4).reshape(self.positions, self.slots)

    def places(self) -> Tensor:
        """Return where each child is seen: (children, reach) int64.

        An entry is `position * slots + slot`. A child that fewer windows see than
        another has `positions * slots` in its last entries.
        """
        children, rank, reach = self._rank()
        table = torch.full((self.children, reach), len(children))
        table[children, rank] = torch.arange(len(children))
        return table

    def entries(self) -> Tensor:
        """Return which entry of `places` each slot is: (positions, slots) int64.

        It is the entry's number in the flattened `places`.
        """
        children, rank, reach = self._rank()
        return (children * reach + rank).reshape(self.positions, self.slots)

    def even(self, types: int) -> Tensor:
        """Return the first assignments, in which each child's shares are equal.

        Args:
            types: of the capsules above.

        Returns:
            (positions, 1, slots): a child's sum to 1 over positions and types.
        """
        counts = self.members().flatten().bincount(minlength=self.children)
        return (1 / (types * counts))[self.members()][:, None]

    def _rank(self) -> tuple[Tensor, Tensor, int]:
        """Return the child in each slot, how many slots before it see it, and the most.

        The first two are (positions * slots,).
        """
        children = self.members().flatten()
        counts = children.bincount(minlength=self.children)
        order = children.argsort(stable=True)
        rank = torch.empty_like(children)
        starts = counts.cumsum(0) - counts
        rank[order] = torch.arange(len(children)) - starts[children[order]]
        return children, rank, int(counts.max())
