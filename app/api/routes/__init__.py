"""The routes under /api/."""

from flask_openapi.openapi import OpenAPI

from capsnet_explorer.app.api.routes import (
    atlas,
    batch,
    datasets,
    downloads,
    film,
    glossary,
    guide,
    health,
    images,
    laboratory,
    models,
    readings,
    runs,
    samples,
    sets,
    toys,
    traces,
)


def register_routes(app: OpenAPI) -> None:
    """Add every route of the API to `app`."""
    for group in (
        *(health, models, traces, batch, samples, images, readings, datasets),
        *(glossary, guide, laboratory, atlas, runs, sets, downloads, film, toys),
    ):
        app.register_api(group.api)
