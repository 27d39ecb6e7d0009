"""The matrices W of a pass: what makes votes of capsules, and from which places."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from capsnet_explorer.model.described.discovery.observing import Node, Observation
from capsnet_explorer.model.described.routing.matrices import weight_of

MOST_STRIDE = 3  # from one window to the next
MOST_AXES = 4  # that `Routing` takes; those of a window are joined
Window = tuple[int, int, int]  # kernel, stride, padding


@dataclass(frozen=True)
class Grid:
    """Capsules as a layer may have them.

    Attributes:
        types: of capsules; of those at no place, their number.
        rows, columns: of places; 0 of capsules that stand at none.
        size: numbers of a capsule.
    """

    types: int
    rows: int
    columns: int
    size: int

    @property
    def count(self) -> int:
        """Number of capsules."""
        return self.types * max(1, self.rows) * max(1, self.columns)


Read = tuple[Window | None, tuple[Grid, ...]]  # windows, and what stands above


@dataclass(frozen=True, eq=False)
class Applied:
    """A W, and the nodes that apply it to capsules.

    Attributes:
        number: of the last of its nodes.
        nodes: all of them: layers side by side are one W.
        transforms: that `Routing` takes: a part that has W, or a function of W.
        code: the Python of that.
        owner: the part whose W it is.
        shape: of W, without axes of length 1.
        counts: how many numbers it makes of an image, as it may be counted.
    """

    number: int
    nodes: frozenset[int]
    transforms: Any
    code: str
    owner: nn.Module
    shape: tuple[int, ...]
    counts: frozenset[int]

    @property
    def _numbers(self) -> int:
        return math.prod(self.shape)

    def reads(self, grid: Grid) -> list[Read]:
        """Return the windows in which W may read capsules, and what it makes of them.

        None stands for all capsules, whose votes are as many as those that were seen.
        """
        windows = [*self._windows(grid)] if grid.rows else []
        for slots in dict.fromkeys((grid.count, grid.types, 1)):
            ends = self._ends(slots, grid.size)
            if ends and self._makes(grid.count * ends, grid.size):
                whole = None, self._above(ends, 0, 0)
                # A W that all places share is rather one of windows.
                is_shared = slots < grid.count
                return [*windows, whole] if is_shared else [whole, *windows]
        return windows

    def _ends(self, slots: int, size: int) -> int:
        """Return how many numbers are made of a capsule; 0 if these are not W's."""
        axes = [*self.shape]
        numbers, side = math.prod(axes), math.isqrt(size)
        if side**2 == size and axes.count(side) > 1:  # matrices, of poses that are, too
            axes.remove(side)
            axes.remove(side)
            above = numbers // (slots * size)
            return above * size if sorted(axes) == sorted((slots, above)) else 0
        if size not in axes or numbers % (slots * size):
            return 0
        axes.remove(size)
        ends = numbers // (slots * size)
        return ends if {slots, slots * ends} & {*axes, 1} else 0

    @property
    def sizes(self) -> set[int]:
        """How many numbers the capsules that it reads may have."""
        twice = {n for n in self.shape if self.shape.count(n) > 1}
        return {*self.shape, *(side**2 for side in twice)}

    def _makes(self, votes: int, size: int) -> bool:
        # A product that is not yet summed has as many numbers again as a capsule.
        return votes > 0 and bool({votes, votes * size} & self.counts)

    def _windows(self, grid: Grid) -> Iterator[Read]:
        for padding in range(min(grid.rows, grid.columns)):
            for kernel in range(1, min(grid.rows, grid.columns) + 1):
                slots = kernel**2 * grid.types
                ends = self._ends(slots, grid.size)
                if padding >= kernel or not ends:
                    continue
                for stride in range(1, min(kernel, MOST_STRIDE) + 1):
                    rows, columns = (
                        (length + 2 * padding - kernel) // stride + 1
                        for length in (grid.rows, grid.columns)
                    )
                    if self._makes(rows * columns * slots * ends, grid.size):
                        above = self._above(ends, rows, columns)
                        yield (kernel, stride, padding), above

    def _above(self, ends: int, rows: int, columns: int) -> tuple[Grid, ...]:
        axes = {*self.shape}
        return tuple(
            Grid(types, rows, columns, ends // types)
            for types in range(1, ends + 1)
            if ends % types == 0 and ({types, ends // types} & axes or ends in axes)
        )


def applied_in(
    module: nn.Module,
    observation: Observation,
    python: Mapping[nn.Module, str],
    together: Callable[[list[nn.Module]], nn.Module | None],
) -> list[Applied]:
    """Return the W of a module, from the image up.

    A layer is taken for one where couplings follow from just what it makes.
    """
    matrices = [
        _own(module, observation, number, python)
        for number, node in enumerate(observation.nodes)
        if node.kind == "transforms"
    ]
    for nodes in dict.fromkeys(
        softmaxes.sources for softmaxes in observation.couplings
    ):
        layers = [observation.nodes[number] for number in sorted(nodes)]
        if all(map(_may_vote, layers)) and len({node.reads for node in layers}) == 1:
            parts = [node.module for node in layers if node.module is not None]
            part = together(parts) if len(parts) > 1 else parts[0]
            if part is not None:
                matrices.append(
                    _of_layers(observation, nodes, parts, part, python[part])
                )
    return sorted(matrices, key=lambda applied: applied.number)


def _may_vote(node: Node) -> bool:
    is_layer = node.kind in ("linear", "grouped") or (
        isinstance(node.module, nn.Conv2d) and node.module.groups > 1
    )
    return is_layer and getattr(node.module, "bias", None) is None


def _of_layers(
    observation: Observation,
    nodes: frozenset[int],
    parts: list[nn.Module],
    part: nn.Module,
    code: str,
) -> Applied:
    lengths = (len(parts), *weight_of(parts[0]).shape)
    count = sum(observation.counts[number][0] for number in nodes)
    return Applied(
        *(max(nodes), nodes, part, code, part),
        tuple(length for length in lengths if length > 1),
        frozenset([count // observation.nodes[0].shape[0]]),
    )


def _own(
    module: nn.Module,
    observation: Observation,
    number: int,
    python: Mapping[nn.Module, str],
) -> Applied:
    path, _, name = observation.nodes[number].parameter.rpartition(".")
    owner = module.get_submodule(path)
    is_listed = isinstance(owner, nn.ParameterList)
    code = python[owner] + (f"[{name}]" if is_listed else f".{name}")
    shape = tuple(length for length in getattr(owner, name).shape if length > 1)
    several = len(shape) - MOST_AXES
    if several > 0:
        shape = (math.prod(shape[: several + 1]), *shape[several + 1 :])
        code += f".squeeze().flatten(0, {several})"

    def transforms() -> Tensor:
        weights = getattr(owner, name)
        return weights.squeeze().flatten(0, several) if several > 0 else weights

    counts, images = observation.counts[number], observation.nodes[0].shape[0]
    numbers = frozenset({counts[0] // images, sum(counts) // images})
    nodes = frozenset([number])
    return Applied(number, nodes, transforms, f"lambda: {code}", owner, shape, numbers)
