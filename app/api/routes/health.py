"""Health and metrics of the server."""

from typing import cast

from flask import Response, current_app, request
from flask_openapi.models.response import Response as Described

from capsnet_explorer.app.api.describe import answers, api_blueprint
from capsnet_explorer.app.http.metrics import EXTENSION, TEXT, Metrics
from capsnet_explorer.app.http.opening import STARTS

PLAIN = {"text/plain": {"schema": {"type": "string"}}}
NUMBERS = Described.model_validate(
    {"description": "Metrics in Prometheus' text format.", "content": PLAIN}
)

api = api_blueprint("health", "Health and metrics of the server.")


@api.get("/health", responses=answers("`status`, `version`."))
def get_health() -> dict[str, str]:
    """Tell whether the networks are there, `ok` or `starting`, and the version."""
    status = "starting" if request.environ.get(STARTS) else "ok"
    return {"status": status, "version": current_app.config["VERSION"]}


@api.get("/metrics", responses={200: NUMBERS})
def get_metrics() -> Response:
    """Return how many requests were handled and how long they took.

    The counts are by route. They contain no information about clients or images.
    """
    metrics = cast(Metrics, current_app.extensions[EXTENSION])
    response = Response(metrics.text(), content_type=TEXT)
    response.headers["Cache-Control"] = "no-store"
    return response
