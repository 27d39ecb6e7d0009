"""What a network's layers are, from the image up, as the page shows them.

A description depends on the network's sizes alone. It is checked where a network is
registered and where weights are loaded.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Span = int | tuple[int, int]
Shapes = Mapping[str, Sequence[int]]

Kind = Literal[
    "convolution",
    "pooling",
    "dense",
    "capsules",
    "routing",
    "classes",
    "decoder",
    "tensor",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
FORMS: Mapping[str, tuple[str, ...]] = {
    "capsules": ("vectors", "alone", "matrices", "routed"),
    "routing": ("dynamic", "em", "attention"),
    "classes": ("vectors", "matrices", "probabilities", "scores"),
    "decoder": ("vector", "matrix"),
}
NEEDED: Mapping[str, tuple[str, ...]] = {
    "convolution": ("pre",),
    "pooling": ("below", "values"),
    "dense": ("below", "values"),
    "capsules": ("poses", "activation"),
    "classes": ("scores",),
    "decoder": ("poses", "scores", "image"),
    "tensor": ("values",),
}
# Of what routing computes, its description names at least one.
OF_ROUTING = ("couplings", "assignments", "activations", "capsules")
# The role of the tensor whose last two axes are a layer's rows and columns.
GRIDS = {
    "convolution": "pre",
    "pooling": "values",
    "capsules": "activation",
    "tensor": "values",
}
Order = Literal["permute", "stack", "view"]
ORDERS: tuple[Order, ...] = get_args(Order)
ID = r"[a-z][a-z0-9-]*"
RESERVED = ("image", "input", "compare", "lab", "atlas", "train")


class DescriptionError(ValueError):
    """A description that the page could not show; one sentence for people."""


@dataclass(frozen=True, slots=True)
class Window:
    """The windows through which a layer reads the one below, in its cells."""

    size: Span
    """Of a window: one number where it is square, else rows and columns."""
    step: Span = 1
    """From one window to the next."""
    first: Span = 0
    """Where the first window begins; negative where the layer below is padded."""

    def along(self, axis: int) -> tuple[int, int, int]:
        """Return size, step and first along rows (0) or columns (1)."""
        size, step, first = (
            span[axis] if isinstance(span, tuple) else span
            for span in (self.size, self.step, self.first)
        )
        return size, step, first


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer, as the page shows it."""

    id: str
    """Names the layer in links and in the page: small letters, digits and hyphens."""
    kind: Kind
    """What it is shown as."""
    title: str
    """For people."""
    below: str | None = None
    """The id of the layer that it reads; null for the image."""
    beside: tuple[str, ...] = ()
    """Of a tensor: ids of further layers whose maps it holds behind those of `below`,
    in this order: layers side by side, joined."""
    window: Window | None = None
    """The windows through which it reads it; null where each unit reads all of it."""
    tensors: Mapping[str, str] = field(default_factory=dict)
    """Names of tensors of a trace, by the roles that its kind gives them."""
    weights: Mapping[str, str] = field(default_factory=dict)
    """Names of weights, by role."""
    form: str | None = None
    """Of routing: `dynamic`, `em` or `attention`. Capsules, classes and decoders: what
    they are made of, such as `vectors`. Null where the shapes of its tensors tell."""
    order: Order | None = None
    """Of capsules that a convolution makes: how its maps are cut into them; null is
    permute."""
    measured: str | None = None
    """The part of what was measured on the model that its view shows."""
    words: Mapping[str, Any] = field(default_factory=dict)
    """What its kind cannot know otherwise."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Names of its fields of the page's state that do not follow from its id, by those
    of its kind. A layer may share one with a layer beneath it."""
    links: Mapping[str, str] = field(default_factory=dict)
    """The same, of the names in links."""


def check_layers(
    network: str,
    layers: Sequence[Layer],
    *,
    image: Sequence[int],
    tensors: Shapes,
    weights: Collection[str] | None = None,
) -> None:
    """Refuse a description that the page could not show.

    Args:
        network: what it is called.
        layers: from the image up.
        image: channels, rows and columns.
        tensors: shapes of all tensors of a trace, by name.
        weights: names of all weights; None leaves them unchecked.

    Raises:
        DescriptionError: names network, layer and field.
    """
    below: dict[str, Layer] = {}
    for layer in layers:
        check = _Check(network, layer, below, tensors, weights)
        check.names()
        check.place()
        check.tensors_named()
        check.weights_named()
        check.window(image)
        below[layer.id] = layer
    for layer in layers:
        _check_words(network, layer, below)
    _check_names(network, layers)


