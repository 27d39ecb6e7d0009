"""The one HTML page."""

from functools import lru_cache

from flask import Blueprint, Response, make_response, render_template, request

from app.modules import later_modules
from app.static_files import PACKS, StaticFiles, current_static_folder
from picture_files.kinds import MEDIA_TYPES

pages = Blueprint("pages", __name__)


@pages.get("/")
def index() -> Response:
    """Answer with the page; its scripts fetch everything else."""
    static = current_static_folder().refreshed()
    response = make_response(
        render_template(
            "index.html",
            asset=static.address,
            packs=_packs_of(static),
            picture_types=",".join(MEDIA_TYPES),
        )
    )
    response.add_etag(weak=True)  # weak, so that it outlives compression
    response.make_conditional(request)
    return response


@lru_cache(maxsize=1)
def _packs_of(static: StaticFiles) -> dict[str, tuple[str, ...]]:
    """Return the addresses of the packs that each view needs, by the view's name.

    The page names them, so that a browser fetches them at once and not one import after
    the other.
    """
    scripts = {name: file.body for name, file in static.files.items()}
    return {
        view: tuple(map(static.address, names))
        for view, names in later_modules(scripts, f"{PACKS}/main.js").items()
    }
