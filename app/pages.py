"""The one HTML page."""

from functools import cache
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    render_template,
    request,
)

CLASSIC_SCRIPTS = {"theme.js"}  # not modules

pages = Blueprint("pages", __name__)


@pages.get("/")
def index() -> Response:
    """Answer with the page; its scripts fetch everything else."""
    modules = module_files(Path(current_app.static_folder or ""))
    response = make_response(render_template("index.html", modules=modules))
    response.add_etag(weak=True)  # weak, so that it outlives compression
    response.make_conditional(request)
    return response


@cache
def module_files(static: Path) -> tuple[str, ...]:
    """Return the page's modules, as paths below the static folder.

    The page names them all, so that a browser fetches them at once and not one import
    after the other.
    """
    return tuple(
        path.relative_to(static).as_posix()
        for path in sorted((static / "js").rglob("*.js"))
        if path.name not in CLASSIC_SCRIPTS
    )
