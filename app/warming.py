"""Does once, at the start, what the first visitor would otherwise wait for."""

from flask import Flask

from app.catalogue import current_catalogue
from app.engine import Engine, Question
from app.intake import Overrides, read_digit
from app.intake.decode import decoders
from app.samples import Sample, load_samples

PATHS = ("/", "/api/models", "/api/samples")  # what a page asks for when it opens


def warm_up(app: Flask) -> None:
    """Compile the page, draw the samples, read a picture, and run every network.

    A process that decodes pictures starts meanwhile.
    """
    decoders.warm_up()
    for path in PATHS:
        with app.test_request_context(path):
            app.dispatch_request()  # the view alone: nobody has asked, so nobody counts
    sample, *_ = load_samples()
    read_digit(_picture_of(sample), Overrides(ink="light"))
    with app.app_context():
        engines = current_catalogue().engines.values()
    for engine in engines:
        _run(engine, sample)


def _picture_of(sample: Sample) -> bytes:
    """Write a sample as a PGM file, the form in which the page sends drawings."""
    pixels = (255 * sample.image).round().astype("uint8")
    rows, columns = pixels.shape
    return f"P5\n{columns} {rows}\n255\n".encode() + pixels.tobytes()


def _run(engine: Engine, sample: Sample) -> None:
    info = engine.info
    if sample.image.shape != info.input_shape:
        return
    names = tuple(tensor.name for tensor in info.tensors if not tensor.on_request)
    engine.trace(Question(sample.image, info.routing_iterations, names, half=True))
