"""Work done at the start, so that the first visitor need not wait for it."""

from flask import Flask

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.content.samples import Sample, load_samples
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.intake import Overrides, read_digit
from capsnet_explorer.intake.decode import decoders

# Requested when the page opens.
PATHS = ("/", "/api/models", "/api/samples")


def warm_up(app: Flask) -> None:
    """Render the page, draw the samples, read a picture, and run the first network.

    Meanwhile a decoder process for pictures starts. Other networks, and the guide, wait
    until somebody asks for them.
    """
    decoders.warm_up()
    for path in PATHS:
        with app.test_request_context(path):
            app.dispatch_request()  # the view alone, so that no metric counts it
    sample, *_ = load_samples()
    read_digit(_picture_of(sample), Overrides(ink="light"))
    with app.app_context():
        catalogue = current_catalogue()
    _run(catalogue.engine(catalogue.default), sample)


def _picture_of(sample: Sample) -> bytes:
    """Return a sample as a PGM file, the format in which the page sends drawings."""
    pixels = (255 * sample.image).round().astype("uint8")
    rows, columns = pixels.shape[1:]
    return f"P5\n{columns} {rows}\n255\n".encode() + pixels.tobytes()


def _run(engine: Engine, sample: Sample) -> None:
    info = engine.info
    if sample.image.shape != info.input_shape:
        return
    names = tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    engine.trace(Question(sample.image, engine.options({}), names, half=True))
