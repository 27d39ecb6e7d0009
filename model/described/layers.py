"""The layers of a description, from the image up: what a user says of a module."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.errors import Different

FORMS = ("dynamic", "attention", "em", "self")
APART = ("em", "self")  # those that make activations of the classes, and no lengths

Squash = Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Layer:
    """A part of a module.

    Attributes:
        id: names the layer in reports, links and tensors.
        title: for people; None capitalizes the id.
    """

    id: str
    title: str | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        """What people call the layer."""
        return self.title or self.id[:1].upper() + self.id[1:]

    @property
    def reads(self) -> str | None:
        """Id of the layer that it reads; None for the image, or where it says none."""
        return getattr(self, "below", None)

    @property
    def modules(self) -> tuple[nn.Module, ...]:
        """The parts of the user's module that compute the layer."""
        part = getattr(self, "module", None)
        return () if part is None else (part,)

    def differs(self, text: str, difference: float = math.inf) -> Different:
        """Return the error that it does not reproduce the module, and what to do."""
        return Different(f"{self.id}: {text}", layer=self.id, difference=difference)


@dataclass(frozen=True, eq=False)
class Convolution(Layer):
    """Kernels that read the image, or the maps of a layer below.

    Attributes:
        module: an `nn.Conv2d`, or a part that has one. What comes before the next
            layer, batch norm and an activation, is found.
        below: id of the layer that it reads; None reads the image.
    """

    module: nn.Module
    below: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "module", _inside(self, nn.Conv2d, self.module))


@dataclass(frozen=True, eq=False)
class Pooling(Layer):
    """The largest value of each window of the maps below.

    Attributes:
        below: id of the layer that it reads.
        size: side of a window, which moves by as much.
    """

    below: str
    size: int

    def __post_init__(self) -> None:
        if not isinstance(self.size, int) or self.size < 1:
            raise ValueError(
                f"{self.id}: size must be a whole number from 1, got {self.size!r}"
            )


@dataclass(frozen=True, eq=False)
class Dense(Layer):
    """A fully connected layer.

    Attributes:
        module: an `nn.Linear`, or a part that has one.
        below: id of the layer that it reads.
    """

    module: nn.Module
    below: str | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "module", _inside(self, nn.Linear, self.module))


@dataclass(frozen=True, eq=False)
class Capsules(Layer):
    """Maps that are cut into small vectors, and squashed.

    Attributes:
        convolutions: one `nn.Conv2d`, or several side by side, whose maps together are
            cut; or a part that has them.
        size: numbers of a capsule.
        below: id of the layer that they read; None reads the image.
        squash: shortens vectors (..., size); None finds out how.
    """

    convolutions: Any
    size: int
    below: str | None = None
    squash: Squash | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        several = _side_by_side(self, self.convolutions)
        if not several:
            raise ValueError(f"{self.id}: convolutions must be one or more, got none")
        object.__setattr__(self, "convolutions", several)
        maps = sum(convolution.out_channels for convolution in several)
        if not isinstance(self.size, int) or self.size < 1 or maps % self.size:
            raise ValueError(
                f"{self.id}: size must divide the {maps} maps that its convolutions "
                f"make, got {self.size!r}"
            )

    @property
    def modules(self) -> tuple[nn.Module, ...]:
        """The convolutions."""
        return self.convolutions