@dataclass(frozen=True)
class _Check:
    """One layer, above those that were checked before it."""

    network: str
    layer: Layer
    below: Mapping[str, Layer]
    tensors: Shapes
    weights: Collection[str] | None

    def refuse(self, name: str, needed: str, got: object) -> DescriptionError:
        return DescriptionError(
            f"{self.network}, layer {self.layer.id}: {name} must be {needed}, got {got}"
        )

    def names(self) -> None:
        """Refuse an id, a kind, an order or a form that the page does not know."""
        layer = self.layer
        if not isinstance(layer.id, str) or not re.fullmatch(ID, layer.id):
            needed = "small letters, digits and hyphens, a letter first"
            raise self.refuse("id", needed, repr(layer.id))
        if layer.id in RESERVED:
            raise self.refuse("id", f"none of {', '.join(RESERVED)}", layer.id)
        if layer.id in self.below:
            needed = "one that no other layer has"
            raise self.refuse("id", needed, f"it twice ({layer.id})")
        if layer.kind not in KINDS:
            raise self.refuse("kind", f"one of {', '.join(KINDS)}", layer.kind)
        if layer.order is not None and layer.order not in ORDERS:
            raise self.refuse("order", f"one of {', '.join(ORDERS)}", layer.order)
        forms = FORMS.get(layer.kind)
        if forms and layer.form not in forms:
            raise self.refuse("form", f"one of {', '.join(forms)}", layer.form)

    def place(self) -> None:
        """Refuse a layer below, or beside, that there is not."""
        layer, known = self.layer, ", ".join(self.below)
        known = known or "no layer: this one is the lowest"
        is_known = isinstance(layer.below, str) and layer.below in self.below
        if layer.below is not None and not is_known:
            needed = f"None, for the image, or {known}"
            raise self.refuse("below", needed, layer.below)
        if layer.beside:
            _check_beside(layer, self.below, self.tensors, self.refuse, known)

    def tensors_named(self) -> None:
        """Refuse a layer that lacks tensors, or names some that no trace has."""
        layer = self.layer
        for role in NEEDED.get(layer.kind, ()):
            is_of_image = role == "below" and layer.below is None
            if role not in layer.tensors and not is_of_image:
                raise self.refuse(f"tensors.{role}", "the name of a tensor", "nothing")
        if layer.kind == "routing" and not layer.tensors.keys() & {*OF_ROUTING}:
            needed = f"the names of tensors, at least of {' or '.join(OF_ROUTING)}"
            got = ", ".join(layer.tensors) or "nothing"
            raise self.refuse("tensors", needed, got)
        for role, name in layer.tensors.items():
            if name not in self.tensors:
                needed = f"one of the trace's, {', '.join(self.tensors)}"
                raise self.refuse(f"tensors.{role}", needed, name)

    def weights_named(self) -> None:
        """Refuse weights that the network does not have."""
        for role, name in self.layer.weights.items():
            if self.weights is not None and name not in self.weights:
                needed = f"one of the network's, {', '.join(self.weights)}"
                raise self.refuse(f"weights.{role}", needed, name)

    def window(self, image: Sequence[int]) -> None:
        """Refuse windows that do not fit the layer below."""
        layer = self.layer
        if layer.window is None:
            return
        lower = image[-2:]
        if layer.below is not None:
            lower = _grid(self.below[layer.below], self.tensors)
        misfit = _misfit(layer.window, lower, _grid(layer, self.tensors))
        if misfit:
            raise self.refuse("window", *misfit)


def _check_beside(
    layer: Layer,
    below: Mapping[str, Layer],
    tensors: Shapes,
    refuse: Callable[[str, str, object], DescriptionError],
    known: str,
) -> None:
    """Refuse to join layers that do not fit side by side."""
    if layer.kind != "tensor" or layer.below is None:
        needed = "empty, but for a tensor that has a layer below"
        raise refuse("beside", needed, ", ".join(layer.beside))
    joined = [layer.below, *layer.beside]
    for name in layer.beside:
        if name not in below:
            raise refuse("beside", f"of {known}", name)
    shapes = [
        tensors[lower.tensors.get(GRIDS.get(lower.kind, ""), "")]
        for lower in (below[id] for id in joined)
        if lower.tensors.get(GRIDS.get(lower.kind, ""), "") in tensors
    ]
    whole = tuple(tensors.get(layer.tensors.get("values", ""), ()))
    fits = len(shapes) == len(joined) and all(
        len(shape) == 3 and tuple(shape[1:]) == whole[1:] for shape in shapes
    )
    if not fits or sum(shape[0] for shape in shapes) != whole[0]:
        raise refuse(
            "beside",
            f"of layers whose maps together are {'×'.join(map(str, whole))}",
            " and ".join("×".join(map(str, shape)) for shape in shapes),
        )
    steps = [_steps(below[id], below) for id in joined]
    if any(step != steps[0] for step in steps):
        raise refuse("beside", "of layers with the same step in the image", steps)


