"""Settings that were found, as words and numbers by name."""

from collections.abc import Sequence
from typing import Any

from capsnet_explorer.model.described.capsules.cutting import Cut
from capsnet_explorer.model.described.capsules.making import Made
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.routing.windows import Window
from capsnet_explorer.model.described.search.hypotheses import (
    Choices,
    Hypothesis,
    Proof,
)


def ambiguous_in(fitting: Sequence[Hypothesis]) -> dict:
    """Return the settings in which hypotheses differ that fit equally well."""
    found: dict[tuple[str, str], list[Any]] = {}
    for one in fitting:
        for (id, _), choice in one.choices.items():
            for name, value in settings_of(choice).items():
                values = found.setdefault((id, name), [])
                if value not in values:
                    values.append(value)
    return {key: tuple(values) for key, values in found.items() if len(values) > 1}


def settings_of(choice: Any) -> dict[str, Any]:
    """Return what was found as words and numbers, by name."""
    if isinstance(choice, Cut):
        return _settings_of_cut(choice)
    if isinstance(choice, Way):
        return _settings_of_way(choice)
    if isinstance(choice, Made):
        found = {} if choice.curve is None else {"curve": choice.curve.name}
        return found | ({} if choice.is_plain else {"layout": choice.words})
    if isinstance(choice, Proof | Window):
        return {}
    if isinstance(choice, str):
        return {"is": choice}
    return {"activation": choice.words} if hasattr(choice, "words") else {}


def _settings_of_cut(cut: Cut) -> dict[str, Any]:
    found = {"order": cut.order, "squash": cut.squash, "curve": cut.curve.name}
    if cut.order == "permute":
        found |= {"maps": cut.maps, "first": cut.first}
    return found | ({"before": cut.before_words} if cut.before_words else {})


def _settings_of_way(way: Way) -> dict[str, Any]:
    prior = None if way.prior is None else way.prior.name
    if way.em is not None:
        found = {"form": "EM", "iterations": way.iterations, **way.em.words}
        return found if way.window is None else {**found, "window": way.window.words}
    if way.form == "self":
        told = {"form": "self-routing"} | ({} if prior is None else {"bias": prior})
        return told if way.window is None else {**told, "window": way.window.words}
    found = {
        "axis": way.axis,
        "squash": way.squash,
        "curve": way.curve.name,
        "prior": prior,
        "bias": None if way.bias is None else way.bias.name,
        "axes": way.layout.words,
    }
    if way.window is not None:
        found["window"] = way.window.words
    if way.bias is not None:
        found["added"] = way.bias.when
    if way.layout.shared != "no":
        found["W"] = "shared by the places of a type"
    if way.form == "attention":
        return {"form": "attention", **found, "scale": way.scale}
    shared = way.shared if way.shared != "no" else False
    return {"iterations": way.iterations, **found, "shared": shared}


def found_by_layer(choices: Choices) -> dict[str, dict[str, Any]]:
    """Return what was found about each layer that has something to find."""
    found: dict[str, dict[str, Any]] = {}
    for (id, what), choice in choices.items():
        named = {"pool": "pooling", "flat": "flattened"}.get(what)
        settings = {named: choice} if named else settings_of(choice)
        found.setdefault(id, {}).update(settings)
    return found
