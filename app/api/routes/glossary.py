"""The glossary."""

from functools import cache

import orjson
from flask import Response

from capsnet_explorer.app.api.answers import GlossaryAnswer
from capsnet_explorer.app.api.describe import api_blueprint
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.app.http.caching import fresh, tag_of

api = api_blueprint("glossary", "The terms that the page explains.")


@api.get("/glossary", responses={200: GlossaryAnswer, 304: None})
def get_glossary() -> Response:
    """List the terms: symbol, unit or range, meaning, and where the page shows each."""
    body = _glossary_body()
    return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))


@cache
def _glossary_body() -> bytes:
    return orjson.dumps({"terms": [term.model_dump() for term in load_glossary()]})
