"""What the models are, and what they do with an image."""

from dataclasses import asdict, fields
from typing import Any

from flask import Response

from app.answers import KernelsAnswer, ModelsAnswer, ReconstructAnswer, TraceAnswer
from app.catalogue import current_catalogue
from app.checks import check_edit, check_image, iterations_of, tensors_of
from app.describe import api_blueprint, errors, tensors
from app.engine import ModelInfo
from app.payloads import KernelsQuery, ModelPath, ReconstructRequest, TraceRequest
from app.wire import FOR_GOOD, as_lists, fresh, tensor_answer, wants_safetensors

api = api_blueprint("models", "What the models are, and what they do with an image.")


@api.get("/models", responses={200: ModelsAnswer})
def get_models() -> dict[str, Any]:
    """List the models, the default one first."""
    catalogue = current_catalogue()
    infos = [engine.info for engine in catalogue.engines.values()]
    return {"models": [_describe(info, catalogue.default) for info in infos]}


def _describe(info: ModelInfo, default: str) -> dict[str, Any]:
    return {
        **{field.name: getattr(info, field.name) for field in fields(info)},
        "default": info.id == default,
        "tensors": [asdict(tensor) for tensor in info.tensors],
        "card": dict(info.card),
    }


@api.get(
    "/models/<id>/kernels",
    responses={200: tensors(KernelsAnswer), 304: None, **errors(404, 422)},
)
def get_kernels(path: ModelPath, query: KernelsQuery) -> Response:
    """Return the first layer's kernels and biases.

    Tensors: `conv1.kernels` (kernels, rows, columns) and `conv1.bias` (kernels).
    Asked with the model's current `version`, the answer may be cached for good.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info

    def answer() -> Response:
        kernels = engine.kernels()
        scalars = {"model": info.id, "version": info.version}
        return tensor_answer(
            lambda: {**scalars, "tensors": as_lists(kernels)}, kernels, scalars
        )

    # Caches may take one representation for the other if their tags are the same.
    form = ".safetensors" if wants_safetensors() else ""
    cache_control = FOR_GOOD if query.version == info.version else "no-cache"
    response = fresh(info.version + form, answer, cache_control=cache_control)
    response.vary.add("Accept")
    return response


@api.post(
    "/models/<id>/trace",
    responses={200: tensors(TraceAnswer), **errors(404, 413, 415, 422)},
)
def trace(path: ModelPath, body: TraceRequest) -> Response:
    """Run an image through a model and return what every layer did with it.

    Large tensors have half precision in a safetensors answer; its metadata holds
    `model`, `version`, `iterations` and `prediction`.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_image(info, body.image)
    iterations = iterations_of(info, body.iterations)
    names = tensors_of(info, body.tensors)

    result = engine.trace(body.image, iterations, names)

    asked = {name: result.tensors[name] for name in names}
    scalars = {
        "model": info.id,
        "iterations": iterations,
        "prediction": result.prediction,
    }
    return tensor_answer(
        lambda: {**scalars, "tensors": as_lists(asked)},
        asked,
        {**scalars, "version": info.version},
        half={tensor.name for tensor in info.tensors if tensor.precision == "f16"},
    )


@api.post(
    "/models/<id>/reconstruct",
    responses={200: tensors(ReconstructAnswer), **errors(404, 413, 415, 422)},
)
def reconstruct(path: ModelPath, body: ReconstructRequest) -> Response:
    """Decode edited digit capsules into images.

    One image per pose. Only the capsule of `digit` is kept; all others are masked, as
    in training. A safetensors answer has one tensor, `images` (poses, rows, columns).
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_edit(info, body.digit, body.poses)
    images = {"images": engine.reconstruct(body.digit, body.poses)}
    scalars = {"model": info.id, "version": info.version, "digit": body.digit}
    return tensor_answer(lambda: as_lists(images), images, scalars)
