"""The routes under /api/: parse, ask, answer."""

from flask_openapi.openapi import OpenAPI

from app.routes import datasets, health, images, models, readings, samples


def register_routes(app: OpenAPI) -> None:
    """Add every route of the API to `app`."""
    for group in (health, models, samples, images, readings, datasets):
        app.register_api(group.api)
