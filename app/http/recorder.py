"""Notifies observers of every request: when it starts and when its response is sent.

Each request has an id, which the response repeats as X-Request-ID.
"""

import re
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flask import Flask, has_request_context, request
from werkzeug.wsgi import ClosingIterator

from capsnet_explorer.app.observing import Observer, RequestRecord

ID = "capsnet.request-id"
ROUTE = "capsnet.route"

WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")  # cannot forge a log line
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
OTHER = "other"


def register_recorder(app: Flask, observers: Sequence[Observer]) -> None:
    """Give every request of `app` an id, and notify `observers` of it.

    Must be registered before anything that may refuse a request.
    """

    @app.before_request
    def note_route() -> None:
        if request.url_rule is not None:
            request.environ[ROUTE] = request.url_rule.rule

    app.wsgi_app = _Recorder(app.wsgi_app, observers)


def current_request_id() -> str | None:
    """Return the id of the request that this thread handles, if any."""
    return request.environ.get(ID) if has_request_context() else None


class _Recorder:
    """WSGI middleware that sees the whole request, including failures."""

    def __init__(self, app: Callable[..., Any], observers: Sequence[Observer]) -> None:
        self.app = app
        self._observers = observers

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        start = time.perf_counter()
        id = environ[ID] = _id_of(environ)
        status, length = 500, 0

        def start_and_note(
            line: str, headers: list[tuple[str, str]], *more: Any
        ) -> Callable[[bytes], object]:
            nonlocal status, length
            status = int(line.partition(" ")[0])
            length = _length_of(headers)
            return start_response(line, [*headers, ("X-Request-ID", id)], *more)

        def end() -> None:
            method = environ["REQUEST_METHOD"]
            record = RequestRecord(
                id=id,
                method=method if method in METHODS else OTHER,
                route=environ.get(ROUTE, OTHER),
                status=status,
                seconds=time.perf_counter() - start,
                bytes=length,
            )
            for observer in self._observers:
                observer.request_ended(record)

        for observer in self._observers:
            observer.request_started()
        try:
            answer = self.app(environ, start_and_note)
        except BaseException:
            end()
            raise
        return ClosingIterator(answer, end)


def _id_of(environ: dict[str, Any]) -> str:
    given = environ.get("HTTP_X_REQUEST_ID", "")
    return given if WELL_FORMED.fullmatch(given) else uuid.uuid4().hex


def _length_of(headers: list[tuple[str, str]]) -> int:
    for name, value in headers:
        if name.lower() == "content-length":
            return int(value)
    return 0
