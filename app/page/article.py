"""The guide as an article: one page that needs no script."""

from flask import Blueprint, Response, make_response, render_template, request

from app.content.guide import current_guide
from app.page.files import current_static_folder

blueprint = Blueprint("article", __name__)


@blueprint.get("/guide")
def article() -> Response:
    """Return all chapters; each step links to the live state that it speaks of."""
    static = current_static_folder().refreshed()
    response = make_response(
        render_template(
            "guide/article.html",
            asset=static.address,
            chapters=current_guide().chapters,
        )
    )
    response.add_etag(weak=True)  # weak, so that it stays valid under compression
    response.make_conditional(request)
    return response
