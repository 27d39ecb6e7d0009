"""The guide."""

import orjson
from flask import Response

from capsnet_explorer.app.api.answers import GuideAnswer
from capsnet_explorer.app.api.describe import api_blueprint
from capsnet_explorer.app.api.wire import JSON
from capsnet_explorer.app.content.guide import current_guide, ending
from capsnet_explorer.app.http.caching import fresh, tag_of

api = api_blueprint("guide", "The chapters of the guide.")


@api.get("/guide", responses={200: GuideAnswer, 304: None})
def get_guide() -> Response:
    """List the chapters whose networks are loaded, with numbers of these networks."""
    chapters = [chapter.model_dump() for chapter in current_guide().chapters]
    body = orjson.dumps({"chapters": chapters, "ending": ending().model_dump()})
    return fresh(tag_of(body), lambda: Response(body, mimetype=JSON))
