"""The layers of a described network, as the page shows them."""

import re
from collections.abc import Mapping
from typing import Any

from torch import nn

from capsnet_explorer.model.described.layers import (
    Capsules,
    Classes,
    Convolution,
    Couplings,
    Decoder,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.search.guesses import ANSWERS_OF_ACTIVATIONS
from capsnet_explorer.model.layers.description import RESERVED

Shown = dict[str, Any]
Shapes = Mapping[str, tuple[int, ...]]


def page_layers(network: Described, shapes: Shapes) -> list[Shown]:
    """Return the layers from the image up, as `Architecture.layers` has them.

    A layer that its kind would show wrongly is shown as a tensor: a convolution whose
    values are not sums of products with ReLU after them, pooling by averages, capsules
    that are not cut of such sums, or routing whose sums are not those that the page
    works out.
    """
    return _Page(network, shapes).layers()


# What is shown of routing that makes activations, and no lengths.
COUPLINGS = {
    "em": "These are the shares in which EM routing assigns each capsule’s vote to "
    "those above, in its last iteration.",
    "self": "These are the couplings of self-routing: each capsule shares itself out "
    "among the classes by its own numbers alone, in one step.",
}


OF_WINDOWS = (
    "These are the couplings of convolutional capsules{when}. From left to right are "
    "the types of the capsules above, from top to bottom the capsules of a window "
    "below; a tile’s numbers are row and column of the window, from 0."
)


SEEN = (
    "Seen, not recomputed: these are the softmaxes that a part of the network "
    "computes, such as the couplings of a routing that nothing here explains. A tile’s "
    "first number is the softmax, from 0, in the order in which they run; from left to "
    "right and from top to bottom are its last two axes."
)


class _Page:
    def __init__(self, network: Described, shapes: Shapes) -> None:
        self.network = network
        self.shapes = shapes
        self.described = network.description.layers
        # Capsules that routing makes are a layer of their own on the page.
        self.names: dict[str, str] = {}

    def layers(self) -> list[Shown]:
        layers: list[Shown] = []
        for layer in self.described:
            self.names[layer.id] = _page_id(layer.id)
            layers += self._layers_for(layer)
        return layers

    def _layers_for(self, layer: Layer) -> list[Shown]:
        """Return what the page shows a layer as: nothing, one layer or two."""
        match layer:
            case Dense():
                return self._dense(layer)
            case Routing():
                return self._routing_layers(layer)
            case Convolution():
                return [self._convolution(layer)]
            case Pooling():
                return [self._pooling(layer)]
            case Capsules():
                return [self._capsules(layer)]
            case Classes():
                return [self._classes(layer)]
            case Decoder() if self.network.description.layer(Routing) is not None:
                return [self._decoder(layer)]
            case Values():
                return [self._values(layer)]
            case Couplings():
                tensors, words = {"values": f"{layer.id}.out"}, {"why": SEEN}
                return [self._of(layer, "tensor", tensors=tensors, words=words)]
        return []

    def _routing_layers(self, layer: Routing) -> list[Shown]:
        is_last = layer is self.network.description.layer(Routing)
        routing = self._routing(layer, is_last=is_last)
        return [routing] if is_last else [routing, self._capsules_above(layer)]

    def _of(self, layer: Layer, kind: str, **more: Any) -> Shown:
        below = layer.reads
        return {
            "id": _page_id(layer.id),
            "kind": kind,
            "title": layer.name,
            "below": None if below is None else self.names[below],
            "window": None,
            "weights": {},
            **more,
        }

    def _tensor(self, layer: Layer, window: Shown | None) -> Shown:
        tensors = {"values": f"{layer.id}.out"}
        return self._of(layer, "tensor", tensors=tensors, window=window)

    def _values(self, layer: Values) -> Shown:
        arrangement = self.network.choices.get((layer.id, "made"))
        if arrangement is None:
            return self._tensor(layer, None)
        tensors = {"values": f"{layer.id}.capsules"}
        words = {
            "why": "These are the numbers of each capsule, as a part of the network "
            "makes them; how it does is not recomputed."
        }
        return self._of(layer, "tensor", tensors=tensors, words=words)

    def _convolution(self, layer: Convolution) -> Shown:
        window = _window(layer.module)
        step = self.network.choices.get((layer.id, "step"))
        is_usual = step is None or (
            step.activation == "ReLU"
            and isinstance(step.norm, nn.BatchNorm2d | None)
            and step.part is None
        )
        if step is None or not is_usual or window is None:
            return self._tensor(layer, window)
        return self._of(
            *(layer, "convolution"),
            window=window,
            tensors=_roles(layer, "pre", "glimpse"),
            weights=_roles(layer, "kernels", "bias"),
        )

    def _pooling(self, layer: Pooling) -> Shown:
        window = {"size": layer.size, "step": layer.size, "first": 0}
        if self.network.choices.get((layer.id, "pool")) == "average":
            return self._tensor(layer, window)
        tensors = {
            "below": f"{layer.below}.out",
            "values": f"{layer.id}.out",
            **_roles(layer, "winners", "glimpse"),
            "scores": "scores",
        }
        return self._of(layer, "pooling", window=window, tensors=tensors)

    def _dense(self, layer: Dense) -> list[Shown]:
        several = [layer for layer in self.described if isinstance(layer, Dense)]
        ends = any(isinstance(layer, Classes) for layer in self.described)
        if layer is several[-1] and ends and "logits" in self.shapes:
            return []  # the classes show it
        step = self.network.choices.get((layer.id, "step"))
        is_usual = step is not None and step.activation == "ReLU" and step.norm is None
        flat = self.network.choices.get((layer.id, "flat"), "maps")
        maps = len(self.shapes.get(f"{layer.below}.out", ())) == 3
        above = several[-1]
        feeds = layer is not above and above.below == layer.id
        if not (is_usual and flat == "maps" and maps and feeds):
            return [self._tensor(layer, None)]
        tensors = {"below": f"{layer.below}.out", "values": f"{layer.id}.out"}
        outputs = {"output": f"{above.id}.kernels", "outputBias": f"{above.id}.bias"}
        weights = _roles(layer, "kernels", "bias") | outputs
        return [self._of(layer, "dense", tensors=tensors, weights=weights)]

    def _capsules(self, layer: Capsules) -> Shown:
        cut = self.network.choices[layer.id, "cut"]
        order = "stack" if cut.order == "permute" and cut.maps == "apart" else cut.order
        windows = [_window(convolution) for convolution in layer.convolutions]
        window = windows[0] if all(other == windows[0] for other in windows) else None
        norms = all(isinstance(part, nn.BatchNorm2d) for part in cut.between)
        if window is None or cut.relu or not norms or len(cut.between) > 1:
            values = {"values": f"{layer.id}.lengths"}
            words = {
                "why": "These are the lengths of its capsules. Their numbers are not "
                "plain sums over windows of the maps below, so the page’s pictures of "
                "where they come from would not be true of them."
            }
            return self._of(layer, "tensor", tensors=values, words=words)
        tensors = {
            "before": f"{layer.id}.pre",
            "poses": f"{layer.id}.capsules",
            "activation": f"{layer.id}.lengths",
        }
        if layer.below is not None:
            tensors["below"] = f"{layer.below}.out"
        more: Shown = {} if order == "permute" else {"order": order}
        if cut.squash != "capsule" or cut.curve.name not in ("paper", "exponential"):
            # What the page knows of squash shortens each capsule by its own length.
            more["words"] = {"squash": "other"}
        elif cut.curve.name == "exponential":
            more["words"] = {"squash": "exponential"}
        weights = _roles(layer, "kernels", "bias")
        return self._of(
            *(layer, "capsules"),
            window=window,
            tensors=tensors,
            weights=weights,
            **more,
        )

    def _routing(self, layer: Routing, *, is_last: bool) -> Shown:
        way = self.network.choices[layer.id, "way"]
        is_others = not (is_last and self.network.has_class_capsules)
        if way.window is not None:
            tensors = {"values": f"{layer.id}.couplings"}
            has_one = way.form in ("attention", "self")
            why = OF_WINDOWS.format(when="" if has_one else ", in the last iteration")
            return self._of(layer, "tensor", tensors=tensors, words={"why": why})
        why = COUPLINGS.get(way.form) or _unlike_the_page(way, is_others=is_others)
        if why is not None:
            name = f"{layer.id}.couplings"
            text = f"{why} {_places(len(self.shapes[name]), way.form)}"
            return self._of(
                layer, "tensor", tensors={"values": name}, words={"why": text}
            )
        capsules = {
            "lengths": f"{layer.below}.lengths",
            "capsules": f"{layer.id}.capsules",
            "scores": "lengths" if is_last else f"{layer.id}.lengths",
        }
        if is_last and "reconstruction" in self.shapes:
            capsules["decoded"] = "reconstruction"
        if way.form == "attention":
            return self._attention(layer, capsules)
        roles = ("logits", "couplings", "agreement", "types", "votes")
        tensors = _roles(layer, *roles) | capsules
        # The page works a capsule's sum and squash out as the paper has them.
        words = {} if way.curve.name == "paper" else {"squash": "other"}
        return self._of(layer, "routing", form="dynamic", tensors=tensors, words=words)

    def _attention(self, layer: Routing, capsules: dict[str, str]) -> Shown:
        roles = ("votes", "attention", "agreement", "shares", "couplings")
        # In one list, wherever they stand.
        voters = {"lengths": f"{layer.id}.voting", "poses": f"{layer.id}.voters"}
        return self._of(
            *(layer, "routing"),
            form="attention",
            tensors=_roles(layer, *roles, "contributions") | capsules | voters,
            weights=_roles(layer, "transforms", "prior"),
            words={"voter": "capsule", "network": "this network"},
        )

    def _capsules_above(self, layer: Routing) -> Shown:
        """Return the capsules that a routing makes which is not the last."""
        id = f"{_page_id(layer.id)}-capsules"
        self.names[layer.id] = id
        why = "These are the numbers of each capsule, as this routing makes them."
        return {
            **self._of(layer, "tensor", words={"why": why}),
            "id": id,
            "title": f"{layer.name}’s capsules",
            "below": _page_id(layer.id),
            "tensors": {"values": f"{layer.id}.poses"},
        }

    def _classes(self, layer: Classes) -> Shown:
        last = self.network.description.layer(Routing)
        answers = self.network.choices.get(("", "answers"))
        if last is not None and answers in (
            "as they are",
            *ANSWERS_OF_ACTIVATIONS,
        ):
            classes = self._of(layer, "classes", tensors={"scores": "scores"})
            return {**classes, "below": self.names[last.id]}
        if last is not None:
            tensors = {
                "scores": "lengths",
                "poses": "poses",
                "history": f"{last.id}.capsules",
            }
            below = self.names[last.id]
            words = {} if self.network.are_short else {"long": True}
            classes = self._of(layer, "classes", tensors=tensors, words=words)
            return {**classes, "below": below}
        tensors = {"scores": "scores"}
        classes = self._of(layer, "classes", tensors=tensors)
        dense = [layer for layer in self.described if isinstance(layer, Dense)]
        if "logits" in self.shapes:
            tensors["logits"] = "logits"
            output = dense[-1]
            hidden = f"{output.below}.out"
            if len(self.shapes.get(hidden, ())) == 1:
                tensors["below"] = hidden
                classes["below"] = self.names[str(output.below)]
                weights = {"weights": f"{output.id}.kernels"}
                classes["weights"] = weights | _roles(output, "bias")
                classes["words"] = {"units": "hidden"}
        return classes

    def _decoder(self, layer: Decoder) -> Shown:
        classes = next(layer for layer in self.described if isinstance(layer, Classes))
        tensors = {"poses": "poses", "scores": "lengths", "image": "reconstruction"}
        # A capsule is shorter than 1: no number moves further than from -1 to 1.
        words = {"reach": 2, "fallback": 0.3, "onRequest": ["input"]}
        below = self.names[classes.id]
        return self._of(
            *(layer, "decoder"),
            form="vector",
            tensors=tensors,
            below=below,
            words=words,
        )


def _roles(layer: Layer, *roles: str) -> dict[str, str]:
    """Return the names of a layer's own tensors or weights, by their roles."""
    return {role: f"{layer.id}.{role}" for role in roles}


def _places(axes: int, form: str) -> str:
    """Return where in a picture of couplings each stands.

    Args:
        axes: of the couplings of an image, the last two of which a tile has.
        form: of the routing.
    """
    across = "From left to right are the capsules above, from top to bottom"
    numbers = ["iteration"] if form == "dynamic" else []
    if axes - len(numbers) > 2:
        across += " those below at one row of places"
        numbers += ["type", "row"]
    else:
        across += " those below"
    *others, last = numbers or [""]
    tiles = f"; a tile’s numbers are {', '.join(others)} and {last}, from 0"
    if not others:
        tiles = f"; there is a tile for each {last}" if last else ""
    return f"{across}{tiles}."


def _unlike_the_page(way: Way, *, is_others: bool) -> str | None:
    """Return why the page's pictures of routing would be wrong; None if they are not.

    They rest on a form's sums: that couplings begin even, and are shares of what a
    capsule below gives out; that a capsule above points where its votes' sum does; and
    of attention, on its paper's formulas.

    Args:
        way: what was found.
        is_others: whether it makes others than the capsules of the classes, which alone
            are routed again as somebody changes their routing on the page.
    """
    if way.form == "attention":
        reasons = {
            "has no learned prior": way.prior is None,
            "divides by another number than √d": way.scale != "√ in size",
            "shortens by another curve than 1 − e^−l": way.curve.name != "exponential",
        }
    else:
        reasons = {
            "begins with a learned prior": way.prior is not None,
            "has a squash of its own": way.curve.name == "own",
        }
    reasons |= {
        "makes capsules that are not known to be those of classes": is_others,
        "has a softmax over the capsules below": way.axis == "capsules",
        "leaves to none what no capsule above claims": way.axis == "classes and none",
        "squashes over other numbers than those of a capsule": way.squash != "capsule",
        "adds a bias to the sum of votes": way.bias is not None,
    }
    unlike = [reason for reason, is_so in reasons.items() if is_so]
    if not unlike:
        return None
    return (
        f"These are the couplings of this routing. It {' and '.join(unlike)}, so the "
        "page’s pictures of sums of votes would not be true of it, and are left out."
    )


def _page_id(id: str) -> str:
    """Return a layer's id as links have it: small letters, digits and hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", id.lower()).strip("-")
    return f"{plain}-layer" if plain in RESERVED else plain


def _window(conv: Any) -> Shown | None:
    """Return the windows of a convolution; None if they are none of the page's."""
    if conv.groups != 1 or tuple(conv.dilation) != (1, 1):
        return None
    if conv.padding_mode != "zeros":
        return None
    columns_before, _, rows_before, _ = conv._reversed_padding_repeated_twice
    return {
        "size": _span(conv.kernel_size),
        "step": _span(conv.stride),
        "first": _span((-rows_before, -columns_before)),
    }


def _span(both: Any) -> Any:
    rows, columns = both
    return rows if rows == columns else (rows, columns)
