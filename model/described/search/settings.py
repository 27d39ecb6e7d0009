"""Settings that were found, as words and numbers by name."""

from collections.abc import Sequence
from typing import Any

from capsnet_explorer.model.described.capsules.cutting import Cut
from capsnet_explorer.model.described.capsules.making import Arrangement
from capsnet_explorer.model.described.routing.ways import Way
from capsnet_explorer.model.described.routing.windows import Window
from capsnet_explorer.model.described.search.guesses import (
    Choices,
    Guess,
    Proof,
)


def ambiguous_in(fitting: Sequence[Guess]) -> dict:
    """Return the settings in which guesses differ that fit equally well."""
    settings: dict[tuple[str, str], list[Any]] = {}
    for guess in fitting:
        for (id, _), choice in guess.choices.items():
            for name, value in settings_of(choice).items():
                values = settings.setdefault((id, name), [])
                if value not in values:
                    values.append(value)
    return {key: tuple(values) for key, values in settings.items() if len(values) > 1}


def settings_of(choice: Any) -> dict[str, Any]:
    """Return what was found as words and numbers, by name."""
    if isinstance(choice, Cut):
        return _settings_of_cut(choice)
    if isinstance(choice, Way):
        return _settings_of_way(choice)
    if isinstance(choice, Arrangement):
        settings = {} if choice.curve is None else {"curve": choice.curve.name}
        return settings | ({} if choice.is_plain else {"layout": choice.words})
    if isinstance(choice, Proof | Window):
        return {}
    if isinstance(choice, str):
        return {"is": choice}
    return {"activation": choice.words} if hasattr(choice, "words") else {}


def _settings_of_cut(cut: Cut) -> dict[str, Any]:
    settings = {"order": cut.order, "squash": cut.squash, "curve": cut.curve.name}
    if cut.order == "permute":
        settings |= {"maps": cut.maps, "first": cut.first}
    return settings | ({"before": cut.before_words} if cut.before_words else {})


def _settings_of_way(way: Way) -> dict[str, Any]:
    prior = None if way.prior is None else way.prior.name
    window = {} if way.window is None else {"window": way.window.words}
    if way.em is not None:
        return {"form": "EM", "iterations": way.iterations, **way.em.words, **window}
    if way.form == "self":
        bias = {} if prior is None else {"bias": prior}
        return {"form": "self-routing", **bias, **window}
    settings = {
        "axis": way.axis,
        "squash": way.squash,
        "curve": way.curve.name,
        "prior": prior,
        "bias": None if way.bias is None else way.bias.name,
        "axes": way.layout.words,
        **window,
    }
    if way.bias is not None:
        settings["added"] = way.bias.when
    if way.layout.shared != "no":
        settings["W"] = "shared by the places of a type"
    if way.form == "attention":
        return {"form": "attention", **settings, "scale": way.scale}
    shared = way.shared if way.shared != "no" else False
    return {"iterations": way.iterations, **settings, "shared": shared}


def found_by_layer(choices: Choices) -> dict[str, dict[str, Any]]:
    """Return what was found about each layer that has something to find."""
    layers: dict[str, dict[str, Any]] = {}
    for (id, what), choice in choices.items():
        named = {"pool": "pooling", "flat": "flattened"}.get(what)
        settings = {named: choice} if named else settings_of(choice)
        layers.setdefault(id, {}).update(settings)
    return layers
