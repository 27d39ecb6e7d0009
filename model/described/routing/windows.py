"""Convolutional capsules: each reads the capsules below in a window of places."""

from dataclasses import dataclass, replace
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.layers.windows import Windows

First = Literal["types", "places"]


@dataclass(frozen=True)
class Window:
    """The windows of a routing, and in which order capsules are listed around it.

    Attributes:
        kernel: side of a window, in places.
        stride: from one window to the next.
        padding: places around the grid, whose capsules are 0.
        grid: types, rows and columns of the capsules below.
        below: what changes slowest in the list of those below.
        slots: what changes slowest among the capsules of a window, as in W.
        above: what changes slowest in the list of the capsules that are made.
    """

    kernel: int
    stride: int
    padding: int
    grid: tuple[int, int, int]
    below: First = "types"
    slots: First = "types"
    above: First = "types"

    @property
    def places(self) -> tuple[int, int]:
        """Rows and columns of the capsules above."""
        return self._windows.above

    @property
    def slot_count(self) -> int:
        """Number of capsules that a window holds."""
        return self._windows.slots

    @property
    def words(self) -> str:
        """Such as `3×3, step 2, padding 1`."""
        padded = f", padding {self.padding}" if self.padding else ""
        return f"{self.kernel}×{self.kernel}, step {self.stride}{padded}"

    @property
    def _windows(self) -> Windows:
        types, rows, columns = self.grid
        more = 2 * self.padding
        grid = (types, rows + more, columns + more)
        return Windows(grid, (self.kernel, self.kernel), self.stride)

    def gathered(self, listed: Tensor) -> Tensor:
        """Return the capsules of each window: (batch · places, slots, size).

        Args:
            listed: all capsules below, (batch, capsules, size).
        """
        types, rows, columns = self.grid
        if self.below == "places":
            placed = listed.unflatten(1, (rows, columns, types))
            listed = placed.permute(0, 3, 1, 2, 4).flatten(1, 3)
        numbers = torch.arange(types * rows * columns).reshape(self.grid)
        padded = F.pad(numbers, (self.padding,) * 4, value=numbers.numel())
        within = padded.flatten()[self._windows.members()]
        if self.slots == "places":
            within = within.unflatten(1, (types, -1)).mT.flatten(1)
        zero = torch.zeros_like(listed[:, :1])
        listed = torch.cat([listed, zero], dim=1) if self.padding else listed
        return listed[:, within.to(listed.device)].flatten(0, 1)

    def listed(self, capsules: Tensor) -> Tensor:
        """Return all capsules above in one list: (batch, capsules, size).

        Args:
            capsules: of each window, (batch · places, types, size).
        """
        rows, columns = self.places
        placed = capsules.unflatten(0, (-1, rows * columns))
        placed = placed.transpose(1, 2) if self.above == "types" else placed
        return placed.flatten(1, 2)

    def grid_above(self, capsules: int) -> tuple[int, int, int]:
        """Return types, rows and columns of so many capsules above."""
        rows, columns = self.places
        return capsules // (rows * columns), rows, columns

    def sorted(self) -> "Window":
        """Return the same, of capsules below that are listed by types."""
        return replace(self, below="types")


@dataclass(frozen=True)
class Active:
    """Capsules with activations beside their numbers.

    Attributes:
        poses: (batch, capsules, size).
        activations: (batch, capsules).
        grid: rows and columns, of capsules that are listed by these; None where they
            stand at no place.
    """

    poses: Tensor
    activations: Tensor
    grid: tuple[int, int] | None = None

    def in_windows(self, window: Window) -> "Active":
        """Return the capsules that each window reads: (batch · places, slots, ...)."""
        both = torch.cat([self.poses, self.activations[..., None]], dim=2)
        read = window.gathered(both)
        return Active(read[..., :-1], read[..., -1])

    def in_list(self, window: Window) -> "Active":
        """Return what windows make, as the next routing reads it."""
        activations = window.listed(self.activations[..., None])[..., 0]
        return Active(window.listed(self.poses), activations, window.places)


def by_grid(values: Tensor, grid: tuple[int, int, int], first: First) -> Tensor:
    """Return a number of each capsule in the order in which capsules are listed.

    Args:
        values: (batch, types, rows, columns), or (batch, rows, columns, types).
        grid: types, rows and columns.
        first: what changes slowest in the list of capsules.
    """
    types, rows, columns = grid
    axes = tuple(length for length in values.shape[1:] if length > 1)
    by_type, by_place = (
        tuple(length for length in lengths if length > 1)
        for lengths in (grid, (rows, columns, types))
    )
    if first == "places" and axes == by_type != by_place:
        values = values.reshape(-1, *grid).movedim(1, 3)
    elif first == "types" and axes == by_place != by_type:
        values = values.reshape(-1, rows, columns, types).movedim(3, 1)
    return values.flatten(1)
