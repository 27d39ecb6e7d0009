"""The glossary: one source for the page, the API and the guide."""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.model.architectures import architecture_named

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
# Panels that the page finds by another name than that of their slot.
HOOKS = {
    hook: slot
    for path in (ROOT / "static" / "js" / "kinds").rglob("*.js")
    for slot, hook in re.findall(
        r'id: "([\w-]+)",\s+hook: "([\w-]+)"', path.read_text(encoding="utf-8")
    )
}
NEEDED = {
    *("pose", "logit", "coupling", "agreement", "vote", "squash", "energy", "trace"),
    *("present-margin", "receptive-field", "iteration", "capsule", "primary-capsule"),
    *("length", "margin", "contribution"),
}


def test_the_terms_that_people_ask_for_are_there_once_each():
    ids = [term.id for term in load_glossary()]
    assert len(ids) == len(set(ids))
    assert set(ids) >= NEEDED


def test_no_two_terms_of_a_network_share_a_form():
    for architecture in ("capsnet", "cnn", "matrix", "efficient"):
        terms = [term for term in load_glossary() if architecture in term.seen]
        forms = [form.lower() for term in terms for form in term.forms]
        assert len(forms) == len(set(forms)), architecture


def test_each_term_is_explained_in_whole_sentences():
    for term in load_glossary():
        assert re.match(r"[A-Z].*[.]$", term.text), term.id
        assert any(term.term.lower() in form.lower() for form in term.forms) or (
            term.id in {"total-input", "capsule-type"}
        ), term.id


def test_each_place_is_in_the_markup_of_its_layers_kind():
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    markup = environment.get_template("kinds/index.html").render()
    kinds = dict(
        re.findall(r'<template data-kind="(.*?)">(.*?)</template>', markup, re.DOTALL)
    )
    for term in load_glossary():
        for name, place in term.seen.items():
            architecture = architecture_named(name)
            layers: Any = architecture.layers(architecture.settings.sizes())
            (layer,) = (layer for layer in layers if layer.id == place.view)
            start = layer.kind
            texts = [text for kind, text in kinds.items() if kind.startswith(start)]
            slot = HOOKS.get(place.place, place.place)
            place_in = rf'data-{place.place}[\s=>"]|<slot name="{slot}"'
            matches = [re.search(place_in, text) for text in texts]
            assert any(matches), f"{term.id}: data-{place.place} in {start}"


def test_the_api_serves_every_term(client):
    answer = client.get("/api/glossary")
    assert answer.status_code == 200
    terms = answer.json["terms"]
    assert [term["id"] for term in terms] == [term.id for term in load_glossary()]
    again = client.get(
        "/api/glossary", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
