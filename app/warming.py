"""Work done before somebody waits for it: at the start, and while a page opens."""

import threading
from concurrent.futures import Future
from contextlib import suppress

import numpy as np
from flask import Flask, Response, request

from capsnet_explorer.app.api.catalogue import Catalogue, current_catalogue
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.app.engines.waiting import ARRIVAL
from capsnet_explorer.app.errors import ApiError
from capsnet_explorer.datasets.digits import Sample, load_samples
from capsnet_explorer.pictures.reading import Overrides, read_digit
from capsnet_explorer.pictures.reading.decode import decoders

# Requested when the page opens.
PATHS = ("/", "/api/models", "/api/samples")


def warm_up(app: Flask) -> None:
    """Render the page, draw the samples, and read a picture; call before any request.

    Meanwhile a decoder process for pictures starts. Networks wait until a page opens
    that will ask them, and the guide until somebody asks for it.
    """
    decoders.warm_up()
    for path in PATHS:
        with app.test_request_context(path):
            app.dispatch_request()  # the view alone, so that no metric counts it
    sample, *_ = load_samples()
    read_digit(_picture_of(sample), Overrides(ink="light"))
    _read_networks_ahead(app)


def _read_networks_ahead(app: Flask) -> None:
    """Have a network in memory by the time a page that has opened asks it."""
    begun: set[str] = set()

    @app.after_request
    def read_ahead(response: Response) -> Response:
        if request.endpoint == "pages.index":
            catalogue = current_catalogue()
            name = _asked_first(catalogue)
            if name not in begun:
                begun.add(name)
                asked = (catalogue.engines[name], app.extensions.get(ARRIVAL))
                threading.Thread(target=_run, args=asked, daemon=True).start()
        return response


def _asked_first(catalogue: Catalogue) -> str:
    """Return the model that the page of this request opens with."""
    name = request.args.get("model", "")
    return name if name in catalogue.engines else catalogue.default


def _picture_of(sample: Sample) -> bytes:
    """Return a sample as a PGM file, the format in which the page sends drawings."""
    pixels = (255 * sample.image).round().astype("uint8")
    rows, columns = pixels.shape[1:]
    return f"P5\n{columns} {rows}\n255\n".encode() + pixels.tobytes()


def _run(engine: Engine, arrival: Future[object] | None) -> None:
    if arrival is not None and arrival.exception() is not None:  # waits
        return
    info = engine.info
    names = tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    image = np.zeros(info.input_shape, np.float32)
    with suppress(ApiError):  # it is said to whoever asks
        engine.trace(Question(image, engine.options({}), names, half=True))
