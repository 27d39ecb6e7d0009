"""The W of a module: its axes, in whatever order, split and shared as its code does."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from torch import Tensor

from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Routing

NAMES = ("in", "out", "out size", "in size")
SPLITS = (("out", "out size"), ("out size", "out"))


@dataclass(frozen=True)
class Layout:
    """What the axes of W are.

    Attributes:
        axes: of W, those that are in, out, out size and in size.
        split: of a W of three axes, the one that is two, and the classes that it holds;
            None for a W of four.
        is_class_first: whether what is split has the numbers of one class side by side.
        shared: `no`, or how the first axis, of types, stands for the capsules of all
            places: each type for `runs` of adjacent capsules, or in `turns`.
        times: how many capsules share.
    """

    axes: tuple[int, ...] = (0, 1, 2, 3)
    split: tuple[int, int] | None = None
    is_class_first: bool = True
    shared: Literal["no", "runs", "turns"] = "no"
    times: int = 1

    def of(self, given: Tensor) -> Tensor:
        """Return W as (in, out, out size, in size).

        Args:
            given: as `matrices` returns it.
        """
        if self.split is not None:
            axis, classes = self.split
            sizes = (classes, -1) if self.is_class_first else (-1, classes)
            given = given.unflatten(axis, sizes)
        found = given.permute(self.axes)
        if self.shared == "runs":
            return found.repeat_interleave(self.times, 0)
        if self.shared == "turns":
            return found.repeat(self.times, 1, 1, 1)
        return found

    @property
    def oddities(self) -> int:
        """How much is not as this project has it."""
        return (self.axes != (0, 1, 2, 3)) + (not self.is_class_first)

    @property
    def words(self) -> tuple[str, ...]:
        """The axes as they are in the module's own W."""
        by_axis = sorted(zip(self.axes, NAMES, strict=True))
        named = [name for _, name in by_axis]
        if self.split is None:
            return tuple(named)
        axis, _ = self.split
        pair = f"{named[axis]} · {named[axis + 1]}"
        return (*named[:axis], pair, *named[axis + 2 :])


def matrices(layer: Routing) -> Tensor:
    """Return the module's W as it is now, without axes of length 1 before the others.

    Raises:
        Different: it is no tensor of three or four axes.
    """
    try:
        given = layer.transforms() if callable(layer.transforms) else layer.transforms
    except Exception as error:
        raise Different(
            f"{layer.id}: transforms raised {type(error).__name__}: {error}; it must "
            "return the module's W, such as lambda: net.W",
            layer=layer.id,
        ) from error
    if not isinstance(given, Tensor):
        raise Different(
            f"{layer.id}: transforms must return the tensor W of shape (in, out, out "
            f"size, in size), got a {type(given).__name__}",
            layer=layer.id,
        )
    found = given.detach() if not given.requires_grad else given
    while found.ndim > 4 and 1 in found.shape:
        found = found.squeeze(found.shape.index(1))
    if layer.form == "self" and found.ndim == 3:
        found = found[..., None]  # a number for each class
    if found.ndim not in (3, 4):
        raise Different(
            f"{layer.id}: W must be (in, out, out size, in size), or (in, in size, out "
            f"· out size), got {tuple(given.shape)}",
            layer=layer.id,
        )
    return found


def layouts(
    layer: Routing,
    shape: tuple[int, ...],
    capsules: int,
    size: int,
    *,
    classes: int | None,
    types: int | None,
) -> list[Layout]:
    """Return the layouts of W that fit, the contract's first.

    Args:
        layer: the routing, for messages.
        shape: of W.
        capsules: number of those below.
        size: numbers of each.
        classes: how many there are; None if the layer above is not that of the classes.
        types: of the capsules below, whose places may share W; None without places.

    Raises:
        Different: none fits.
    """
    fitting = list(_fitting(shape, capsules, size, classes))
    if not fitting and types is not None and types < capsules:
        times = capsules // types
        fitting = [
            Layout(each.axes, each.split, each.is_class_first, shared, times)
            for each in _fitting(shape, types, size, classes)
            for shared in ("runs", "turns")
            if shared == "runs" or types > 1
        ]
    if not fitting:
        out = "out" if classes is None else f"{classes} classes"
        raise Different(
            f"{layer.id}: W must be ({capsules} capsules, {out}, out size, {size} "
            f"numbers of a capsule), in any order, to fit {layer.below}, got {shape}",
            layer=layer.id,
        )
    return fitting


def _fitting(
    shape: tuple[int, ...], capsules: int, size: int, classes: int | None
) -> Iterator[Layout]:
    if len(shape) == 4:
        for axes in permutations(range(4)):
            if (
                shape[axes[0]] == capsules
                and shape[axes[3]] == size
                and classes in (None, shape[axes[1]])
            ):
                yield Layout(axes)
        return
    if classes is None:
        return
    for below, within, both in permutations(range(3)):
        fits = shape[below] == capsules and shape[within] == size
        if not fits or shape[both] % classes:
            continue

        def place(axis: int, both: int = both) -> int:
            return axis + (axis > both)

        for is_class_first in (True, False):
            pair = (both, both + 1) if is_class_first else (both + 1, both)
            axes = (place(below), *pair, place(within))
            yield Layout(axes, (both, classes), is_class_first)
