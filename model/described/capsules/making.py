"""How a part's values are capsules, where no convolution's maps are cut."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.squashes import OTHERS, PAPER, Curve
from capsnet_explorer.model.described.layers import Values
from capsnet_explorer.model.described.routing.windows import First
from capsnet_explorer.model.described.running.watching import Recording

NUMBERS = "numbers"
# What the axes are that list capsules, by how many there are.
LISTED: dict[int, tuple[str, ...]] = {
    0: (),
    1: ("capsules",),
    2: ("types", "places"),
    3: ("types", "rows", "columns"),
}


@dataclass(frozen=True)
class Order:
    """Where the numbers of a capsule stand among a part's values.

    Attributes:
        shape: that the values of an image are given first.
        axes: of that shape, in the order of the list of capsules; that of a capsule's
            numbers comes last.
        words: what the axes of the values are; empty where capsules stand as routing
            lists them, each with its numbers.
    """

    shape: tuple[int, ...]
    axes: tuple[int, ...]
    words: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether capsules stand as routing lists them, each with its numbers."""
        return not self.words

    @property
    def count(self) -> int:
        """Number of capsules."""
        return math.prod(self.shape) // self.size

    @property
    def size(self) -> int:
        """Numbers of a capsule."""
        return self.shape[self.axes[-1]]

    def listed(self, values: Tensor) -> Tensor:
        """Return capsules (batch, capsules, size) of values (batch, ...)."""
        split = values.reshape(values.shape[0], *self.shape)
        ordered = split.permute(0, *(1 + axis for axis in self.axes))
        return ordered.reshape(values.shape[0], self.count, self.size)


@dataclass(frozen=True)
class Arrangement:
    """How the values of one part, or of several that are joined, are capsules.

    Attributes:
        orders: one for each part.
        tensor: which of several tensors that a part returns, from 0.
        curve: how capsules are shortened after that part; None if they are not.
    """

    orders: tuple[Order, ...]
    tensor: int = 0
    curve: Curve | None = None

    @property
    def oddities(self) -> int:
        """How much is not as a part usually returns them."""
        if self.curve is None:
            return 0
        return 1 + (self.curve.name not in ("paper", "own"))

    @property
    def is_plain(self) -> bool:
        """Whether capsules stand as routing lists them, each with its numbers."""
        return all(order.is_plain for order in self.orders)

    @property
    def size(self) -> int:
        """Numbers of a capsule."""
        return self.orders[0].size

    @property
    def grids(self) -> list[tuple[tuple[int, int, int], First]]:
        """Types, rows and columns of capsules, and which is listed first, as may be."""
        order = self.orders[0]
        if len(self.orders) > 1 or len(order.axes) != 4:
            return []
        first, second, third = (order.shape[axis] for axis in order.axes[:3])
        if self.is_by_place:
            return [((third, first, second), "places")]
        by_types: tuple[tuple[int, int, int], First] = (first, second, third), "types"
        if first == second:
            return [by_types, ((third, first, second), "places")]
        return [by_types]

    @property
    def is_by_place(self) -> bool:
        """Whether capsules are listed in another order than their axes have."""
        axes = self.orders[0].axes
        return list(axes[:-1]) != sorted(axes[:-1])

    @property
    def words(self) -> str:
        """What the axes of each part's values are."""
        named = [order.words or "capsules, numbers" for order in self.orders]
        return " and ".join(dict.fromkeys(named))

    def listed(self, values: Sequence[Tensor]) -> Tensor:
        """Return capsules (batch, capsules, size) of the values of each part."""
        pairs = zip(self.orders, values, strict=True)
        capsules = torch.cat([order.listed(tensor) for order, tensor in pairs], dim=1)
        return capsules if self.curve is None else self.curve(capsules, (2,))


def values_of(layer: Values, recording: Recording, tensor: int = 0) -> list[Tensor]:
    """Return what each part of a layer returned.

    Args:
        layer: of one part or several.
        recording: what parts returned.
        tensor: which of several tensors, from 0, unless the layer picks one.
    """
    return [_tensors_of(layer, part, recording)[tensor] for part in layer.modules]


