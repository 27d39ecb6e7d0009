"""The OpenAPI document, and a page that shows it without external files."""

import importlib.util
from pathlib import Path

import orjson
from flask import Blueprint, Response, send_from_directory
from flask_openapi.openapi import OpenAPI

from capsnet_explorer.app.api.describe import openapi_document
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.http.caching import fresh, tag_of
from capsnet_explorer.app.http.headers import content_security_policy
from capsnet_explorer.app.http.proxies import public_address

HERE = Path(__file__).parent

# Swagger UI writes style attributes, turns sanitised text into markup, and shows icons
# from data: URLs. It loads nothing else.
POLICY = content_security_policy(
    style_src="'self' 'unsafe-inline'",
    require_trusted_types_for=None,
    trusted_types=None,
)


def register_docs(app: OpenAPI) -> None:
    """Serve the document of the routes registered so far, and its page.

    Args:
        app: the app, after registration of all its API routes.
    """
    docs = Blueprint(
        "docs",
        __name__,
        url_prefix="/api",
        static_folder=_swagger_folder(),
        static_url_path="docs/swagger",
    )
    document = openapi_document(app)

    @docs.get("/openapi.json")
    def openapi() -> Response:
        # As seen from here, below whatever path a proxy serves it.
        servers = [{"url": public_address() or ".."}]
        body = orjson.dumps({**document, "servers": servers})
        return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))

    @docs.get("/docs")
    def page() -> Response:
        response = send_from_directory(HERE, "page.html")
        response.headers["Content-Security-Policy"] = POLICY
        return response

    @docs.get("/docs/start.js")
    def start() -> Response:
        return send_from_directory(HERE, "start.js")

    app.register_blueprint(docs)


def _swagger_folder() -> Path:
    spec = importlib.util.find_spec("flask_openapi_swagger")
    if spec is None or spec.origin is None:
        raise ImportError("flask-openapi must be installed with its swagger extra")
    return Path(spec.origin).parent / "templates" / "swagger"
