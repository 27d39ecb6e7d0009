"""The sample digits."""

from dataclasses import asdict
from functools import cache

import orjson
from flask import Response

from capsnet_explorer.app.api.answers import SamplesAnswer
from capsnet_explorer.app.api.describe import api_blueprint
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.engines.protocol import pictured
from capsnet_explorer.app.http.caching import fresh, tag_of
from capsnet_explorer.sample_digits import load_samples

api = api_blueprint("samples", "The sample digits.")


@api.get("/samples", responses={200: SamplesAnswer, 304: None})
def get_samples() -> Response:
    """List the sample digits, each with its label and source."""
    body = _samples_body()
    return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))


@cache
def _samples_body() -> bytes:
    samples = [
        {**asdict(sample), "image": pictured(sample.image)} for sample in load_samples()
    ]
    return orjson.dumps({"samples": samples}, option=orjson.OPT_SERIALIZE_NUMPY)