def choices_of(layer: Values, recording: Recording) -> range:
    """Return which of a part's tensors may be capsules: one if the layer picks it."""
    return range(
        min(len(_tensors_of(layer, part, recording)) for part in layer.modules)
    )


def _tensors_of(layer: Values, part: nn.Module, recording: Recording) -> list[Tensor]:
    if layer.pick is not None:
        return [layer.picked(recording.whole.get(part, recording.outputs[part]))]
    return recording.returned.get(part, [recording.outputs[part]])


def arrangements(
    shapes: Sequence[tuple[int, ...]],
    sizes: Collection[int],
    fits: Callable[[int, int], bool],
) -> Iterator[Arrangement]:
    """Yield how values may be capsules, those that are used as they are first.

    Args:
        shapes: of the values of each part, for an image.
        sizes: how many numbers a capsule may have.
        fits: whether W reads so many capsules of so many numbers.
    """
    several = [
        joined
        for joined in product(*(list(_orders(shape, sizes)) for shape in shapes))
        if len({order.size for order in joined}) == 1
        and fits(sum(order.count for order in joined), joined[0].size)
    ]
    several.sort(key=lambda joined: not all(order.is_plain for order in joined))
    for curve in (None, PAPER, *OTHERS):
        if curve is None or curve.name != "none":
            for joined in several:
                yield Arrangement(joined, curve=curve)


def _orders(shape: tuple[int, ...], sizes: Collection[int]) -> Iterator[Order]:
    """Yield every order of the values of an image, without those that are the same."""
    axes = tuple(length for length in shape if length > 1) or (1,)
    known: set[bytes] = set()
    numbers = torch.arange(math.prod(axes))[None]
    for size in sizes:
        for order in _orders_of(axes, size):
            listed = order.listed(numbers).contiguous().numpy()
            key = size.to_bytes(8, "big") + listed.tobytes()
            if key not in known:
                known.add(key)
                yield order


def _orders_of(axes: tuple[int, ...], size: int) -> Iterator[Order]:
    for axis, length in reversed([*enumerate(axes)]):
        if length == size:
            yield from _with_numbers_at(axes, axis, axes)
        elif length % size == 0 and size > 1:
            for pair in ((length // size, size), (size, length // size)):
                split = (*axes[:axis], *pair, *axes[axis + 1 :])
                for position in (axis + 1, axis):
                    if split[position] == size:
                        yield from _with_numbers_at(split, position, axes)
    total = math.prod(axes)
    if total % size == 0:  # neighbours in memory, as `view` cuts them
        yield Order((total // size, size), (0, 1), "cut by view")


def _with_numbers_at(
    shape: tuple[int, ...], axis: int, axes: tuple[int, ...]
) -> Iterator[Order]:
    """Yield the orders in which an axis has a capsule's numbers."""
    rest = [rank for rank in range(len(shape)) if rank != axis]
    names = LISTED.get(len(rest), tuple(f"axis {rank + 1}" for rank in rest))
    words = _words(shape, axes, dict(zip(rest, names, strict=True)) | {axis: NUMBERS})
    is_plain = shape == axes and axis == len(axes) - 1
    yield Order(shape, (*rest, axis), "" if is_plain else words)
    if len(rest) > 1:
        yield Order(shape, (*rest[1:], rest[0], axis), f"{words}, listed by place")


def _words(shape: tuple[int, ...], axes: tuple[int, ...], named: dict[int, str]) -> str:
    """Return what the axes are, such as `types · numbers, rows, columns`."""
    words, axis = [], 0
    for length in axes:
        joined, held = [named[axis]], shape[axis]
        while held < length:
            axis += 1
            joined.append(named[axis])
            held *= shape[axis]
        axis += 1
        words.append(" · ".join(joined))
    return ", ".join(words)
