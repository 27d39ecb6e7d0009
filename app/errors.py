"""Errors and their JSON form: {"error": {"message", "field"}}."""

import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import orjson
from flask import Flask, Response, jsonify, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as WerkzeugResponse

from capsnet_explorer.storage.sizes import size_words

LONGEST_ECHO = 40  # characters of a client's value that a message repeats
KIND = re.compile(
    r"(dict|list|tuple)\[|(str|int|float|bool|constrained-\w+|function-.*)$"
)
RETRY_AFTER_S = 1  # for responses that ask the client to retry, and know no better


class ApiError(Exception):
    """A request that fails, with a message for the client.

    Args:
        message: what is needed, then what was given.
        field: dotted path of the value at fault, such as `poses.0`.
    """

    status = 500

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class InvalidRequest(ApiError):
    """The client sent a value that it can correct."""

    status = 422


class UnknownThing(ApiError):
    """The request names a model, data set or digit that does not exist."""

    status = 404


class Forbidden(ApiError):
    """The operator does not allow this."""

    status = 403


class Conflict(ApiError):
    """The thing is in a state, or the name is taken, so that this cannot be done."""

    status = 409


class UnsupportedMedia(ApiError):
    """The body has a media type that this route does not accept."""

    status = 415


class TooLarge(ApiError):
    """The body is larger than this route accepts."""

    status = 413


class DamagedFile(Conflict):
    """A file on the server's disk cannot be used; all others can."""


class Overloaded(ApiError):
    """Too much is under way, or there is no room; the client should retry later.

    Args:
        message: what there is too much of.
        after_s: when it is worth asking again, in seconds.
    """

    status = 503

    def __init__(self, message: str, *, after_s: float = RETRY_AFTER_S) -> None:
        super().__init__(message)
        self.after_s = math.ceil(after_s)


class ClientGone(ApiError):
    """The client disconnected before its response; only the logs record this."""

    status = 499  # not standard, but usual in server logs


def error_body(message: str, *, field: str | None = None) -> dict[str, object]:
    """Return the JSON body of an error response."""
    return {"error": {"message": message, "field": field}}


def short(value: object) -> str:
    """Abbreviate a client's value of any size to a few characters."""
    match value:
        case list() | tuple():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
        case str():
            value = value if len(value) <= LONGEST_ECHO else value[:LONGEST_ECHO] + "…"
            return orjson.dumps(value.encode(errors="replace").decode()).decode()
        case None | bool():
            return {None: "nothing", True: "true", False: "false"}[value]
        case _:
            return str(value)[:LONGEST_ECHO]


def refuse(error: ValidationError) -> NoReturn:
    """Raise an `InvalidRequest` for the first problem that pydantic found.

    Raises:
        InvalidRequest: always.
    """
    first = error.errors(include_url=False)[0]
    # Where a value may be of several kinds, pydantic adds which one it tried.
    named = [str(part) for part in first["loc"] if not KIND.match(str(part))]
    field = ".".join(named)
    raise InvalidRequest(f"{field} {_complaint(first)}", field=field or None)


def _complaint(error: Mapping[str, Any]) -> str:
    match error["type"]:
        case "missing":
            return "is required"
        case "extra_forbidden":
            return "is not a field of this request"
        case "int_parsing_size":
            return "has too many digits"
        case "model_type":
            return f"must be an object, got {short(error['input'])}"
        case "too_long":
            most, came = error["ctx"]["max_length"], short(error["input"])
            return f"must have at most {most} items, got {came}"
        case "too_short":
            least, came = error["ctx"]["min_length"], short(error["input"])
            return f"must have at least {least} item, got {came}"
        case "told":
            return error["msg"]
        case _:
            need = re.sub(r"^(\w+ should|Value error,)", "must", error["msg"])
            need = re.sub(r", unable to .*", "", need)
            return f"{need}, got {short(error['input'])}"


def register_error_handlers(app: Flask) -> None:
    """Report errors as JSON under /api/ and as plain text elsewhere."""

    @app.errorhandler(ApiError)
    def api_error(error: ApiError) -> Response:
        if not request.path.startswith("/api/"):
            return Response(f"{error}\n", error.status, mimetype="text/plain")
        response = jsonify(error_body(str(error), field=error.field))
        response.status_code = error.status
        if isinstance(error, Overloaded):
            response.headers["Retry-After"] = str(error.after_s)
        _say_when_to_return(response)
        return response

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> WerkzeugResponse | HTTPException:
        # A bug arrives here as a 500 whose text names no internals; Flask has
        # logged its traceback.
        if not request.path.startswith("/api/"):
            return error
        response = error.get_response()  # keeps Allow and Retry-After
        response.data = orjson.dumps(error_body(_words_of(error)))
        response.content_type = "application/json"
        _say_when_to_return(response)
        return response


def _say_when_to_return(response: WerkzeugResponse) -> None:
    if response.status_code in {429, 503}:
        response.headers.setdefault("Retry-After", str(RETRY_AFTER_S))


def _words_of(error: HTTPException) -> str:
    match error.code:
        case 404:
            return f"there is nothing at {short(request.path)}"
        case 413 if request.mimetype == "multipart/form-data":
            return (
                f"the form must have at most {size_words(request.max_content_length)}, "
                f"{request.max_form_parts} fields, and "
                f"{size_words(request.max_form_memory_size)} outside its files"
            )
        case 413:
            what = "body" if request.is_json else "picture"
            most = size_words(request.max_content_length)
            return f"the {what} must have at most {most}"
        case _:
            return error.description or error.name
