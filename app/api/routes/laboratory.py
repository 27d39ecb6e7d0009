"""The laboratory: changed and attacked images."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from flask import Response

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.checks import (
    check_attack,
    check_image,
    check_overlay,
    check_path,
    check_size,
)
from capsnet_explorer.app.api.describe import api_blueprint, tensors
from capsnet_explorer.app.api.laboratory import (
    AttackRequest,
    OverlayRequest,
    TransformRequest,
)
from capsnet_explorer.app.api.payloads import ModelPath
from capsnet_explorer.app.api.wire import tensor_answer
from capsnet_explorer.app.engines.facts import ModelInfo
from capsnet_explorer.app.engines.protocol import (
    Attacked,
    AttackQuestion,
    Numbers,
    Trace,
    pictured,
)
from capsnet_explorer.perturbations.attack import Pixels
from capsnet_explorer.perturbations.changes import changed
from capsnet_explorer.perturbations.overlay import overlaid, owners, placed

RECONSTRUCTION = "reconstruction"  # the tensor of every model that can reconstruct

api = api_blueprint("laboratory", "Experiments: changed and attacked images.")


@api.post("/transform", responses=tensors("`images`, one a change.", 413, 415, 422))
def transform(body: TransformRequest) -> Response:
    """Apply up to 256 changes to an image, each on its own.

    A change has any of the parts `scale`, `shear`, `rotate`, `shift`, `stroke`, `blur`,
    `contrast`, `ground` and `noise`, which apply in this order. The first four move the
    ink about the image's centre by one bilinear interpolation; what comes from outside
    the image is 0. At the end every pixel is kept within [0, 1]. `{}` returns the image
    itself; whole-pixel shifts and quarter turns keep the pixels' values exactly.

    The image must have the size of some model's input. A safetensors response has one
    tensor, `images` (changes, rows, columns), in single precision; images of several
    channels have an axis for them before the rows.
    """
    models = current_catalogue().engines.values()
    check_size((model.info for model in models), body.image)
    images = pictured(changed(body.image, [change.change() for change in body.changes]))
    return tensor_answer(
        lambda: {"images": images}, {"images": images.astype(np.float32)}, {}
    )


@api.post("/overlay", responses=tensors("`image`, `owners`.", 413, 415, 422))
def overlay(body: OverlayRequest) -> Response:
    """Lay two grey images over each other on a canvas: the clipped sum of their ink.

    Each stands in the middle of the canvas, moved by its shift; where a canvas has an
    odd number of pixels more, the middle is the one further up and to the left.

    A safetensors response has the tensors `image` in single precision and `owners`,
    both (rows, columns). An owner is 0 without ink (above 0.2), 1 of the first image,
    2 of the second, 3 of both.
    """
    check_overlay(body.images, body.canvas)
    image, over = (
        placed(image[0], shift, body.canvas)
        for image, shift in zip(body.images, body.shifts, strict=True)
    )
    image, ownership = overlaid(image, over), owners(image, over)
    return tensor_answer(
        lambda: {"image": image, "owners": ownership},
        {"image": image.astype(np.float32), "owners": ownership.astype(np.float32)},
        {},
    )


@api.post(
    "/models/<id>/attack",
    responses=tensors(
        "`model`, and for each ε the `images`, `predictions`, their `names` and "
        "`tensors`; `zero_gradients`; `path` or null.",
        *(404, 409, 413, 415, 422, 503),
    ),
)
def attack(path: ModelPath, body: AttackRequest) -> Response:
    """Change an image by at most ε in each pixel so that a model misreads it.

    `noise` moves every pixel by ε up or down at random. `fgsm` moves it by ε along the
    sign of the gradient. `bim` takes `steps` steps of ε / `steps` from the image. `pgd`
    takes steps of 2.5 ε / `steps` from FGSM's image and from two random ones. `bim` and
    `pgd` return the strongest of all images that they come by, so `pgd` is never weaker
    than `fgsm`.

    The loss is raised for `label`, or lowered for `target`. Pixels stay in [0, 1] and
    within ε of the image; an ε of 0 returns the image itself. Where the gradient is
    exactly zero, FGSM changes nothing.

    `zero_gradients` tells at which share of the pixels the loss has a gradient of
    exactly zero; null where none was needed. `path` asks for every step of `bim` or
    `pgd`, for one ε; of `pgd`, from the start that leads highest.

    A safetensors response has the tensors `images`, `scores`, `predictions` and, for a
    model with a decoder, `reconstruction_error`; those of a path, and its `values`,
    have the prefix `path.`; `zero_gradients`, `path.start`, and the `names` of what is
    predicted are in the metadata. For
    a model without a gradient, the status is 422. An attack is computed a few images at
    a time, after strokes and traces, and stops when its client closes the connection.
    503: too many batches are in progress.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_attack(info, body.label, body.target)
    if body.path:
        check_path(body.method, len(body.epsilons))
    check_image(info, body.image)
    decoded = (RECONSTRUCTION,) if info.can.reconstruct else ()
    attacked = engine.attack(
        AttackQuestion(
            image=body.image,
            label=body.label,
            target=body.target,
            epsilons=tuple(body.epsilons),
            attack=body.attack(),
            of=body.loss,
            through=body.gradient,
            options=engine.options({}),
            names=("scores", *decoded),
            wants_path=body.path,
        )
    )
    return _answer(info, attacked)


