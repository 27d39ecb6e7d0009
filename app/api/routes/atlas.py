"""The atlas: a model's whole test set as maps, and the nearest of its images."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from flask import Response, jsonify
from numpy.typing import NDArray

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.checks import check_image
from capsnet_explorer.app.api.describe import answers, api_blueprint, tensors
from capsnet_explorer.app.api.payloads import ModelPath, NearestRequest, TestedQuery
from capsnet_explorer.app.api.wire import fresh_tensors
from capsnet_explorer.app.content.datasets import MNIST, Dataset, current_library
from capsnet_explorer.app.content.pairs import Pairs
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import Engine, Question
from capsnet_explorer.app.errors import UnknownThing
from capsnet_explorer.datasets.catalogue import DATASETS

PREFIX = "atlas."  # of the measured tensors
CODES = ("codes", "codes.step", "codes.mean", "codes.axes")

api = api_blueprint("atlas", "The whole test set as maps.")


@api.get(
    "/models/<id>/atlas",
    responses=tensors("`tensors`, `model`, `version`.", 304, 404, 409, 422),
)
def get_atlas(path: ModelPath) -> Response:
    """Return what a model reads in its test set, and maps of it.

    Tensors, an entry for each test image in the order of the file: `labels`,
    `predictions`, `scores` (images, classes), `positions.<map>` (images, 2), each
    within -1..1, and `errors`, the mean squared difference of image and reconstruction,
    for a model with a decoder. The card's `atlas` describes the maps, and says how well
    each keeps neighbours. 404: nothing was measured on this model.

    Where images show two digits, `labels` and `predictions` are (images, 2), those
    predicted with the highest score first. `digits` (images, 2) has the indices of both
    in the test set of single digits, and `shifts` (images, 2, 2) by how many pixels
    down and right each is moved. Of toys, `views` (images, 4) has the number of the
    toy, its azimuth and elevation in degrees, and the number of the light.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    names = [name for name in _measured_names(info) if name not in CODES]
    scalars = {"model": info.id, "version": info.measured_version}
    tag = f"{info.measured_version}.atlas"
    return fresh_tensors(tag, lambda: _measured(engine, names), scalars)


@api.get(
    "/models/<id>/tested",
    responses=tensors("As the atlas, and `total` images.", 304, 404, 409, 422, 503),
)
def get_tested(path: ModelPath, query: TestedQuery) -> Response:
    """Run a model on some of its test images: for models without an atlas.

    Tensors, an entry for each image from `first` on: `labels`, `predictions` and
    `scores` (images, classes); of two digits, `labels`, `predictions`, `digits` and
    `shifts` as in the atlas. Computed a few images at a time, after strokes and traces,
    as a batch is. 404: the test set is not in the data folder, or has no image `first`.
    503: too many batches are in progress.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    dataset = _test_set(info)
    if query.first >= len(dataset):
        raise UnknownThing(f"the last test image is {len(dataset) - 1}")
    known = np.asarray(dataset.labels)
    indexes = range(query.first, min(query.first + query.count, len(dataset)))
    scalars = {"model": info.id, "version": info.version, "total": len(dataset)}

    def read() -> dict[str, NDArray[Any]]:
        options = engine.options({})
        traces = engine.trace_many(
            [Question(dataset.image(index), options, ("scores",)) for index in indexes]
        )
        some = slice(indexes.start, indexes.stop)
        kind = np.uint8 if len(info.class_names) <= 256 else np.int32
        labels = known[some].astype(kind)
        scores = np.stack([trace.tensors["scores"] for trace in traces])
        best = (-scores).argsort(axis=1, kind="stable").astype(kind)
        digits = labels[0].size
        arrays = {
            "labels": labels,
            "predictions": best[:, :digits].reshape(labels.shape),
            "scores": scores,
        }
        if isinstance(dataset, Pairs):
            arrays["digits"] = dataset.digits[some].astype(np.int32)
            arrays["shifts"] = dataset.shifts[some].astype(np.int8)
        return arrays

    part = f"{indexes.start}-{indexes.stop}"
    return fresh_tensors(f"{info.version}.tested.{part}", read, scalars)


def _test_set(info: ModelInfo) -> Dataset | Pairs:
    """Return the test images of the data set that a model was trained on."""
    shelf = current_library().shelf
    name = info.card.get("dataset", MNIST.name)
    is_of_pairs = name in DATASETS and DATASETS[name].overlaps
    for dataset in shelf.datasets.values():
        if dataset.dataset == (MNIST.name if is_of_pairs else name):
            images = Pairs(dataset) if is_of_pairs else dataset
            if images.shape == info.input_shape and images.labels is not None:
                return images
    raise UnknownThing(
        f"the card of {info.id} has no atlas, and to read its test images now, they "
        "would have to be in the data folder"
    )


@api.post(
    "/models/<id>/nearest",
    responses=answers(
        "A list: `index` in the test set, `label`, all `labels`, `distance`.",
        *(404, 409, 413, 415, 422),
    ),
)
def nearest(path: ModelPath, body: NearestRequest) -> Response:
    """Find the test images that a model describes most like an image, nearest first.

    The distance is Euclidean, between the numbers of the tensor that the card's
    `atlas.embedding` names, such as the poses of all class capsules. It is computed
    from at most 128 principal components of these, each stored as a byte; the card's
    `atlas.codes` has the share of the true nearest that are found so.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    _measured_names(info)
    check_image(info, body.image)
    embedding = str(info.card["atlas"]["embedding"])
    question = Question(body.image, engine.options({}), (embedding,))

    numbers = engine.trace(question).tensors[embedding]

    atlas = _measured(engine, ["labels", *CODES])
    labels = atlas["labels"].reshape(len(atlas["labels"]), -1).tolist()
    apart = distances(numbers.ravel(), atlas)
    order = np.argsort(apart, kind="stable")[: body.count]
    return jsonify(
        [
            {
                "index": int(index),
                "label": labels[index][0],
                "labels": labels[index],
                "distance": round(float(apart[index]), 5),
            }
            for index in order
        ]
    )


def distances(
    numbers: NDArray[Any], atlas: Mapping[str, NDArray[Any]]
) -> NDArray[np.float32]:
    """Return the distance from an image to every test image: (images,)."""
    step = atlas["codes.step"]
    code = atlas["codes.axes"] @ (numbers.astype(np.float32) - atlas["codes.mean"])
    return np.linalg.norm(atlas["codes"] * step - code, axis=1)


def _measured_names(info: ModelInfo) -> list[str]:
    """Return the names of the atlas's tensors."""
    names = [
        tensor.name.removeprefix(PREFIX)
        for tensor in info.measured
        if tensor.name.startswith(PREFIX)
    ]
    if not names or "atlas" not in info.card:
        raise UnknownThing(
            f"{info.id} has no atlas: measure it with `python -m capsnet_explorer "
            "measure WEIGHTS --only atlas`, and restart the server"
        )
    return names


def _measured(engine: Engine, names: list[str]) -> dict[str, NDArray[Any]]:
    arrays = engine.weights([f"measured.{PREFIX}{name}" for name in names])
    return dict(zip(names, arrays.values(), strict=True))
