"""The W of a module: its axes, in whatever order, split and shared as its code does."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.layers import Routing

Name = str  # one of `NAMES`
NAMES: tuple[Name, ...] = ("in", "out", "out size", "in size")
Axes = tuple[tuple[Name, ...], ...]
USUAL: Axes = (("in",), ("out",), ("out size",), ("in size",))
# What one product makes of a capsule, or of all.
VOTE: tuple[Name, ...] = ("out", "out size")
ALL: tuple[Name, ...] = ("in", "out", "out size")


@dataclass(frozen=True)
class Layout:
    """What the axes of W are.

    Attributes:
        axes: of W, which of in, out, out size and in size each of them holds; without
            axes of length 1 where all capsules share W.
        sizes: of in, out, out size and in size; of in, how many there are in W.
        shared: `no`, or how the first of these, of types, stands for the capsules of
            all places: each type for `runs` of adjacent capsules, or in `turns`.
        times: how many capsules share.
    """

    axes: Axes = USUAL
    sizes: tuple[int, ...] = ()
    shared: Literal["no", "runs", "turns"] = "no"
    times: int = 1

    def of(self, weights: Tensor) -> Tensor:
        """Return W as (in, out, out size, in size).

        Args:
            weights: as `matrices` returns it.
        """
        held = [name for axis in self.axes for name in axis]
        lengths = dict(zip(NAMES, self.sizes or weights.shape, strict=True))
        split = weights.reshape([lengths[name] for name in held])
        if "in" not in held:
            held, split = ["in", *held], split[None]
        transforms = split.permute([held.index(name) for name in NAMES])
        if self.shared == "runs":
            return transforms.repeat_interleave(self.times, 0)
        if self.shared == "turns":
            return transforms.repeat(self.times, 1, 1, 1)
        return transforms

    @property
    def oddities(self) -> int:
        """How much is not as this project has it."""
        held = [name for axis in self.axes for name in axis]
        is_mixed = len(self.axes) < len(NAMES) and (
            held.index("out size") < held.index("out")
        )
        return (self.axes != USUAL) + is_mixed

    @property
    def words(self) -> tuple[str, ...]:
        """The axes as they are in the module's own W."""
        return tuple(" · ".join(axis) for axis in self.axes)


def matrices(layer: Routing) -> Tensor:
    """Return the module's W as it is now, without axes of length 1 before the others.

    Raises:
        Different: it is no tensor of three or four axes.
    """
    tensor = _stated_weights(layer)
    weights = tensor.detach() if not tensor.requires_grad else tensor
    while weights.ndim > 4 and 1 in weights.shape:
        weights = weights.squeeze(weights.shape.index(1))
    if layer.form == "self" and weights.ndim == 3:
        weights = weights[..., None]  # a number for each class
    if weights.ndim not in ((4,) if layer.form == "em" else (2, 3, 4)):
        raise layer.differs(
            "W must be (in, out, out size, in size), or have two or three "
            f"axes that hold these, got {tuple(tensor.shape)}"
        )
    return weights


def vote_matrices(layer: Routing) -> Tensor:
    """Return the W that makes votes, where self-routing makes couplings of another."""
    other = replace(layer, transforms=layer.votes, votes=None, form="dynamic")
    return matrices(other)


def _stated_weights(layer: Routing) -> Tensor:
    """Return W as the module has it."""
    source: Any = layer.transforms
    try:
        if not isinstance(source, nn.Module | Tensor):
            source = source()
    except Exception as error:
        raise layer.differs(
            f"transforms raised {type(error).__name__}: {error}; it must "
            "return the module's W, such as lambda: net.W"
        ) from error
    is_list = isinstance(source, nn.ModuleList | list | tuple)
    several: list[Any] = [*source] if is_list else [source]
    for part in several:
        if isinstance(part, nn.Module) and getattr(part, "bias", None) is not None:
            raise layer.differs(
                f"transforms must be a part without a bias, got {part}; "
                "votes with a bias are not recomputed: describe the part that makes "
                "its capsules as Values(id, module)"
            )
    tensors: list[Any] = [weight_of(x) for x in several]
    if not tensors or not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise layer.differs(
            "transforms must return the tensor W of shape (in, out, out "
            f"size, in size), got a {type(source).__name__}"
        )
    return tensors[0] if len(several) == 1 else torch.stack(tensors)


def weight_of(part: Any) -> Any:
    """Return the weight of a layer; a kernel reads the numbers of all its places."""
    weight = getattr(part, "weight", part)
    is_kernel = isinstance(part, nn.modules.conv._ConvNd)
    return weight.flatten(1) if is_kernel else weight


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
    shares = (types, 1) if types is not None else ()
    for count in shares:
        if not fitting and count < capsules and capsules % count == 0:
            fitting = [
                replace(layout, shared=shared, times=capsules // count)
                for layout in _fitting(shape, count, size, classes)
                for shared in ("runs", "turns")
                if shared == "runs" or count > 1
            ]
    if not fitting:
        out = "out" if classes is None else f"{classes} classes"
        raise layer.differs(
            f"W must be ({capsules} capsules, {out}, out size, {size} "
            f"numbers of a capsule), in any order, to fit {layer.below}, got {shape}"
        )
    return fitting


def _fitting(
    shape: tuple[int, ...], capsules: int, size: int, classes: int | None
) -> Iterator[Layout]:
    """Yield the layouts of a W of some shape; if none fits, without axes of 1."""
    plain = tuple(length for length in shape if length > 1)
    for lengths in dict.fromkeys((shape, plain)):
        fits = False
        for axes in _AXES.get(len(lengths), ()):
            sizes = _sizes(lengths, axes, capsules, size, classes)
            if sizes is not None:
                fits = True
                yield Layout(axes, sizes)
        if fits:
            return


def _all_axes() -> Iterator[Axes]:
    for names in permutations(NAMES):
        yield tuple((name,) for name in names)
    for pair in (VOTE, VOTE[::-1]):
        for parts in permutations((("in",), pair, ("in size",))):
            yield parts
        for parts in permutations((pair, ("in size",))):
            yield parts
    for several in permutations(ALL):
        for parts in permutations((several, ("in size",))):
            yield parts


# By the number of axes that W has.
_AXES: dict[int, list[Axes]] = {
    count: [axes for axes in _all_axes() if len(axes) == count] for count in (4, 3, 2)
}


def _sizes(
    lengths: tuple[int, ...],
    axes: Axes,
    capsules: int,
    size: int,
    classes: int | None,
) -> tuple[int, ...] | None:
    """Return the sizes of in, out, out size and in size; None if axes have others."""
    known: dict[Name, int] = {"in": capsules, "in size": size}
    if classes is not None:
        known["out"] = classes
    joined = {len(axis) for axis in axes if "in" in axis}
    if (not joined and capsules != 1) or (capsules == 1 and max(joined, default=1) > 1):
        return None
    for length, axis in zip(lengths, axes, strict=True):
        unknown = [name for name in axis if name not in known]
        held = math.prod(known[name] for name in axis if name in known)
        if len(unknown) > 1 or length % held or (not unknown and length != held):
            return None
        if unknown:
            known[unknown[0]] = length // held
    return tuple(known[name] for name in NAMES)
