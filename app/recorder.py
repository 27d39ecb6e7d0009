"""Follows every request from its first byte read to its last byte handed over.

Each gets an id, told in the answer's X-Request-ID, and leaves one `RequestRecord`.
"""

import re
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask, has_request_context, request
from werkzeug.wsgi import ClosingIterator

ID = "capsnet.request-id"
ROUTE = "capsnet.route"

WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")  # nothing that could forge a log line
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
OTHER = "other"


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """What became of one request. Says nothing of who asked, nor what it held.

    Attributes:
        id: the client's own, if well-formed, or a random one.
        method: one of the usual ones, or `other`.
        route: the template, such as `/api/models/<id>/trace`; `other` where none fits.
        status: of the answer; 500 if there was none.
        seconds: from the request's arrival in the app to the answer's last byte handed
            to the server.
        bytes: the answer's length; 0 if it does not tell.
    """

    id: str
    method: str
    route: str
    status: int
    seconds: float
    bytes: int


class Observer(Protocol):
    """Hears of every request."""

    def started(self) -> None:
        """Hear that a request has come."""
        ...

    def ended(self, record: RequestRecord) -> None:
        """Hear what became of it."""
        ...


def register_recorder(app: Flask, observers: Sequence[Observer]) -> None:
    """Give every request of `app` an id, and tell `observers` of each.

    Must come before whatever may refuse a request.
    """

    @app.before_request
    def note_route() -> None:
        if request.url_rule is not None:
            request.environ[ROUTE] = request.url_rule.rule

    app.wsgi_app = _Recorder(app.wsgi_app, observers)


def current_request_id() -> str | None:
    """Return the id of the request being answered by this thread, if there is one."""
    return request.environ.get(ID) if has_request_context() else None


class _Recorder:
    """The layer round the app that sees a request whole, its failures included."""

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
                observer.ended(record)

        for observer in self._observers:
            observer.started()
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
