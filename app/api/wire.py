"""Formats of requests and responses: JSON by orjson, tensors as safetensors."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import orjson
from flask import Request, Response, jsonify, request
from flask.json.provider import JSONProvider
from numpy.typing import NDArray
from safetensors.numpy import save

from capsnet_explorer.app.errors import InvalidRequest, UnsupportedMedia, short
from capsnet_explorer.app.http.caching import fresh

JSON = "application/json"
SAFETENSORS = "application/x-safetensors"


class OrjsonProvider(JSONProvider):
    """JSON for Flask by orjson, which writes NumPy arrays and refuses NaN."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON; arrays become nested lists."""
        return _encode(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON, refusing numbers that are not finite."""
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Return a JSON response without converting it to text first."""
        body = _encode(self._prepare_response_obj(args, kwargs))
        return Response(body, mimetype=JSON)


def _encode(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)


class ApiRequest(Request):
    """A request that reports precisely what is wrong with its JSON body."""

    def get_json(
        self, force: bool = False, silent: bool = False, cache: bool = True
    ) -> Any:
        """Return the body's JSON object.

        Ignores `silent`: the library sets it, and would then report every invalid body
        as missing.

        Raises:
            InvalidRequest: the body is empty, not JSON, or not an object.
            UnsupportedMedia: the Content-Type is not JSON.
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
    """Return whether the client prefers safetensors to JSON."""
    best = request.accept_mimetypes.best_match([JSON, SAFETENSORS], default=JSON)
    return best == SAFETENSORS


def tensor_answer(
    body: Callable[[], Mapping[str, object]],
    tensors: Mapping[str, NDArray[Any]],
    scalars: Mapping[str, object],
) -> Response:
    """Return a response with tensors, as JSON or safetensors as the client prefers.

    Args:
        body: makes the JSON body; called only for JSON.
        tensors: those of the safetensors file, in the precision to send.
        scalars: the metadata of the safetensors file; lists are written as JSON.
    """
    if wants_safetensors():
        metadata = {name: _as_text(value) for name, value in scalars.items()}
        file = save(contiguous(tensors), metadata)
        response = Response(file, mimetype=SAFETENSORS)
    else:
        response = jsonify(body())
    response.vary.add("Accept")
    return response


def named_tensors(
    tensors: Mapping[str, NDArray[Any]], scalars: Mapping[str, object]
) -> Response:
    """Return a response with tensors by name, beside scalars."""
    return tensor_answer(
        lambda: {**scalars, "tensors": contiguous(tensors)}, tensors, scalars
    )


def fresh_tensors(
    tag: str,
    find: Callable[[], Mapping[str, NDArray[Any]]],
    scalars: Mapping[str, object],
    *,
    cache_control: str = "no-cache",
) -> Response:
    """Return such a response, or 304 if the client already holds it.

    Args:
        tag: changes whenever the tensors do.
        find: returns the tensors; called only when needed.
        scalars: as in `named_tensors`.
        cache_control: the Cache-Control header.
    """
    # With equal tags, caches could confuse the two representations.
    form = ".safetensors" if wants_safetensors() else ""
    response = fresh(
        tag + form, lambda: named_tensors(find(), scalars), cache_control=cache_control
    )
    response.vary.add("Accept")
    return response


def _as_text(value: object) -> str:
    is_list = isinstance(value, list | tuple)
    return orjson.dumps(value).decode() if is_list else str(value)


def contiguous(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return tensors in C order, which both writers need.

    The writer of safetensors copies memory as it is, so it would write a transposed
    array in the wrong order.
    """
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
