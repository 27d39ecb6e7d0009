"""Which layers the page shows as what they are, and which as their values alone.

The view of a kind is drawn from more than what makes a layer of that kind. Where a
description does not name all of that, or a layer does what its kind cannot follow, its
values are shown, with the reason: never a panel without its numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from capsnet_explorer.model.layers.description import OF_ROUTING, Layer, Shapes

SIDE = 4  # rows, and columns, of the pose matrices that the page shows


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the view of a kind is drawn from.

    Attributes:
        values: roles of the tensor that is shown alone where something is missing, the
            first that there is.
        tensors: roles of tensors.
        weights: roles of weights.
        words: of the description.
    """

    values: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


ROUTE = (
    *("presence", "votes", "assignments", "means"),
    *("deviations", "activations", "costs"),
)
LEARNED = ("betaU", "betaA", "lambda")
KERNELS = ("kernels", "bias")

# By kind, or by kind and form.
DRAWN: Mapping[str, Drawn] = {
    "convolution": Drawn(("pre",), (), KERNELS),
    "pooling": Drawn(("values",), ("below", "winners", "scores")),
    "dense": Drawn(("values",), ("below",), (*KERNELS, "output", "outputBias")),
    "capsules vectors": Drawn(("activation",), ("poses", "before", "below")),
    "capsules alone": Drawn(("activation",), ("poses", "before", "below")),
    "capsules matrices": Drawn(
        ("activation",), ("poses",), ("transforms",), ("above",)
    ),
    "routing dynamic": Drawn(
        OF_ROUTING,
        ("lengths", "logits", "couplings", "agreement", "capsules", "types", "scores"),
    ),
    "routing em": Drawn(OF_ROUTING, ROUTE, LEARNED, ("routes",)),
    "routing attention": Drawn(
        OF_ROUTING,
        (
            *("lengths", "poses", "votes", "agreement", "shares"),
            *("couplings", "capsules", "scores"),
        ),
        ("transforms", "prior"),
    ),
    "classes vectors": Drawn((), ("poses",)),
    "classes matrices": Drawn((), ("poses", "means")),
    "classes probabilities": Drawn((), ("logits", "below"), ("weights", "bias")),
}


def choose_views(layers: Sequence[Layer], shapes: Shapes) -> tuple[Layer, ...]:
    """Return layers as their kinds show them right; else as tensors that say why.

    Args:
        layers: of a network, from the image up, checked.
        shapes: of all tensors of a trace, by name.
    """
    views = {layer.id: _choose_view(layer, layers, shapes) for layer in layers}
    for layer in views.values():
        # The poses of such classes are drawn after each iteration of the routing below.
        if layer.kind == "classes" and layer.form == "matrices":
            below = views.get(layer.below or "")
            if below is None or below.kind != "routing":
                views[layer.id] = _as_scores(layer)
    return tuple(views.values())


def _choose_view(layer: Layer, layers: Sequence[Layer], shapes: Shapes) -> Layer:
    form = layer.form
    if form == "alone" and layer.order is not None:
        form = "vectors"  # cut, too, though they stand in no place
    drawn = DRAWN.get(layer.kind) or DRAWN.get(f"{layer.kind} {form}")
    if drawn is None:
        return layer
    missing = _list_missing(layer, drawn)
    if layer.kind == "classes":
        return _as_scores(layer) if missing else layer
    why = _name_missing(missing) if missing else _unlike(layer, layers, shapes)
    if why is None:
        return layer
    values = next(role for role in drawn.values if role in layer.tensors)
    return Layer(
        id=layer.id,
        kind="tensor",
        title=layer.title,
        below=layer.below,
        window=layer.window,
        tensors={"values": layer.tensors[values]},
        words={"why": why},
    )


def _as_scores(layer: Layer) -> Layer:
    known = {
        role: name
        for role, name in layer.tensors.items()
        if role in ("scores", "logits")
    }
    return replace(layer, form="scores", tensors=known)


def _list_missing(layer: Layer, needed: Drawn) -> list[str]:
    """Return what the view of a layer needs and its description does not name."""
    prefixes = [""]
    routes = layer.words.get("routes")
    if isinstance(routes, Sequence):
        prefixes = [
            route.get("prefix", "") for route in routes if isinstance(route, Mapping)
        ]
    tensors = [f"{prefix}{role}" for prefix in prefixes for role in needed.tensors]
    weights = [f"{prefix}{role}" for prefix in prefixes for role in needed.weights]
    return [
        *(f"tensors.{role}" for role in tensors if role not in layer.tensors),
        *(f"weights.{role}" for role in weights if role not in layer.weights),
        *(f"words.{word}" for word in needed.words if not layer.words.get(word)),
        *(["window"] if layer.kind == "convolution" and layer.window is None else []),
    ]


def _name_missing(missing: Sequence[str]) -> str:
    *others, last = missing
    named = f"{', '.join(others)} and {last}" if others else last
    return (
        f"The description of this layer does not name {named}, and without "
        f"{'these' if others else 'this'} its pictures cannot be drawn. Its values are "
        "shown."
    )


def _unlike(layer: Layer, layers: Sequence[Layer], shapes: Shapes) -> str | None:
    """Return what a layer does that its kind cannot follow; None if nothing."""
    if layer.kind == "pooling":
        spans = [layer.window.along(axis) for axis in (0, 1)] if layer.window else []
        if spans != [(2, 2, 0)] * 2:
            return (
                "Which value of each window goes on is followed for windows of 2×2 "
                "that do not overlap and begin at the edge. Of this pooling, the "
                "values are shown."
            )
    if layer.kind == "routing" and layer.form != "dynamic":
        above = [other.kind for other in layers if other.below == layer.id]
        if "capsules" in above:
            return (
                "This form of routing is followed step by step where it leads to the "
                "classes. In the middle of a network, its outcome is shown."
            )
    if layer.form == "matrices" and layer.kind == "capsules":
        size = tuple(shapes.get(layer.tensors["poses"], ()))[-2:]
        if size != (SIDE, SIDE):
            return (
                f"Poses that are matrices are drawn if they are {SIDE}×{SIDE}; these "
                f"are {'×'.join(map(str, size))}. Only the activations are shown."
            )
    return None
