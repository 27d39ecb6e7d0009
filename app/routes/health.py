"""Whether the server answers, and how it fares."""

from typing import cast

from flask import Response, current_app
from flask_openapi.models.response import Response as Described

from app.answers import HealthAnswer
from app.describe import api_blueprint
from app.metrics import EXTENSION, TEXT, Metrics

PLAIN = {"text/plain": {"schema": {"type": "string"}}}
NUMBERS = Described.model_validate(
    {"description": "Lines of Prometheus' text format.", "content": PLAIN}
)

api = api_blueprint("health", "Whether the server answers, and how it fares.")


@api.get("/health", responses={200: HealthAnswer})
def get_health() -> dict[str, str]:
    """Say that the server answers, and its version."""
    return {"status": "ok", "version": current_app.config["VERSION"]}


@api.get("/metrics", responses={200: NUMBERS})
def get_metrics() -> Response:
    """Tell how many requests were answered and how long they took.

    Counts by route, never by client: nothing here tells who asked, or what.
    """
    metrics = cast(Metrics, current_app.extensions[EXTENSION])
    response = Response(metrics.text(), content_type=TEXT)
    response.headers["Cache-Control"] = "no-store"
    return response
