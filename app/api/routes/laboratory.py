"""The laboratory: changed and attacked images."""

from typing import Any

import numpy as np
from flask import Response

from app.api.answers import AttackAnswer, TransformAnswer
from app.api.catalogue import current_catalogue
from app.api.checks import check_attack, check_image, check_size
from app.api.describe import api_blueprint, errors, tensors
from app.api.laboratory import AttackRequest, TransformRequest
from app.api.payloads import ModelPath
from app.api.wire import tensor_answer
from app.engines.protocol import Attacked, AttackQuestion, Numbers
from laboratory.changes import changed

RECONSTRUCTION = "reconstruction"  # the tensor of every model that can reconstruct

api = api_blueprint("laboratory", "Experiments: changed and attacked images.")


@api.post(
    "/transform", responses={200: tensors(TransformAnswer), **errors(413, 415, 422)}
)
def transform(body: TransformRequest) -> Response:
    """Apply up to 256 changes to an image, each on its own.

    A change has any of the parts `scale`, `shear`, `rotate`, `shift`, `blur`,
    `contrast`, `ground` and `noise`, which apply in this order. The first four move the
    ink about the image's centre by one bilinear interpolation; what comes from outside
    the image is 0. At the end every pixel is kept within [0, 1]. `{}` returns the image
    itself; whole-pixel shifts and quarter turns keep the pixels' values exactly.

    The image must have the size of some model's input. A safetensors response has one
    tensor, `images` (changes, rows, columns), in single precision.
    """
    models = current_catalogue().engines.values()
    check_size((model.info for model in models), body.image)
    images = changed(body.image, [each.change() for each in body.changes])
    return tensor_answer(
        lambda: {"images": images}, {"images": images.astype(np.float32)}, {}
    )


@api.post(
    "/models/<id>/attack",
    responses={200: tensors(AttackAnswer), **errors(404, 413, 415, 422, 503)},
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

    A safetensors response has the tensors `images`, `scores`, `predictions` and, for a
    model with a decoder, `reconstruction_error`. For a model without a gradient, the
    status is 422. An attack is computed a few images at a time, after strokes and
    traces, and stops when its client closes the connection. 503: too many batches are
    in progress.
    """
    engine = current_catalogue().engine(path.id)
    info = engine.info
    check_attack(info, body.label, body.target)
    check_image(info, body.image)
    decoded = (RECONSTRUCTION,) if info.can.reconstruct else ()
    found = engine.attack(
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
        )
    )
    predictions = [trace.prediction for trace in found.traces]
    measured = _measured(found)
    return tensor_answer(
        lambda: {
            "model": info.id,
            "images": found.images,
            "predictions": predictions,
            "tensors": {"reconstruction_error": None, **measured},
        },
        {
            **measured,
            "images": found.images.astype(np.float32),
            "predictions": np.array(predictions, np.float32),
        },
        {"model": info.id, "version": info.version},
    )


def _measured(found: Attacked) -> dict[str, Numbers]:
    """Return each image's scores and, if decoded, how far its reconstruction is off."""
    tensors = [trace.tensors for trace in found.traces]
    measured: dict[str, Any] = {
        "scores": np.stack([each["scores"] for each in tensors])
    }
    if RECONSTRUCTION in tensors[0]:
        drawn = np.stack([each[RECONSTRUCTION] for each in tensors])
        squared = np.square(found.images - drawn)
        measured["reconstruction_error"] = squared.mean((1, 2)).astype(np.float32)
    return measured
