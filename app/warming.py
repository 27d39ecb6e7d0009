"""Work done before somebody waits for it: at the start, and while a page opens."""

import threading
from contextlib import suppress

import numpy as np
from flask import Flask, Response, request

from capsnet_explorer.app.api.catalogue import Catalogue, current_catalogue
from capsnet_explorer.app.api.grids import read_image
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.app.http.opening import FOLLOWS, KEEP
from capsnet_explorer.datasets.digits import Sample, is_sample, load_samples
from capsnet_explorer.pictures.reading import Overrides, read_digit
from capsnet_explorer.pictures.reading.decode import decoders

# Requested when the page opens.
PATHS = ("/", "/api/models", "/api/samples")

INDEX, TRACE, DRAWING = "pages.index", "models.trace", "models.reconstruct"
# Their answers are the same for everybody, as long as files and networks are.
SAME_FOR_ALL = frozenset(
    {
        *(INDEX, "static-files._static_file", "health.get_health"),
        *("article.contents", "article.chapter", "article.whole"),
        *("content.get_samples", "content.get_glossary", "content.get_guide"),
        *("models.get_models", "models.get_model", "models.get_measured"),
        *("models.get_kernels", "models.get_layer_kernels", "models.get_weights"),
    }
)


def warm_up(app: Flask) -> None:
    """Render the page, draw the samples, and read a picture.

    Meanwhile a decoder process for pictures starts. Networks wait until a page opens
    that will ask them, and the guide until somebody asks for it.
    """
    decoders.warm_up()
    for path in PATHS:
        with app.test_request_context(path):
            app.dispatch_request()  # the view alone, so that no metric counts it
    sample, *_ = load_samples()
    read_digit(_picture_of(sample), Overrides(ink="light"))


def read_networks_ahead(app: Flask) -> None:
    """Have a network in memory by the time a page that has opened asks it."""
    begun: set[str] = set()

    @app.after_request
    def read_ahead(response: Response) -> Response:
        if request.endpoint == INDEX:
            catalogue = current_catalogue()
            name = _asked_first(catalogue)
            if name not in begun:
                begun.add(name)
                engine = catalogue.engines[name]
                threading.Thread(target=_run, args=(engine,), daemon=True).start()
        return response


def keep_answers(app: Flask) -> None:
    """Let answers be kept for the next start; of posts, the first about an example.

    Once anything else has been posted, nothing that is posted is kept.
    """
    is_private = False

    @app.after_request
    def offer(response: Response) -> Response:
        nonlocal is_private
        is_kept = False
        if request.method == "GET":
            is_kept = request.endpoint in SAME_FOR_ALL and not current_catalogue().kept
        elif request.method == "POST" and not is_private:
            is_kept = response.status_code == 200 and _is_about_example()
            is_private = not is_kept
        request.environ[KEEP] = is_kept
        return response


def _is_about_example() -> bool:
    """Tell whether a request posts an example, or what follows from one."""
    if request.endpoint == TRACE:
        return is_sample(read_image(request.get_json()["image"]))
    return request.endpoint == DRAWING and request.environ.get(FOLLOWS, False)


def _asked_first(catalogue: Catalogue) -> str:
    """Return the model that the page of this request opens with."""
    name = request.args.get("model", "")
    return name if name in catalogue.engines else catalogue.default


def _picture_of(sample: Sample) -> bytes:
    """Return a sample as a PGM file, the format in which the page sends drawings."""
    pixels = (255 * sample.image).round().astype("uint8")
    rows, columns = pixels.shape[1:]
    return f"P5\n{columns} {rows}\n255\n".encode() + pixels.tobytes()


def _run(engine: Engine) -> None:
    info = engine.info
    names = tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    image = np.zeros(info.input_shape, np.float32)
    with suppress(Exception):  # it is said to whoever asks
        engine.trace(Question(image, engine.options({}), names, half=True))
