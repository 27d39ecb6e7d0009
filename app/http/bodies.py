"""How much of a body each route takes: known before any of it is kept."""

from collections.abc import Callable, Mapping

from flask import Flask, request
from werkzeug.exceptions import HTTPException

EXTENSION = "capsnet-bodies"


def register_bodies(app: Flask, larger: Mapping[str, int]) -> None:
    """Let some routes take more than `MAX_CONTENT_LENGTH`.

    Args:
        app: the app.
        larger: bytes by endpoint.
    """
    unknown = larger.keys() - app.view_functions.keys()
    if unknown:
        raise ValueError(f"there are no endpoints {sorted(unknown)}")
    app.extensions[EXTENSION] = dict(larger)

    @app.before_request
    def take_more() -> None:
        most = larger.get(request.endpoint or "")
        if most is not None:
            request.max_content_length = most


def most_of_body(app: Flask) -> Callable[[str, str], int]:
    """Return a function that tells how many bytes of a body a route takes.

    It takes a request's method and path. What is no route takes as much as most do.
    """
    larger: Mapping[str, int] = app.extensions[EXTENSION]
    usual: int = app.config["MAX_CONTENT_LENGTH"]
    routes = app.url_map.bind("")

    def most_of(method: str, path: str) -> int:
        try:
            endpoint, _ = routes.match(path, method)
        except HTTPException:
            return usual
        return larger.get(endpoint, usual)

    return most_of
