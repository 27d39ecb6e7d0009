"""How values travel: JSON by orjson, tensors as safetensors, freshness by ETag."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import orjson
from flask import Request, Response, jsonify, request
from flask.json.provider import JSONProvider

from app.engine import Numbers
from app.errors import InvalidRequest, UnsupportedMedia, short
from app.tensor_files import tensor_file

JSON = "application/json"
SAFETENSORS = "application/x-safetensors"
FOR_GOOD = "public, max-age=31536000, immutable"  # a year, the most caches honour


class OrjsonProvider(JSONProvider):
    """JSON for Flask by orjson, which writes NumPy arrays and refuses NaN."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON; arrays become nested lists."""
        return _encode(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON; numbers that are not finite are refused."""
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Answer with JSON, without the detour through text."""
        body = _encode(self._prepare_response_obj(args, kwargs))
        return Response(body, mimetype=JSON)


def _encode(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)


class ApiRequest(Request):
    """A request whose JSON body says what is wrong with it."""

    def get_json(
        self, force: bool = False, silent: bool = False, cache: bool = True
    ) -> Any:
        """Return the body's JSON object.

        Errors are never silenced: the routes' checks ask for silence and would then
        call every broken body "missing".

        Raises:
            InvalidRequest: the body is empty, not JSON, or not an object.
            UnsupportedMedia: the body says it is something else.
        """
        if not (force or self.is_json):
            came = self.mimetype or None
            raise UnsupportedMedia(f"the body must be {JSON}, got {short(came)}")
        body = self.get_data(cache=cache)
        if not body:
            raise InvalidRequest("the body must be a JSON object, got nothing")
        try:
            value = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise InvalidRequest(f"the body must be JSON, got {error}") from None
        if not isinstance(value, dict):
            raise InvalidRequest(
                f"the body must be a JSON object, got {short(value)}"
            ) from None
        return value


def wants_safetensors() -> bool:
    """Tell whether the client prefers a safetensors file to JSON."""
    best = request.accept_mimetypes.best_match([JSON, SAFETENSORS], default=JSON)
    return best == SAFETENSORS


def tensor_answer(
    body: Callable[[], Mapping[str, object]],
    tensors: Mapping[str, Numbers],
    scalars: Mapping[str, object],
) -> Response:
    """Answer with tensors, as JSON or as safetensors, whichever is asked for.

    Args:
        body: makes the JSON answer; called only when JSON is asked for.
        tensors: those of the safetensors file, in the precision they travel in.
        scalars: that file's metadata.
    """
    if wants_safetensors():
        metadata = {name: str(value) for name, value in scalars.items()}
        response = Response(tensor_file(tensors, metadata), mimetype=SAFETENSORS)
    else:
        response = jsonify(body())
    response.vary.add("Accept")
    return response


def as_lists(tensors: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Make tensors ready to be written as nested JSON lists."""
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}


def fresh(
    tag: str, answer: Callable[[], Response], *, cache_control: str = "no-cache"
) -> Response:
    """Answer 304 to a client that holds `tag` already, else in full.

    The tag is weak, so that it outlives compression, which changes the bytes.

    Args:
        tag: changes whenever the answer does.
        answer: makes the full answer; called only when needed.
        cache_control: how long caches may answer without asking.
    """
    known = request.if_none_match.contains_weak(tag)
    response = Response(status=304) if known else answer()
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = cache_control
    return response


def tag_of(body: bytes) -> str:
    """Return a tag that changes whenever `body` does."""
    return hashlib.sha256(body).hexdigest()[:16]
