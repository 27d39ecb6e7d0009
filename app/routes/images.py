"""Pictures of digits, brought into the form that models read."""

from typing import Any

import numpy as np

from app.answers import IntakeAnswer
from app.describe import api_blueprint, errors
from app.payloads import UploadQuery
from app.pictures import PICTURE_BODY, describe_step, read_picture

api = api_blueprint("images", "Pictures of digits, brought into a model's form.")


@api.post(
    "/images",
    request_body=PICTURE_BODY,
    responses={200: IntakeAnswer, **errors(413, 415, 422)},
)
def post_image(query: UploadQuery) -> dict[str, Any]:
    """Find the digit in a picture and bring it into the form that models read.

    Every step on the way comes with the answer as a picture of its own.
    """
    intake = read_picture(query.ink)
    return {
        "image": np.ascontiguousarray(intake.image),
        "steps": [describe_step(step) for step in intake.steps],
        "inverted": intake.inverted,
    }
