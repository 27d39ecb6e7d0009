"""The one HTML page."""

from flask import Blueprint, Response, make_response, render_template, request

pages = Blueprint("pages", __name__)


@pages.get("/")
def index() -> Response:
    """Answer with the page; its scripts fetch everything else."""
    response = make_response(render_template("index.html"))
    response.add_etag(weak=True)  # weak, so that it outlives compression
    response.make_conditional(request)
    return response
