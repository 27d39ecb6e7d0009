"""The models: descriptions, weights, traces and reconstructions."""

from collections.abc import Collection, Mapping
from typing import Any

from flask import Response

from capsnet_explorer.app.api.catalogue import Catalogue, current_catalogue
from capsnet_explorer.app.api.checks import (
    check_edit,
    check_image,
    tensors_of,
    weights_of,
)
from capsnet_explorer.app.api.describe import (
    answers,
    api_blueprint,
    errors,
    refusals,
    tensors,
)
from capsnet_explorer.app.api.payloads import (
    KernelsQuery,
    LayerTypePath,
    MeasuredPath,
    MeasuredQuery,
    ModelPath,
    ModelsQuery,
    ReconstructRequest,
    TraceRequest,
    WeightPath,
)
from capsnet_explorer.app.api.routes.runs import allowed_runs
from capsnet_explorer.app.api.wire import (
    contiguous,
    fresh_tensors,
    tensor_answer,
    wants_safetensors,
)
from capsnet_explorer.app.engines.facts import Brief, Facts, ModelInfo
from capsnet_explorer.app.engines.protocol import Numbers, Question, pictured
from capsnet_explorer.app.engines.turns import DRAGGING, LOOKING
from capsnet_explorer.app.errors import UnknownThing, short
from capsnet_explorer.app.http.caching import FOR_GOOD

# Entries of a card, by their paths, that only views of the network are drawn of.
PICTURES = ("decoded", "strongest")  # what shows what each type answers to most
LONG = frozenset(
    {
        "atlas",
        "backgrounds",
        "coloured",
        "following",
        "meanings",
        "measurements",
        "mistakes",
        "novel_views",
        "numbers",
        "outliers",
        "overlaps.misread",
        "pose_ranges",
    }
)

MODEL = (
    "What `/api/models` has of one: "
    + ", ".join(f"`{name}`" for name in Facts.model_fields)
    + "; whether it is the `default`, or `kept` from a run; `pose_dim`, "
    "`routing_iterations`, `max_routing_iterations`, each of which may be null."
)
NONE = dict.fromkeys(("pose_dim", "routing_iterations", "max_routing_iterations"))

api = api_blueprint("models", "Descriptions, weights, traces and reconstructions.")


@api.get(
    "/models",
    responses=answers("`models`; `refused`, by `id`, with `reason`.", 422),
)
def get_models(query: ModelsQuery) -> dict[str, Any]:
    """List the models, the default one first, and files that cannot be used.

    With `brief`, `/api/models/<id>` has what is left out of a model.
    """
    catalogue = current_catalogue()
    infos = [engine.info for engine in catalogue.engines.values()]
    return {
        "models": [
            _describe(
                info, catalogue, brief=query.brief and info.id != catalogue.default
            )
            for info in infos
        ],
        "refused": refusals(catalogue.refused),
    }


@api.get("/models/<id>", responses=answers(MODEL, 404, 409, 422))
def get_model(path: ModelPath) -> dict[str, Any]:
    """Describe one model, which may be a snapshot of a training run: `<run>@<step>`.

    409, here as in every route of a model: its files are damaged, or were replaced.
    """
    catalogue = current_catalogue()
    return _describe(catalogue.engine(path.id).info, catalogue)


@api.delete("/models/<id>", responses={204: None, **errors(403, 404, 409, 422)})
def remove_model(path: ModelPath) -> Response:
    """Delete a model that was kept from a training run: one that is `kept`.

    403: training is off on this server. 409: the model comes with the server.
    """
    allowed_runs()
    current_catalogue().remove(path.id)
    return Response(status=204)


def _describe(
    info: ModelInfo, catalogue: Catalogue, *, brief: bool = False
) -> dict[str, Any]:
    facts = info.model_dump(include={*(Brief if brief else Facts).model_fields})
    return (
        NONE
        | facts
        | dict(info.details)
        | {"default": info.id == catalogue.default, "kept": info.id in catalogue.kept}
        | ({"card": _without_long(facts["card"])} if brief else {})
    )


