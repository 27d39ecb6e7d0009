"""Labelled images to browse."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flask import Response
from numpy.typing import NDArray

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.describe import answers, api_blueprint, tensors
from capsnet_explorer.app.api.payloads import (
    DatasetPath,
    DigitPath,
    DigitsQuery,
    ImagesQuery,
)
from capsnet_explorer.app.api.wire import named_tensors
from capsnet_explorer.app.content.datasets import Dataset, current_library
from capsnet_explorer.app.content.mistakes import mistakes_of
from capsnet_explorer.app.engines.protocol import pictured
from capsnet_explorer.app.errors import InvalidRequest, UnknownThing, short

api = api_blueprint("datasets", "Labelled images to browse.")


@api.get(
    "/datasets",
    responses=answers(
        "`datasets`: `id`, `dataset`, `title`, `count`, `labels`, images with each; "
        "what is `missing`, and how to get it."
    ),
)
def get_datasets() -> dict[str, Any]:
    """List the available data sets, or say what is missing."""
    shelf = current_library().shelf
    answer: dict[str, Any] = {
        "datasets": [
            {
                "id": dataset.id,
                "dataset": dataset.dataset,
                "title": dataset.title,
                "count": len(dataset),
                "labels": dataset.label_counts(),
            }
            for dataset in shelf.datasets.values()
        ]
    }
    return answer if shelf.missing is None else answer | {"missing": shelf.missing}


@api.get(
    "/datasets/<id>/digits",
    responses=answers("`total` on all pages, and `digits`.", 404, 409, 422),
)
def get_digits(path: DatasetPath, query: DigitsQuery) -> dict[str, Any]:
    """Return one page of digits, in order or shuffled.

    With `mistakes_of`, return only those that the model misreads, each with its
    `prediction` and its `name`. The same `seed` gives the same shuffled order on every
    page.
    """
    dataset = _dataset(path.id)
    chosen = _labelled(dataset, query.label)
    wrong: dict[int, int] = {}
    names: Sequence[str] = ()
    if query.mistakes_of is not None:
        engine = current_catalogue().engine(query.mistakes_of, field="mistakes_of")
        names = engine.info.class_names
        wrong.update(mistakes_of(engine.info, dataset, field="mistakes_of"))
        chosen = chosen[np.isin(chosen, list(wrong))]
    if query.order == "random":
        chosen = np.random.default_rng(query.seed).permutation(chosen)
    digits = []
    for index in chosen[query.offset : query.offset + query.limit].tolist():
        digit = _describe(dataset, index)
        if wrong:
            read = wrong[index]
            digit |= {"prediction": read, "name": names[read]}
        digits.append(digit)
    return {"total": len(chosen), "digits": digits}


@api.get(
    "/datasets/<id>/digits/<int:index>",
    responses=answers("`index`, `label` or null, `image`.", 404, 422),
)
def get_digit(path: DigitPath) -> dict[str, Any]:
    """Return one digit by its index in the data set."""
    dataset = _dataset(path.id)
    _check_index(dataset, path.index)
    return _describe(dataset, path.index)


@api.get(
    "/datasets/<id>/images",
    responses=tensors("`tensors`.", 404, 422),
)
def get_images(path: DatasetPath, query: ImagesQuery) -> Response:
    """Return digits by their indexes, as bytes: for many small pictures.

    The one tensor is `images` (images, rows, columns), 0..255; images of several
    channels have an axis for them before the rows.
    """
    dataset = _dataset(path.id)
    for index in query.index:
        _check_index(dataset, index)
    arrays = {"images": pictured(np.asarray(dataset.images[np.array(query.index)]))}
    return named_tensors(arrays, {})


def _dataset(id: str) -> Dataset:
    shelf = current_library().shelf
    try:
        return shelf.datasets[id]
    except KeyError:
        message = f"there is no data set {short(id)}; /api/datasets lists them"
        raise UnknownThing(message) from None


def _check_index(dataset: Dataset, index: int) -> None:
    if index >= len(dataset):
        last = len(dataset) - 1
        raise UnknownThing(f"the index must be at most {last}, got {short(index)}")


def _labelled(dataset: Dataset, label: int | None) -> NDArray[np.intp]:
    largest = len(dataset.label_counts()) - 1
    if label is not None and label > largest:
        message = f"label must be at most {largest}, got {short(label)}"
        raise InvalidRequest(message, field="label")
    return dataset.indexes(label)


def _describe(dataset: Dataset, index: int) -> dict[str, Any]:
    return {
        "index": index,
        "label": None if dataset.labels is None else int(dataset.labels[index]),
        "image": pictured(dataset.image(index)),
    }
