"""The web app: turns HTTP requests into questions to a network, and back."""

import os
from collections.abc import Mapping
from pathlib import Path

from flask_openapi.models.info import Info
from flask_openapi.openapi import OpenAPI

from app.access import Access, access_from, register_access
from app.answers import ErrorAnswer
from app.catalogue import Catalogue, register_catalogue
from app.compression import register_compression
from app.datasets import open_shelf
from app.docs import register_docs
from app.engine import Engine
from app.errors import refuse, register_error_handlers
from app.headers import register_headers
from app.logs import RequestLog
from app.metrics import EXTENSION as METRICS
from app.metrics import Metrics
from app.pages import pages
from app.recorder import register_recorder
from app.routes import register_routes
from app.shared_engine import share
from app.static_files import register_static_files
from app.wire import ApiRequest, OrjsonProvider

__version__ = "0.1.0"

ROOT = Path(__file__).parent.parent

MAX_BODY = 1 << 20  # bytes; the largest request, 256 poses, has about 100 KB
MAX_FIELDS = 16  # of a form: a picture, and what is said about it


def create_app(
    engines: Mapping[str, Engine] | None = None,
    *,
    data_folder: Path | None = None,
    access: Access | None = None,
) -> OpenAPI:
    """Build the app around loaded networks.

    Args:
        engines: by id, the first is the default; None loads those of the folder that
            the environment variable CAPSNET_WEIGHTS names, or else `weights`.
        data_folder: with data sets to browse; None takes the folder that
            CAPSNET_DATA names, or else `data`.
        access: who may use the app; None takes what CAPSNET_ALLOW_HOSTS and
            CAPSNET_CORS allow.

    Raises:
        ValueError: no engine, weights that cannot be loaded, or an access that cannot
            be granted.
    """
    if engines is None:
        # Only here: with engines given, the app needs no torch.
        from app.torch_engine import load_engines

        engines = load_engines(
            Path(os.environ.get("CAPSNET_WEIGHTS", ROOT / "weights"))
        )
    if data_folder is None:
        data_folder = Path(os.environ.get("CAPSNET_DATA", ROOT / "data"))

    app = OpenAPI(
        __name__,
        static_folder=None,  # app.static_files serves them
        template_folder=ROOT / "templates",
        info=Info(
            title="CapsNet Explorer",
            version=__version__,
            description="What every layer of a capsule network does with an image.",
        ),
        doc_ui=False,  # app.docs serves the document without outside files
        validation_error_model=ErrorAnswer,
        validation_error_callback=refuse,
    )
    app.openapi_version = "3.1.0"  # what most tools read; nothing newer is used
    app.request_class = ApiRequest
    app.json = OrjsonProvider(app)
    app.config.update(
        VERSION=__version__,
        MAX_CONTENT_LENGTH=MAX_BODY,
        MAX_FORM_PARTS=MAX_FIELDS,
        TEMPLATES_AUTO_RELOAD=True,  # whoever changes one only reloads the page
    )
    metrics = app.extensions[METRICS] = Metrics()
    register_catalogue(app, Catalogue(share(engines, metrics)))
    app.extensions["capsnet-shelf"] = open_shelf(data_folder)
    register_error_handlers(app)
    register_recorder(app, [RequestLog(), metrics])
    register_access(app, access_from(os.environ) if access is None else access)
    register_headers(app)
    register_compression(app)
    register_routes(app)
    register_docs(app)
    register_static_files(app, ROOT / "static")
    app.register_blueprint(pages)
    return app
