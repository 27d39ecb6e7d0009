"""Traces of pictures: conversion and forward pass in one request."""

from typing import Any

import orjson
from flask import Response

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.checks import tensors_of
from capsnet_explorer.app.api.describe import api_blueprint, tensors
from capsnet_explorer.app.api.payloads import ModelPath, ReadQuery
from capsnet_explorer.app.api.pictures import (
    PICTURE_BODY,
    describe_intake,
    read_picture,
    with_form,
)
from capsnet_explorer.app.api.wire import contiguous, tensor_answer, wants_safetensors
from capsnet_explorer.app.engines.protocol import Question, pictured
from capsnet_explorer.app.engines.turns import DRAWING
from capsnet_explorer.pictures.reading import fitted

api = api_blueprint("readings", "Traces of pictures, in one request.")


@api.post(
    "/models/<id>/read",
    request_body=PICTURE_BODY,
    responses=tensors(
        "As a trace, and `image`, `inverted`, `doubts`; with `steps`, as of a picture.",
        *(404, 409, 413, 415, 422),
    ),
)
@DRAWING.turn()
def read(path: ModelPath, query: ReadQuery) -> Response:
    """Find the digit in a picture and run it through a model.

    Combines `POST /api/images` and a trace of its image in one request. A model that
    reads three channels gets the picture in colour. Else the digit is
    scaled to the model's input size; for a model that can name several classes, it
    stands unscaled in the middle of a larger input. In a safetensors response, `image`
    is one of the tensors, and the metadata has `model`, `version`, `iterations`,
    `prediction`, `name` and `present` as for a trace. With `steps`, the metadata also
    has the report on the picture, each part as JSON.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    query = with_form(query)
    options = engine.options(query.options())
    names = tensors_of(info, query.tensors)
    intake = read_picture(query, info.input_shape, at_most=info.present.at_most)
    is_scaled = info.present.at_most == 1
    image = fitted(intake.image, info.input_shape, is_scaled=is_scaled)

    result = engine.trace(
        Question(image, options, names, half=wants_safetensors(), is_urgent=True)
    )

    arrays = {name: result.tensors[name] for name in names}
    scalars = {
        "model": info.id,
        **options.in_response,
        "prediction": result.prediction,
        "name": info.class_names[result.prediction],
        "present": result.present,
        "inverted": intake.inverted,
        "doubts": [*(doubt.message for doubt in intake.doubts), *result.doubts],
    }
    report = describe_intake(intake) if query.steps else {}

    def as_json() -> dict[str, Any]:
        tensors = {"tensors": contiguous(arrays)}
        values = {
            "iterations": None,
            **scalars,
            **contiguous({"image": pictured(image)}),
        }
        return {**values, **tensors, **report}

    more = {name: orjson.dumps(value).decode() for name, value in report.items()}
    return tensor_answer(
        as_json,
        {**arrays, "image": pictured(image)},
        {**scalars, "version": info.version, **more},
    )
