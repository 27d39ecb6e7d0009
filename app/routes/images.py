"""Pictures of digits, brought into the form that models read."""

from typing import Any

import numpy as np

from app.answers import IntakeAnswer
from app.describe import api_blueprint, errors
from app.payloads import UploadQuery
from app.pictures import PICTURE_BODY, describe_intake, read_picture

api = api_blueprint("images", "Pictures of digits, brought into a model's form.")


@api.post(
    "/images",
    request_body=PICTURE_BODY,
    responses={200: IntakeAnswer, **errors(413, 415, 422)},
)
def post_image(query: UploadQuery) -> dict[str, Any]:
    """Find the digit in a picture and bring it into the form that models read.

    Every step on the way comes with the answer as a picture of its own; so do all
    digits that were found, the values that were used, and warnings where the image may
    not be what was meant. Any of it can be decided by a field of the request.
    """
    intake = read_picture(query)
    return {
        "image": np.ascontiguousarray(intake.image),
        "inverted": intake.inverted,
        **describe_intake(intake),
    }
