"""The web app: passes HTTP requests to networks and returns their results."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from capsnet_explorer import ROOT

if TYPE_CHECKING:
    from flask_openapi.openapi import OpenAPI

    from capsnet_explorer.app.engines.protocol import Engine
    from capsnet_explorer.app.engines.runs import Runs
    from capsnet_explorer.app.engines.snapshots import Snapshots
    from capsnet_explorer.app.http.access import Access

__version__ = "0.10.0"

MAX_BODY = 1 << 20  # bytes; the largest request, 256 poses, has about 100 KB
MAX_FIELDS = 16  # of a form: a picture and its settings


def create_app(
    engines: "Mapping[str, Engine] | None" = None,
    *,
    data_folder: Path | None = None,
    access: "Access | None" = None,
    runs: "Runs | None" = None,
    edition: Mapping[str, bytes] = MappingProxyType({}),
    is_file: bool = False,
) -> "OpenAPI":
    """Build the app around loaded networks.

    Args:
        engines: by id, the first is the default; None loads the folder named by the
            environment variable CAPSNET_WEIGHTS, or else `weights`.
        data_folder: contains data sets to browse; None takes the folder named by
            CAPSNET_DATA, or else `data`.
        access: who may use the app; None takes CAPSNET_ALLOW_HOSTS, CAPSNET_CORS and
            CAPSNET_ALLOW_FRAMES.
        runs: the training runs that requests may start; None allows none.
        edition: static files in place of the page's own, by path.
        is_file: whether the page is to be one file, with what it is made of in it.

    Raises:
        ValueError: there is no engine, weights cannot be loaded, or a host or origin is
            invalid.
    """
    # Imported here: a server that starts has no second to wait for it.
    from flask_openapi.models.info import Info
    from flask_openapi.openapi import OpenAPI

    from capsnet_explorer.app.api.catalogue import Catalogue, register_catalogue
    from capsnet_explorer.app.api.describe import ErrorAnswer
    from capsnet_explorer.app.api.docs import register_docs
    from capsnet_explorer.app.api.routes import register_routes
    from capsnet_explorer.app.api.wire import ApiRequest, OrjsonProvider
    from capsnet_explorer.app.content.datasets import EXTENSION as LIBRARY
    from capsnet_explorer.app.content.datasets import Library, labelled_by, read_by
    from capsnet_explorer.app.content.guide import register_guide
    from capsnet_explorer.app.engines.downloads import EXTENSION as DOWNLOADS
    from capsnet_explorer.app.engines.downloads import Downloads
    from capsnet_explorer.app.engines.runs import EXTENSION as RUNS
    from capsnet_explorer.app.engines.sharing import sharing
    from capsnet_explorer.app.engines.turns import letting_others_go_on
    from capsnet_explorer.app.errors import refuse, register_error_handlers
    from capsnet_explorer.app.http.access import access_from, register_access
    from capsnet_explorer.app.http.compression import register_compression
    from capsnet_explorer.app.http.metrics import EXTENSION as METRICS
    from capsnet_explorer.app.http.metrics import Metrics
    from capsnet_explorer.app.http.recorder import register_recorder
    from capsnet_explorer.app.page.files import register_static_files
    from capsnet_explorer.app.page.pages import register_pages
    from capsnet_explorer.pictures.reading.decode import decoders

    if engines is None:  # else torch is not needed
        from capsnet_explorer.app.engines.torch import load_engines

        engines = load_engines(
            Path(os.environ.get("CAPSNET_WEIGHTS", ROOT / "weights"))
        )
    if data_folder is None:
        data_folder = Path(os.environ.get("CAPSNET_DATA", ROOT / "data"))

    app = OpenAPI(
        __name__,
        static_folder=None,  # app.page.files serves them
        template_folder=ROOT / "templates",
        info=Info(
            title="CapsNet Explorer",
            version=__version__,
            description="What every layer of a capsule network does with an image.",
        ),
        doc_ui=False,  # app.api.docs serves the document without external files
        validation_error_model=ErrorAnswer,
        validation_error_callback=refuse,
    )
    app.openapi_version = "3.1.0"  # most tools read it, and nothing newer is needed
    app.request_class = ApiRequest
    app.json = OrjsonProvider(app)
    app.config.update(
        VERSION=__version__,
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_PARTS=MAX_FIELDS,
        TEMPLATES_AUTO_RELOAD=True,  # a changed template needs only a reload
    )
    metrics = app.extensions[METRICS] = Metrics()
    share = sharing()
    shared = {id: share(engine) for id, engine in engines.items()}
    snapshots = None if runs is None else _snapshots(runs, share)
    refused = dict(getattr(engines, "refused", {}))
    if snapshots is not None:
        kept = snapshots.kept()
        shared |= {name: engine for name, engine in kept.items() if name not in shared}
        refused = {**snapshots.refused, **refused}
    catalogue = Catalogue(shared, snapshots, refused)
    app.extensions[RUNS] = runs
    app.extensions[DOWNLOADS] = None if runs is None else Downloads(runs.data)
    register_catalogue(app, catalogue)
    register_guide(app, catalogue.engines)
    sets = dict if runs is None else runs.sets.ready
    labelled = labelled_by(engines)
    app.extensions[LIBRARY] = Library(data_folder, sets, labelled, read_by(engines))
    decoders.around = letting_others_go_on
    register_error_handlers(app)
    register_recorder(app, metrics)
    register_access(app, access_from(os.environ) if access is None else access)
    register_compression(app)
    register_routes(app)
    register_docs(app)
    register_static_files(app, ROOT / "static", edition)
    register_pages(app)
    app.jinja_env.globals |= {"is_site": bool(edition), "is_file": is_file}
    return app


def _snapshots(runs: "Runs", share: "Callable[[Engine], Engine]") -> "Snapshots":
    from capsnet_explorer.app.engines.snapshots import Snapshots

    def load(id: str, weights: Path) -> "Engine":
        from capsnet_explorer.app.engines.torch import load_engine

        return load_engine(id, weights)

    return Snapshots(runs, load, share)