@dataclass(frozen=True, eq=False)
class Routing(Layer):
    """Capsules of a layer below, which vote on those of the next and are routed.

    Attributes:
        transforms: returns W of shape (in, out, out size, in size) whenever it is
            called, so that the module is read, not copied; or the part that has it, a
            linear layer, a grouped convolution or a list of these. Axes in another
            order, axes that hold several of these, and further axes of length 1, are
            found. Of self-routing, the W that makes its couplings, (in, out, in size).
        below: id of the capsules that vote: `Capsules`, an earlier `Routing`, or
            `Values` of shape (batch, capsules, size).
        form: `dynamic` is routing by agreement (Sabour, Frosst & Hinton 2017);
            `attention` is that of Mazzia, Salvetti & Chiaberge (2021); `em` is that of
            Hinton, Sabour & Frosst (2018), of poses that are `Values`, to the classes,
            or in windows whose activations a part returns; `self` is that of Hahn,
            Pyeon & Kim (2019), to the classes, or in such windows, too.
        iterations: how many; None finds out, up to 5.
        prior: the logits that routing begins with, (in, out), or a function that
            returns them; None looks for them among the module's parameters. Of
            attention, what is added to the couplings; of self-routing, to its logits.
        bias: what is added to the weighted sums, (out, out size), or a function that
            returns it; None looks for it among the module's parameters.
        squash: shortens vectors (..., out size); None finds out how.
        activations: of EM routing and self-routing, the id of the `Values` with the
            activations of the capsules below; None where they stand beside the poses,
            where an earlier `Routing` makes both, or, of self-routing, where they are
            the capsules' lengths.
        temperature: of EM routing, the inverse temperature λ; None finds it out among
            the numbers that the module keeps, and usual ones.
        kernel: of convolutional capsules, the side of the window of places that each
            reads, with a W that all places share: (kernel · kernel · types, out types,
            out size, in size). None reads all capsules below.
        stride: from one such window to the next.
        padding: places of zeros around those below.
        votes: of self-routing in windows, the W that makes the numbers of the capsules
            above, as `transforms` of the other forms.
    """

    transforms: Callable[[], Any] | Tensor | nn.Module
    below: str
    form: str = "dynamic"
    iterations: int | None = None
    prior: Callable[[], Tensor] | Tensor | None = field(default=None, kw_only=True)
    bias: Callable[[], Tensor] | Tensor | None = field(default=None, kw_only=True)
    squash: Squash | None = field(default=None, kw_only=True)
    activations: str | None = field(default=None, kw_only=True)
    temperature: float | None = field(default=None, kw_only=True)
    kernel: int | None = field(default=None, kw_only=True)
    stride: int = field(default=1, kw_only=True)
    padding: int = field(default=0, kw_only=True)
    votes: Callable[[], Any] | Tensor | nn.Module | None = field(
        default=None, kw_only=True
    )

    def __post_init__(self) -> None:
        self._check_window()
        if self.form not in FORMS:
            raise ValueError(
                f"{self.id}: form must be dynamic, attention, em or self, which can be "
                f"recomputed, got {self.form!r}; describe another as Values(id, module)"
            )
        if self.iterations is not None and (
            not isinstance(self.iterations, int) or self.iterations < 1
        ):
            raise ValueError(
                f"{self.id}: iterations must be a whole number from 1, or None to "
                f"find out, got {self.iterations!r}"
            )
        if not callable(self.transforms) and not isinstance(
            self.transforms, Tensor | nn.Module
        ):
            raise ValueError(
                f"{self.id}: transforms must be a function that returns W, such as "
                f"lambda: net.W, got {_kind(self.transforms)}"
            )

    def _check_window(self) -> None:
        least = {"kernel": 1, "stride": 1, "padding": 0}
        for name, low in least.items():
            value = getattr(self, name)
            is_left_out = name == "kernel" and value is None
            if not is_left_out and (not isinstance(value, int) or value < low):
                raise ValueError(
                    f"{self.id}: {name} must be a whole number from {low}, got "
                    f"{value!r}"
                )
        if self.kernel is None and (self.stride, self.padding) != (1, 0):
            raise ValueError(f"{self.id}: stride and padding need a kernel, got none")
        is_needed = self.kernel is not None and self.form == "self"
        if is_needed != (self.votes is not None):
            raise ValueError(
                f"{self.id}: self-routing in windows, and no other, needs votes, the W "
                f"that makes its capsules, got {_kind(self.votes)} with form "
                f"{self.form!r} and kernel {self.kernel!r}"
            )


@dataclass(frozen=True, eq=False)
class Classes(Layer):
    """The answer: lengths of the last capsules, or the last dense layer's scores."""

    id: str = "classes"


@dataclass(frozen=True, eq=False, init=False)
class Decoder(Layer):
    """Draws an image from the capsule of a class, all others masked to zero.

    Attributes:
        module: reads (batch, classes x size), (batch, classes, size) or (batch, size),
            which is found.
    """

    module: nn.Module
    id: str = "reconstruction"

    # The contract's Decoder(module): the module comes first.
    def __init__(
        self,
        module: nn.Module,
        id: str = "reconstruction",
        *,
        title: str | None = None,
    ) -> None:
        for name, value in (("module", module), ("id", id), ("title", title)):
            object.__setattr__(self, name, value)
        _require(self, nn.Module, module)


@dataclass(frozen=True, eq=False)
class Values(Layer):
    """Anything else: what a part of the module returns, shown as it is.

    Attributes:
        module: any part that returns a tensor; or several, whose capsules a `Routing`
            reads one after the other.
        pick: returns the tensor of what the part returns, such as
            `lambda returned: returned[1]`; None takes the first, or the one that a
            `Routing` is found to read.
    """

    module: Any
    pick: Callable[[Any], Tensor] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for part in self.modules or (self.module,):
            _require(self, nn.Module, part)

    @property
    def modules(self) -> tuple[nn.Module, ...]:
        """The part, or the parts that are joined."""
        is_one = isinstance(self.module, nn.Module)
        return (self.module,) if is_one else _parts_of(self.module)

    def picked(self, returned: Any) -> Tensor:
        """Return the tensor that `pick` takes of what a part returned.

        Raises:
            Different: it takes none.
        """
        try:
            tensor = self.pick(returned) if self.pick is not None else returned
        except Exception as error:
            raise self.differs(
                f"pick raised {type(error).__name__}: {error}; it gets what "
                "the part returned, and picks a tensor"
            ) from error
        if not isinstance(tensor, Tensor) or not tensor.ndim:
            raise self.differs(
                f"pick must return a tensor (batch, ...), got {_kind(tensor)}"
            )
        return tensor


