"""What is the same for every image: the samples, the glossary and the guide."""

from dataclasses import asdict
from functools import cache

import orjson
from flask import Response

from capsnet_explorer.app.api.describe import answers, api_blueprint
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.app.content.guide import current_guide, ending
from capsnet_explorer.app.engines.protocol import pictured
from capsnet_explorer.app.http.caching import fresh, tag_of
from capsnet_explorer.datasets.digits import load_samples

api = api_blueprint("content", "The sample digits, the glossary and the guide.")


@api.get(
    "/samples",
    responses=answers(
        "`samples`: `id`, `label`, `title`, `source`, `image`; `hard`: whether it "
        "resembles another class on purpose.",
        304,
    ),
)
def get_samples() -> Response:
    """List the sample digits, each with its label and source."""
    return _fresh_json(_samples_body())


@cache
def _samples_body() -> bytes:
    samples = [
        {**asdict(sample), "image": pictured(sample.image)} for sample in load_samples()
    ]
    return orjson.dumps({"samples": samples}, option=orjson.OPT_SERIALIZE_NUMPY)


@api.get("/glossary", responses=answers("`terms` that the page explains.", 304))
def get_glossary() -> Response:
    """List the terms: symbol, unit or range, meaning, and where the page shows each."""
    terms = [term.model_dump() for term in load_glossary()]
    return _fresh_json(orjson.dumps({"terms": terms}))


@api.get("/guide", responses=answers("`chapters`, in order, and the `ending`.", 304))
def get_guide() -> Response:
    """List the chapters whose networks are loaded, with numbers of these networks."""
    chapters = [chapter.model_dump() for chapter in current_guide().chapters]
    body = orjson.dumps({"chapters": chapters, "ending": ending().model_dump()})
    return _fresh_json(body)


def _fresh_json(body: bytes) -> Response:
    return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))
