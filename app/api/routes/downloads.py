"""Downloads of data sets that are missing."""

from typing import Any

from flask import current_app

from capsnet_explorer.app.api.describe import api_blueprint, errors
from capsnet_explorer.app.api.routes.runs import allowed_runs
from capsnet_explorer.app.api.training import Downloaded
from capsnet_explorer.app.engines.downloads import EXTENSION, DownloadFacts, Downloads

api = api_blueprint("downloads", "Data sets that are missing on the server's machine.")


@api.post("/downloads", responses={202: DownloadFacts, **errors(403, 413, 415, 422)})
def start_download(body: Downloaded) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Download a data set into the server's data folder.

    `python -m capsnet_explorer data` does it, in a process of its own. Where it is
    under way already, nothing is started. Files are checked by their MD5, and come into
    the folder together at the end. 403: training is off on this server.
    """
    facts = _downloads().start(body.dataset)
    # Relative to this route's address: a proxy may serve it below any path.
    return facts.model_dump(), 202, {"Location": f"downloads/{facts.dataset}"}


@api.get("/downloads/<dataset>", responses={200: DownloadFacts, **errors(403, 422)})
def get_download(path: Downloaded) -> dict[str, Any]:
    """Return how far the last download of a data set is."""
    return _downloads().facts(path.dataset).model_dump()


@api.delete("/downloads/<dataset>", responses={200: DownloadFacts, **errors(403, 422)})
def stop_download(path: Downloaded) -> dict[str, Any]:
    """Stop a download, and delete what has come."""
    return _downloads().stop(path.dataset).model_dump()


def _downloads() -> Downloads:
    allowed_runs()
    return current_app.extensions[EXTENSION]
