"""Pictures of digits, read by a model in one go."""

from typing import Any

import orjson
from flask import Response

from app.answers import ReadAnswer
from app.catalogue import current_catalogue
from app.checks import iterations_of, tensors_of
from app.describe import api_blueprint, errors, tensors
from app.engine import Question
from app.intake import fitted
from app.payloads import ModelPath, ReadQuery
from app.pictures import PICTURE_BODY, describe_intake, read_picture
from app.wire import as_lists, tensor_answer, wants_safetensors

api = api_blueprint("readings", "Pictures of digits, read by a model in one go.")


@api.post(
    "/models/<id>/read",
    request_body=PICTURE_BODY,
    responses={200: tensors(ReadAnswer), **errors(404, 413, 415, 422)},
)
def read(path: ModelPath, query: ReadQuery) -> Response:
    """Find the digit in a picture and run it through a model.

    The same as `POST /api/images` and then a trace of its image, without the way
    between; for a model that reads another size, the image is scaled to it. A
    safetensors answer holds `image` among its tensors, and in its metadata, as a
    trace's, `model`, `version`, `iterations` and `prediction`; with `steps`, what that
    answers with, each as JSON.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    iterations = iterations_of(info, query.iterations)
    names = tensors_of(info, query.tensors)
    intake = read_picture(query)
    image = fitted(intake.image, info.input_shape)

    result = engine.trace(Question(image, iterations, names, half=wants_safetensors()))

    asked = {name: result.tensors[name] for name in names}
    scalars = {
        "model": info.id,
        "iterations": iterations,
        "prediction": result.prediction,
        "inverted": intake.inverted,
    }
    report = describe_intake(intake) if query.steps else {}

    def as_json() -> dict[str, Any]:
        tensors = {"tensors": as_lists(asked)}
        return {**scalars, **as_lists({"image": image}), **tensors, **report}

    more = {name: orjson.dumps(value).decode() for name, value in report.items()}
    return tensor_answer(
        as_json,
        {**asked, "image": image},
        {**scalars, "version": info.version, **more},
    )