def _check_words(network: str, layer: Layer, layers: Mapping[str, Layer]) -> None:
    """Refuse words that name a layer which there is not."""
    known = ", ".join(layers)
    above = layer.words.get("above")
    if layer.form == "matrices" and above is not None and above not in layers:
        raise DescriptionError(
            f"{network}, layer {layer.id}: words.above must be one of {known}, got "
            f"{above}"
        )
    routes = layer.words.get("routes")
    if layer.form != "em" or routes is None:
        return
    for route in routes if isinstance(routes, Sequence) else [routes]:
        if not isinstance(route, Mapping) or not {
            route.get("to"),
            route.get("from"),
        } <= {*layers}:
            raise DescriptionError(
                f"{network}, layer {layer.id}: words.routes must be mappings with `to` "
                f"and `from`, each of {known}, and the `prefix` of their roles, got "
                f"{route}"
            )


def _steps(layer: Layer, below: Mapping[str, Layer]) -> tuple[int, int]:
    """Return how far apart neighbours of a layer look at the image, in px."""
    rows = columns = 1
    lower: Layer | None = layer
    while lower is not None:
        if lower.window is not None:
            rows *= lower.window.along(0)[1]
            columns *= lower.window.along(1)[1]
        lower = below[lower.below] if lower.below is not None else None
    return rows, columns


def _grid(layer: Layer, tensors: Shapes) -> Sequence[int] | None:
    """Return the rows and columns of a layer; None where it has none."""
    name = layer.tensors.get(GRIDS.get(layer.kind, ""))
    shape = tensors[name] if name else ()
    if len(shape) == 1:
        return (1, 1)  # a few units that see the same
    return tuple(shape[1:3]) if len(shape) >= 3 else None


def _misfit(
    window: Window, lower: Sequence[int] | None, upper: Sequence[int] | None
) -> tuple[str, str] | None:
    """Return what a window must be, and what it is; None where it fits."""
    for axis, name in enumerate(("rows", "columns")):
        size, step, first = window.along(axis)
        if not all(isinstance(number, int) for number in (size, step, first)):
            return "whole numbers", f"{size}, {step} and {first}"
        if size < 1 or step < 1:
            return "1 or more in size and step", f"size {size} and step {step}"
        if first <= -size:
            return f"one that begins at {1 - size} or later", f"first {first}"
        if lower is None or upper is None:
            continue
        last = first + (upper[axis] - 1) * step + size
        is_even = size % 2 == 0  # then there is one more behind than before
        if last > lower[axis] + max(0, -first) + is_even:
            return (
                f"one that fits {upper[axis]} times into {lower[axis]} {name}",
                f"size {size}, step {step} and first {first}, which reach {last}",
            )
    return None


def _check_names(network: str, layers: Sequence[Layer]) -> None:
    """Refuse names in links, and keys of the state, that two layers claim."""
    below = {layer.id: (layer.below, *layer.beside) for layer in layers}
    owners: dict[tuple[str, ...], Layer] = {}
    for layer in layers:
        links = [
            (("links", name), f"links.{of}", name) for of, name in layer.links.items()
        ]
        keys = [
            (("keys", of, name), f"keys.{of}", name) for of, name in layer.keys.items()
        ]
        for claim, part, name in [*links, *keys]:
            other = owners.setdefault(claim, layer)
            shares = claim[0] == "keys" and other.id in _beneath(layer.id, below)
            if other is not layer and not shares:
                raise DescriptionError(
                    f"{network}, layer {layer.id}: {part} must be one that no other "
                    f"layer has, got {name}, which is {other.id}'s"
                )


def _beneath(id: str, below: Mapping[str, Sequence[str | None]]) -> set[str]:
    ids: set[str] = set()
    waiting = [*below[id]]
    while waiting:
        lower = waiting.pop()
        if lower is not None and lower not in ids:
            ids.add(lower)
            waiting += below[lower]
    return ids
