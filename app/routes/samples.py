"""Digits to start with."""

from dataclasses import asdict
from functools import cache

import orjson
from flask import Response

from app.answers import SamplesAnswer
from app.describe import api_blueprint
from app.samples import load_samples
from app.wire import JSON, fresh, tag_of

api = api_blueprint("samples", "Digits to start with.")


@api.get("/samples", responses={200: SamplesAnswer, 304: None})
def get_samples() -> Response:
    """List digits to start with, each with its label and source."""
    body = _samples_body()
    return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))


@cache
def _samples_body() -> bytes:
    digits = [asdict(sample) for sample in load_samples()]
    return orjson.dumps({"samples": digits}, option=orjson.OPT_SERIALIZE_NUMPY)
