"""Predictions and small tensors for many images in one request."""

from collections.abc import Sequence
from math import prod

import numpy as np
from flask import Response, request

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.checks import check_image, tensors_of
from capsnet_explorer.app.api.describe import api_blueprint, tensors
from capsnet_explorer.app.api.laboratory import SweepRequest
from capsnet_explorer.app.api.payloads import (
    MAX_BATCH_NUMBERS,
    BatchRequest,
    ManyTraces,
    ModelPath,
)
from capsnet_explorer.app.api.wire import contiguous, tensor_answer, wants_safetensors
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.heap import give_memory_back
from capsnet_explorer.app.engines.protocol import Numbers, Question
from capsnet_explorer.app.errors import InvalidRequest
from capsnet_explorer.perturbations.changes import changed

MAX_BATCH_BODY = 8 << 20  # bytes; 256 images of 28 x 28 pixels in full precision: 4 MB
LARGE_BODY = 1 << 20  # bytes, from which on memory is given back at once

api = api_blueprint("batch", "Predictions and small tensors for many images.")


@api.after_request
def forget_long_bodies(response: Response) -> Response:
    """Give back the memory that hundreds of images took as text and as numbers."""
    if (request.content_length or 0) > LARGE_BODY:
        give_memory_back()
    return response


@api.post(
    "/models/<id>/batch",
    responses=tensors(
        "As a trace, but for `predictions`, `names` and `present` of each image.",
        *(404, 409, 413, 415, 422, 503),
    ),
)
def batch(path: ModelPath, body: BatchRequest) -> Response:
    """Run up to 256 images through a model and return a few small tensors of each.

    The first axis of each tensor counts the images; `/api/models` lists the others. All
    tensors together may have 1048576 numbers, by the shapes that `/api/models` lists.

    In a safetensors response, large tensors have half precision, and the tensor
    `predictions` (images) has the classes, as whole numbers in single precision. The
    metadata has `model`, `version`, `names` and `present` as JSON and, for a model with
    routing, `iterations`.

    A batch is computed a few images at a time, after strokes and traces, and stops when
    its client closes the connection. 503: too many batches are in progress.
    """
    info = current_catalogue().engine(path.id).info
    for index, image in enumerate(body.images):
        check_image(info, image, field=f"images.{index}")
    return _read(path.id, body.images, body)


@api.post(
    "/models/<id>/sweep",
    responses=tensors(
        "As a trace, but for `predictions`, `names` and `present` of each image.",
        *(404, 409, 413, 415, 422, 503),
    ),
)
def sweep(path: ModelPath, body: SweepRequest) -> Response:
    """Run an image through a model under up to 256 changes, each on its own.

    The changes are those of `/api/transform`, and the answer is that of `batch` for the
    images that they make: whoever sweeps over angles sends angles, whatever the size of
    the image.
    """
    check_image(current_catalogue().engine(path.id).info, body.image)
    images = changed(body.image, [change.change() for change in body.changes])
    return _read(path.id, list(images.astype(np.float32)), body)


def _read(id: str, images: Sequence[Numbers], body: ManyTraces) -> Response:
    """Return predictions and the tensors asked for, of each image."""
    engine = current_catalogue().engine(id)
    info = engine.info
    names = tensors_of(info, ("scores",) if body.tensors is None else body.tensors)
    _check_size(info, names, len(images))
    options = engine.options(body.options())
    half = wants_safetensors()

    traces = engine.trace_many(
        [Question(image, options, names, half) for image in images]
    )

    predictions = [trace.prediction for trace in traces]
    arrays = {
        name: np.stack([trace.tensors[name] for trace in traces]) for name in names
    }
    scalars = {
        "model": info.id,
        **options.in_response,
        "names": [info.class_names[prediction] for prediction in predictions],
        "present": [trace.present for trace in traces],
    }
    return tensor_answer(
        lambda: {
            "iterations": None,
            **scalars,
            "predictions": predictions,
            "tensors": contiguous(arrays),
        },
        {**arrays, "predictions": np.array(predictions, np.float32)},
        {**scalars, "version": info.version},
    )


def _check_size(info: ModelInfo, names: tuple[str, ...], images: int) -> None:
    """Refuse a request for more than `MAX_BATCH_NUMBERS` numbers."""
    sizes = {tensor.name: prod(tensor.shape) for tensor in info.tensors}
    numbers = sum(sizes[name] for name in names)
    if images * numbers > MAX_BATCH_NUMBERS:
        raise InvalidRequest(
            f"tensors must hold at most {MAX_BATCH_NUMBERS} numbers for all images, "
            f"got {images} images with {numbers} numbers each",
            field="tensors",
        )
