"""Cross-origin access: pages of other sites may use the API only if allowed."""

import re
from collections.abc import Collection

from flask import Flask, Response, request

from capsnet_explorer.app.errors import ApiError, short

ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?")
ANY = "*"
READ_ONLY = frozenset({"GET", "HEAD", "OPTIONS"})

REQUEST_HEADERS = "Content-Type, If-None-Match"
ANSWER_HEADERS = "ETag, Retry-After"
REMEMBERED_S = "7200"  # time for which a browser may cache a preflight response


class CrossSite(ApiError):
    """A page of another site sends a request that changes or computes something."""

    status = 403


def register_origins(app: Flask, allowed: Collection[str]) -> None:
    """Refuse POST requests from other origins, and give allowed origins access.

    Args:
        app: the app to guard.
        allowed: origins such as `https://example.org`, or `*` for all.
    """

    @app.before_request
    def check_origin() -> None:
        # A form on any page can post without a preflight request. Its page could not
        # read the response, but the server would do the work.
        if request.method not in READ_ONLY and not (_same_origin() or _allowed()):
            came = short(request.headers.get("Origin"))
            raise CrossSite(
                f"pages of other sites may not use this server, got origin {came}; "
                "its operator can allow an origin with --cors (or CAPSNET_CORS)"
            )

    def _allowed() -> bool:
        return ANY in allowed or request.headers.get("Origin") in allowed

    if allowed:

        @app.after_request
        def permit(response: Response) -> Response:
            if request.path.startswith("/api/"):
                response.vary.add("Origin")
                if "Origin" in request.headers and _allowed():
                    _permit(response, request.headers["Origin"])
            return response


def _same_origin() -> bool:
    """Return whether the request comes from our page, or from no page at all."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:  # browsers send it, except over plain HTTP to another machine
        return site in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("Host")


def _permit(response: Response, origin: str) -> None:
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = ANSWER_HEADERS
    if "Access-Control-Request-Method" in request.headers:
        methods = response.headers.get("Allow", "")  # absent where no route matches
        response.headers["Access-Control-Allow-Methods"] = methods
        response.headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS
        response.headers["Access-Control-Max-Age"] = REMEMBERED_S
