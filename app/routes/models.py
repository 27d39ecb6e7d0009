"""What the models are, and what they do with an image."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

from flask import Response

from app.answers import (
    KernelsAnswer,
    ModelsAnswer,
    PrimaryKernelsAnswer,
    ReconstructAnswer,
    TraceAnswer,
)
from app.catalogue import current_catalogue
from app.checks import (
    check_edit,
    check_image,
    iterations_of,
    surgery_of,
    tensors_of,
)
from app.describe import api_blueprint, errors, tensors
from app.engine import ModelInfo, Numbers, Question
from app.errors import UnknownThing, short
from app.payloads import (
    KernelsQuery,
    ModelPath,
    PrimaryTypePath,
    ReconstructRequest,
    TraceRequest,
)
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
    return _weights_answer(engine.info, query, engine.kernels)


@api.get(
    "/models/<id>/kernels/primary/<int:type>",
    responses={200: tensors(PrimaryKernelsAnswer), 304: None, **errors(404, 422)},
)
def get_primary_kernels(path: PrimaryTypePath, query: KernelsQuery) -> Response:
    """Return what reads Conv1's maps into the primary capsules of one type.

    Tensors: `primary.kernels` (numbers in a capsule, maps, rows, columns), in half
    precision in a safetensors answer, and `primary.bias` (numbers in a capsule). Asked
    with the model's current `version`, the answer may be cached for good.
    """
    engine = current_catalogue().engine(path.id)

    def kernels() -> Mapping[str, Numbers]:
        try:
            return engine.primary_kernels(path.type)
        except IndexError:
            message = f"{path.id} has no primary capsules of type {short(path.type)}"
            raise UnknownThing(message) from None

    return _weights_answer(engine.info, query, kernels, type=path.type)


def _weights_answer(
    info: ModelInfo,
    query: KernelsQuery,
    weights: Callable[[], Mapping[str, Numbers]],
    **more: object,
) -> Response:
    """Answer with trained weights, which stay the same for as long as their version."""
    scalars = {"model": info.id, "version": info.version, **more}

    def answer() -> Response:
        asked = weights()
        return tensor_answer(
            lambda: {**scalars, "tensors": as_lists(asked)}, asked, scalars
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
    `model`, `version`, `iterations` and `prediction`. With `silence`, `routing` and
    `pin` the same image is routed otherwise than the network would; the tensors of the
    layers below routing stay what they are.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_image(info, body.image)
    question = Question(
        image=body.image,
        iterations=iterations_of(info, body.iterations),
        names=tensors_of(info, body.tensors),
        surgery=surgery_of(info, body),
        half=wants_safetensors(),
    )

    result = engine.trace(question)

    asked = {name: result.tensors[name] for name in question.names}
    scalars = {
        "model": info.id,
        "iterations": question.iterations,
        "prediction": result.prediction,
    }
    return tensor_answer(
        lambda: {**scalars, "tensors": as_lists(asked)},
        asked,
        {**scalars, "version": info.version},
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
