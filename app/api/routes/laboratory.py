"""The laboratory: changed images."""

import numpy as np
from flask import Response

from app.api.answers import TransformAnswer
from app.api.catalogue import current_catalogue
from app.api.checks import check_size
from app.api.describe import api_blueprint, errors, tensors
from app.api.laboratory import TransformRequest
from app.api.wire import tensor_answer
from laboratory.changes import changed

api = api_blueprint("laboratory", "Experiments: changed images.")


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
