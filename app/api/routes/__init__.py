"""The routes under /api/."""

from flask_openapi.openapi import OpenAPI

from capsnet_explorer.app.api.routes import (
    atlas,
    batch,
    content,
    datasets,
    downloads,
    health,
    images,
    laboratory,
    models,
    readings,
    runs,
    sets,
    toys,
    traces,
)
from capsnet_explorer.app.http.bodies import register_bodies
from capsnet_explorer.pictures.reading.settings import MAX_UPLOAD

# Bytes of a body, for routes that take more than most.
BODIES = {
    "batch.batch": batch.MAX_BATCH_BODY,
    "images.post_image": MAX_UPLOAD,
    "readings.read": MAX_UPLOAD,
    "sets.add_set": sets.MOST_AT_ONCE + sets.ROOM_FOR_FORM,
    "sets.add_piece": sets.MOST_AT_ONCE,
}


def register_routes(app: OpenAPI) -> None:
    """Add every route of the API to `app`."""
    for group in (
        *(health, models, traces, batch, content, images, readings, datasets),
        *(laboratory, atlas, runs, sets, downloads, toys),
    ):
        app.register_api(group.api)
    register_bodies(app, BODIES)