@dataclass(frozen=True, eq=False)
class Couplings(Layer):
    """The softmaxes that a part computes, as they were seen: nothing is recomputed.

    Attributes:
        module: the part that computes them, or the network itself.
        shape: of one of them, for an image.
    """

    module: nn.Module
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        _require(self, nn.Module, self.module)

    def select(self, softmaxes: Sequence[Tensor], images: int) -> Tensor:
        """Return them in the order in which they ran: (batch, times, ...).

        Raises:
            Different: none has that shape.
        """
        apart = [
            softmax.reshape(images, -1, *softmax.shape[1:])
            for softmax in softmaxes
            if softmax.ndim and len(softmax) % images == 0
        ]
        apart = [
            softmax[:, 0] if softmax.shape[1] == 1 else softmax for softmax in apart
        ]
        kept = [
            softmax
            for softmax in apart
            if tuple(softmax.shape[1:]) == tuple(self.shape)
        ]
        if not kept:
            if not apart:
                raise self.differs(
                    "no softmax of its part is seen, such as one inside of "
                    "PyTorch's own attention; leave it out"
                )
            shapes = {str(tuple(softmax.shape[1:])) for softmax in apart}
            raise self.differs(
                "shape must be that of a softmax which its part computes, "
                f"{' or '.join(sorted(shapes))}, got {tuple(self.shape)}"
            )
        return torch.stack(kept, dim=1)


def checked_layers(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return the layers of a description that can be compared with a module.

    Raises:
        ValueError: there are none, or one is no layer.
        Different: an id is there twice, or a layer reads one that is not before it.
    """
    if isinstance(layers, Layer):
        layers = (layers,)
    layers = tuple(layers)
    if not layers:
        raise ValueError(
            "layers must name at least one layer of the module, such as "
            'Convolution("conv1", net.conv1), got none'
        )
    ids = [layer.id for layer in layers if isinstance(layer, Layer)]
    known: set[str] = set()
    for layer in layers:
        if not isinstance(layer, Layer):
            raise ValueError(
                "layers must be Convolution, Pooling, Dense, Capsules, Routing, "
                f"Classes, Decoder, Values or Couplings, got {_kind(layer)}"
            )
        is_text = isinstance(layer.id, str)
        if not is_text or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", layer.id):
            raise ValueError(
                "a layer's id must be letters, digits, - and _, beginning with a "
                f"letter, got {layer.id!r}"
            )
        if layer.id in known:
            raise layer.differs("the id is that of an earlier layer; give each its own")
        if layer.reads is not None and layer.reads not in known:
            raise Different(_not_below(layer, ids), layer=layer.id)
        beside = getattr(layer, "activations", None)
        if beside is not None and beside not in known:
            raise layer.differs(
                f"activations must be the id of earlier Values, got {beside!r}"
            )
        known.add(layer.id)
    return layers


def _not_below(layer: Layer, ids: list[str]) -> str:
    if layer.reads in ids:
        return (
            f"{layer.id}: it reads {layer.reads}, which comes after it; describe the "
            "layers from the image up"
        )
    return (
        f"{layer.id}: below must be the id of an earlier layer, one of "
        f"{', '.join(ids)}, got {layer.reads!r}"
    )


def _parts_of(parts: Any) -> tuple[Any, ...]:
    """Return several parts, in a list, tuple or dictionary of modules."""
    if isinstance(parts, nn.ModuleDict | Mapping):
        parts = parts.values()
    return tuple(parts) if isinstance(parts, Iterable) else (parts,)


def _side_by_side(layer: Layer, part: Any) -> tuple[nn.Conv2d, ...]:
    """Return the convolutions that a part is, or that lie inside of it."""
    if isinstance(part, nn.Module) and not isinstance(part, nn.ModuleList):
        inside = [module for module in part.modules() if isinstance(module, nn.Conv2d)]
        if len({_setting(convolution) for convolution in inside}) == 1:
            return tuple(inside)
    is_one = isinstance(part, nn.Module) and not isinstance(
        part, nn.ModuleList | nn.ModuleDict
    )
    several = (part,) if is_one else _parts_of(part)
    return tuple(_inside(layer, nn.Conv2d, module) for module in several)


def _setting(convolution: nn.Conv2d) -> tuple[Any, ...]:
    """Return what convolutions side by side have in common."""
    names = ("in_channels", "kernel_size", "stride", "padding", "dilation")
    return tuple(getattr(convolution, name) for name in names)


def _inside(layer: Layer, needed: type[nn.Module], part: Any) -> Any:
    """Return the one module of a kind, which is a part itself or lies inside of it."""
    if isinstance(part, needed) or not isinstance(part, nn.Module):
        _require(layer, needed, part)
        return part
    named = [(name, x) for name, x in part.named_modules() if isinstance(x, needed)]
    if len(named) == 1:
        return named[0][1]
    if named:
        names = ", ".join(f".{name}" for name, _ in named)
        raise ValueError(
            f"{layer.id}: needs an nn.{needed.__name__}, got {_kind(part)} with "
            f"{len(named)} of them; name one of {names}"
        )
    _require(layer, needed, part)
    return part


def _require(layer: Layer, needed: type, got: object) -> None:
    if not isinstance(got, needed):
        raise ValueError(
            f"{layer.id}: needs an nn.{needed.__name__}, got {_kind(got)}"
            + ("" if needed is nn.Module else "; describe it as Values(id, module)")
        )


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
