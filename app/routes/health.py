"""Whether the server answers."""

from flask import current_app

from app.answers import HealthAnswer
from app.describe import api_blueprint

api = api_blueprint("health", "Whether the server answers.")


@api.get("/health", responses={200: HealthAnswer})
def get_health() -> dict[str, str]:
    """Say that the server answers, and its version."""
    return {"status": "ok", "version": current_app.config["VERSION"]}
