"""Reads a description of layers: fills in what the shapes of its tensors tell."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from capsnet_explorer.model.layers.description import (
    FORMS,
    DescriptionError,
    Layer,
    Shapes,
    Span,
    Window,
)


def layers_from(
    network: str, entries: Sequence[Layer | Mapping[str, Any]], tensors: Shapes
) -> tuple[Layer, ...]:
    """Return a description with all that its shapes tell.

    Args:
        network: what it is called.
        entries: from the image up. A mapping has the fields of a `Layer`, with those of
            a `Window` for its window; what is no field of a layer counts as a word.
        tensors: shapes of all tensors of a trace, by name.

    Raises:
        DescriptionError: names network, layer and field.
    """
    kinds: dict[str, str] = {}
    layers = []
    for entry in entries:
        layer = entry if isinstance(entry, Layer) else _layer_from(network, entry)
        kinds[layer.id] = layer.kind
        if layer.form is None and layer.kind in FORMS:
            layer = replace(layer, form=_form_of(layer, kinds, tensors))
        layers.append(layer)
    return tuple(layers)


def _layer_from(network: str, entry: Mapping[str, Any]) -> Layer:
    named = f"{network}, layer {entry.get('id', 'without an id')}"
    known = {field.name for field in fields(Layer)}
    for name in ("id", "kind", "title"):
        if not isinstance(entry.get(name), str):
            raise DescriptionError(
                f"{named}: {name} must be a text, got {entry.get(name)!r}"
            )
    window = entry.get("window")
    if isinstance(window, Mapping):
        unknown = window.keys() - {field.name for field in fields(Window)}
        if unknown or "size" not in window:
            raise DescriptionError(
                f"{named}: window must have size, step and first, got {dict(window)}"
            )
        window = Window(**{name: _span(span) for name, span in window.items()})
    values = {name: value for name, value in entry.items() if name in known}
    more = {name: value for name, value in entry.items() if name not in known}
    if isinstance(values.get("beside"), list):
        values["beside"] = tuple(values["beside"])
    return Layer(
        **values | {"window": window, "words": {**entry.get("words", {}), **more}}
    )


def _span(value: Any) -> Span:
    return tuple(value) if isinstance(value, list) else value


def _form_of(layer: Layer, kinds: Mapping[str, str], tensors: Shapes) -> str | None:
    """Return what a layer is made of, as far as the shapes of its tensors tell."""

    def axes(role: str) -> int:
        return len(tensors.get(layer.tensors.get(role, ""), ()))

    if layer.kind == "capsules":
        if axes("poses") - axes("activation") == 2:
            return "matrices"
        if kinds.get(layer.below or "") == "routing":
            return "routed"
        return "alone" if axes("activation") == 1 else "vectors"
    if layer.kind == "classes":
        forms = {0: "probabilities", 3: "matrices"}
        return forms.get(axes("poses"), "vectors")
    if layer.kind == "decoder":
        return "matrix" if axes("poses") == 3 else "vector"
    return None
