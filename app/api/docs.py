"""The OpenAPI document, and a page for reading that is made of it."""

from typing import Any

import orjson
from flask import Blueprint, Response, render_template
from flask_openapi.openapi import OpenAPI

from capsnet_explorer.app.api.describe import openapi_document
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.http.caching import fresh, tag_of
from capsnet_explorer.app.http.proxies import public_address
from capsnet_explorer.app.page.addresses import addresses


def register_docs(app: OpenAPI) -> None:
    """Serve the document of the routes registered so far, and its page."""
    docs = Blueprint("docs", __name__, url_prefix="/api")
    document = openapi_document(app)

    @docs.get("/openapi.json")
    def openapi() -> Response:
        # As seen from here, below whatever path a proxy serves it.
        servers = [{"url": public_address() or ".."}]
        body = orjson.dumps({**document, "servers": servers})
        return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))

    @docs.get("/docs")
    def page() -> str:
        groups = [(tag, _routes(document, tag["name"])) for tag in document["tags"]]
        schemas = document["components"]["schemas"]
        return render_template(
            "page/api.html",
            info=document["info"],
            groups=groups,
            schemas=schemas,
            **addresses(),
        )

    app.register_blueprint(docs)


def _routes(document: dict[str, Any], tag: str) -> list[tuple[str, str, Any]]:
    """Return method, path and operation of the routes with this tag."""
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if tag in operation.get("tags", ())
    ]
