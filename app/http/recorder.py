"""Notes every request: when it starts, and when its response is sent."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, request
from werkzeug.wsgi import ClosingIterator

from capsnet_explorer.app.http.metrics import Metrics
from capsnet_explorer.app.http.opening import AGAIN

ROUTE = "capsnet.route"
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
OTHER = "other"

log = logging.getLogger("capsnet.requests")


def register_recorder(app: Flask, metrics: Metrics) -> None:
    """Count every request of `app`, and log a line for each.

    Neither tells the client, its address or the content: of a request they have the
    method, one of the usual ones or `other`; the route's template, such as
    `/api/models/<id>/trace`, `other` if none matches; the status; and the seconds until
    its response's last byte was handed to the server.

    Must be registered before anything that may refuse a request.
    """

    @app.before_request
    def note_route() -> None:
        if request.url_rule is not None:
            request.environ[ROUTE] = request.url_rule.rule

    app.wsgi_app = _Recorder(app.wsgi_app, metrics)


class _Recorder:
    """WSGI middleware that sees the whole request, including failures."""

    def __init__(self, app: Callable[..., Any], metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        if environ.get(AGAIN):
            return self.app(environ, start_response)
        start = time.perf_counter()
        status = 500

        def start_and_note(line: str, *more: Any) -> Callable[[bytes], object]:
            nonlocal status
            status = int(line.partition(" ")[0])
            return start_response(line, *more)

        def end() -> None:
            method = environ["REQUEST_METHOD"]
            method = method if method in METHODS else OTHER
            route = environ.get(ROUTE, OTHER)
            seconds = time.perf_counter() - start
            self._metrics.request_ended(method, route, status, seconds)
            log.info("%s %s %d %.1f ms", method, route, status, 1000 * seconds)

        self._metrics.request_started()
        try:
            answer = self.app(environ, start_and_note)
        except BaseException:
            end()
            raise
        return ClosingIterator(answer, end)
