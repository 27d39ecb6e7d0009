"""Conversion of pictures of digits to a model's input."""

from typing import Any

import numpy as np

from capsnet_explorer.app.api.describe import answers, api_blueprint
from capsnet_explorer.app.api.payloads import UploadQuery
from capsnet_explorer.app.api.pictures import (
    INTAKE,
    PICTURE_BODY,
    describe_intake,
    read_picture,
)
from capsnet_explorer.app.engines.protocol import pictured

api = api_blueprint("images", "Conversion of pictures of digits to a model's input.")


@api.post(
    "/images",
    request_body=PICTURE_BODY,
    responses=answers(INTAKE, 413, 415, 422),
)
def post_image(query: UploadQuery) -> dict[str, Any]:
    """Find the digit in a picture and convert it to a model's input.

    With `as=colour`, the picture's middle becomes a colour image of `size` rows and
    columns, and nothing is looked for.
    The response shows every step as a picture. It also lists all digits found, the
    settings used, and warnings if the image may not show the intended digit. Fields of
    the request override the settings.
    """
    intake = read_picture(query)
    return {
        "image": np.ascontiguousarray(pictured(intake.image)),
        "inverted": intake.inverted,
        **describe_intake(intake),
    }
