"""The one HTML page."""

from functools import lru_cache

from flask import Blueprint, Response, make_response, render_template, request

from app.modules import later_modules, needed_modules
from app.static_files import StaticFiles, current_static_folder
from picture_files.kinds import MEDIA_TYPES

START = "js/main.js"

pages = Blueprint("pages", __name__)


@pages.get("/")
def index() -> Response:
    """Answer with the page; its scripts fetch everything else."""
    static = current_static_folder().refreshed()
    at_first, later = _modules_of(static)
    response = make_response(
        render_template(
            "index.html",
            asset=static.address,
            modules=at_first,
            later=later,
            picture_types=",".join(MEDIA_TYPES),
        )
    )
    response.add_etag(weak=True)  # weak, so that it outlives compression
    response.make_conditional(request)
    return response


@lru_cache(maxsize=1)
def _modules_of(
    static: StaticFiles,
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the modules that the page starts with, and those of each view.

    The page names them all, so that a browser fetches them at once and not one import
    after the other.

    Returns:
        Addresses; those of views by the view's name.
    """
    scripts = {name: file.body for name, file in static.files.items()}
    at_first = needed_modules(scripts, START)
    later = later_modules(scripts, START)
    return (
        tuple(map(static.address, at_first)),
        {view: tuple(map(static.address, names)) for view, names in later.items()},
    )