def _answer(info: ModelInfo, attacked: Attacked) -> Response:
    """Return the answer to an attack, as JSON or safetensors."""
    answers = {"": _measured(attacked.images, attacked.traces)}
    path = attacked.path
    if path is not None:
        answers["path."] = {
            **_measured(path.images, path.traces),
            "values": path.values.astype(np.float32),
        }
    scalars = {
        **{
            f"{prefix}names": _names(info, tensors["predictions"])
            for prefix, tensors in answers.items()
        },
        "zero_gradients": attacked.zero_gradients,
        "path.start": None if path is None else path.start,
    }
    return tensor_answer(
        lambda: {
            "model": info.id,
            **_as_json(info, attacked.images, answers[""]),
            "zero_gradients": attacked.zero_gradients,
            "path": path
            and {**_as_json(info, path.images, answers["path."]), "start": path.start},
        },
        {
            prefix + name: tensor
            for prefix, tensors in answers.items()
            for name, tensor in tensors.items()
        },
        {"model": info.id, "version": info.version}
        | {name: value for name, value in scalars.items() if value is not None},
    )


def _as_json(
    info: ModelInfo, images: Pixels, tensors: Mapping[str, Numbers]
) -> dict[str, object]:
    """Return images in double precision, their predictions, and what else is known."""
    predictions = tensors["predictions"].astype(int)
    others = {
        name: tensor
        for name, tensor in tensors.items()
        if name not in ("images", "predictions")
    }
    return {
        "images": pictured(images),
        "predictions": predictions,
        "names": _names(info, predictions),
        "tensors": {"reconstruction_error": None, **others},
    }


def _names(info: ModelInfo, predictions: Numbers) -> list[str]:
    return [info.class_names[int(prediction)] for prediction in predictions]


def _measured(images: Pixels, traces: Sequence[Trace]) -> dict[str, Numbers]:
    """Return images, predictions, scores and, if decoded, reconstruction errors."""
    sent = pictured(images)
    measured: dict[str, Any] = {
        "images": sent.astype(np.float32),
        "predictions": np.array([trace.prediction for trace in traces], np.float32),
        "scores": np.stack([trace.tensors["scores"] for trace in traces]),
    }
    if RECONSTRUCTION in traces[0].tensors:
        drawn = np.stack([trace.tensors[RECONSTRUCTION] for trace in traces])
        errors = np.square(sent - drawn).mean(tuple(range(1, drawn.ndim)))
        measured["reconstruction_error"] = errors.astype(np.float32)
    return measured