def _without_long(card: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    return {
        key: _without_long(value, f"{path}.") if isinstance(value, Mapping) else value
        for key, value in card.items()
        if (path := f"{above}{key}") not in LONG
    }


@api.get(
    "/models/<id>/kernels",
    responses=tensors("`tensors`, `model`, `version`.", 304, 404, 409, 422),
)
def get_kernels(path: ModelPath, query: KernelsQuery) -> Response:
    """Return the first layer's kernels and biases.

    Tensors: those that `kernels` in `/api/models` lists, such as `conv1.kernels`
    (kernels, rows, columns) and `conv1.bias` (kernels); kernels over several channels
    have an axis for these after the first. With the model's current `version`, the
    response may be cached indefinitely.
    """
    kernels = current_catalogue().engine(path.id).info.kernels
    if not kernels:
        raise UnknownThing(f"{path.id} has no layer of kernels")
    return _weights_answer(path.id, query, kernels)


@api.get(
    "/models/<id>/kernels/<layer>/<int:type>",
    responses=tensors("`tensors`, `model`, `version`, `type`.", 304, 404, 409, 422),
)
def get_layer_kernels(path: LayerTypePath, query: KernelsQuery) -> Response:
    """Return the kernels and biases of one capsule type of a layer.

    Tensors, for the layer `primary`: `primary.kernels` (numbers in a capsule, maps,
    rows, columns), in half precision in a safetensors response, and `primary.bias`
    (numbers in a capsule). With the model's current `version`, the response may be
    cached indefinitely.
    """
    wanted = {
        f"{path.layer}.{name}": f"{path.layer}.{name}.{path.type}"
        for name in ("kernels", "bias")
    }
    return _weights_answer(path.id, query, wanted, type=path.type)


@api.get(
    "/models/<id>/weights/<name>",
    responses=tensors("`tensors`, `model`, `version`.", 304, 404, 409, 422),
)
def get_weights(path: WeightPath, query: KernelsQuery) -> Response:
    """Return one tensor of trained weights, under the layer's own name.

    `weights` in `/api/models` lists the names and shapes. With the model's current
    `version`, the response may be cached indefinitely.
    """
    return _weights_answer(path.id, query, [path.name])


def _weights_answer(
    id: str, query: KernelsQuery, wanted: Collection[str], **more: object
) -> Response:
    """Return a response with trained weights, which only change with their version.

    Args:
        id: the model's id.
        query: holds the version that the client expects.
        wanted: names of weights; a mapping has the names in the response as keys.
        more: scalars of the response.
    """
    engine = current_catalogue().engine(id)
    info = engine.info
    scalars = {"model": info.id, "version": info.version, **more}
    names = wanted if isinstance(wanted, Mapping) else {name: name for name in wanted}

    def find() -> Mapping[str, Numbers]:
        arrays = weights_of(engine, names.values())
        return {name: arrays[tensor] for name, tensor in names.items()}

    cache_control = FOR_GOOD if query.version == info.version else "no-cache"
    return fresh_tensors(info.version, find, scalars, cache_control=cache_control)


@api.get(
    "/models/<id>/measured/<part>",
    responses=tensors("`tensors`, `model`, `version`, `part`.", 304, 404, 409, 422),
)
def get_measured(path: MeasuredPath, query: MeasuredQuery) -> Response:
    """Return the tensors of one part of what was measured on a model.

    `poses`: what moving the numbers of a class's pose does. `types`: what each type of
    primary capsules, or each map of a CNN, looks for. `numbers`: those of each test
    image, and properties of its picture, as levels of bytes. `measured` in
    `/api/models` lists the names and shapes. With `glance`, of `<part>.decoded`
    (types, pictures, …), or of `<part>.strongest` where nothing is decoded, the first
    picture of each type comes, and nothing else.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    prefix = f"{path.part}."
    names = [tensor.name for tensor in info.measured if tensor.name.startswith(prefix)]
    if query.glance:
        names = [name for name in names if name.removeprefix(prefix) in PICTURES]
    if not names:
        raise UnknownThing(f"{info.id} has no measured {short(path.part)}")
    version = info.measured_version
    scalars = {"model": info.id, "version": version, "part": path.part}

    def find() -> Mapping[str, Numbers]:
        arrays = engine.weights([f"measured.{name}" for name in names])
        tensors = dict(zip(names, arrays.values(), strict=True))
        if query.glance:
            return {name: array[:, :1] for name, array in tensors.items()}
        return tensors

    tag = f"{version}.{path.part}{'.glance' if query.glance else ''}"
    return fresh_tensors(tag, find, scalars)


@api.post(
    "/models/<id>/trace",
    responses=tensors(
        "`tensors`, `model`, `iterations` or null, the `prediction`, its `name`, and "
        "all classes `present`, best first.",
        *(404, 409, 413, 415, 422),
    ),
)
@LOOKING.turn()
def trace(path: ModelPath, body: TraceRequest) -> Response:
    """Run an image through a model and return the output of every layer.

    In a safetensors response, large tensors have half precision, and the metadata has
    `model`, `version`, `prediction`, its `name`, `present` as JSON and, for a model
    with routing, `iterations`.
    `silence`, `routing` and `pin` change the routing; the layers below stay as they
    are. A model without routing refuses these and `iterations`.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_image(info, body.image)
    question = Question(
        image=body.image,
        options=engine.options(body.options()),
        names=tensors_of(info, body.tensors),
        half=wants_safetensors(),
    )

    result = engine.trace(question)

    arrays = {name: result.tensors[name] for name in question.names}
    scalars = {
        "model": info.id,
        **question.options.in_response,
        "prediction": result.prediction,
        "name": info.class_names[result.prediction],
        "present": result.present,
    }
    return tensor_answer(
        lambda: {"iterations": None, **scalars, "tensors": contiguous(arrays)},
        arrays,
        {**scalars, "version": info.version},
    )


@api.post(
    "/models/<id>/reconstruct",
    responses=tensors("`images`, one a pose.", 404, 409, 413, 415, 422),
)
@DRAGGING.turn()
def reconstruct(path: ModelPath, body: ReconstructRequest) -> Response:
    """Decode edited poses of one class into images.

    Each pose gives one image. The capsules of all classes except `digit` are masked, as
    in training. For a model without a decoder, the status is 422. A safetensors
    response has one tensor, `images` (poses, rows, columns), with an axis of channels
    before the rows for a model that reads several.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_edit(info, body.digit, body.poses)
    images = {"images": pictured(engine.reconstruct(body.digit, body.poses))}
    scalars = {"model": info.id, "version": info.version, "digit": body.digit}
    return tensor_answer(lambda: contiguous(images), images, scalars)
