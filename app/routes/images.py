"""Pictures of digits, brought into the form that models read."""

import base64
import io
from typing import Any

import numpy as np
from flask import request
from numpy.typing import NDArray
from PIL import Image

from app.answers import IntakeAnswer
from app.describe import BINARY, api_blueprint, errors
from app.errors import InvalidRequest, TooLarge, UnsupportedMedia, short
from app.intake import ImageTooLarge, NoDigitFound, Step, UnreadableImage, read_digit
from app.payloads import UploadQuery

MAX_UPLOAD = 20 << 20  # bytes; a photograph of a telephone has 3 to 12 MB
FORM = "multipart/form-data"
BYTES = "application/octet-stream"

UPLOAD = {
    "description": "The picture as the field `file` of a form, or as the body itself.",
    "content": {
        FORM: {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        "image/*": BINARY,
        BYTES: BINARY,
    },
}

api = api_blueprint("images", "Pictures of digits, brought into a model's form.")


@api.post(
    "/images",
    request_body=UPLOAD,
    responses={200: IntakeAnswer, **errors(413, 415, 422)},
)
def post_image(query: UploadQuery) -> dict[str, Any]:
    """Find the digit in a picture and bring it into the form that models read.

    Every step on the way comes with the answer as a picture of its own.
    """
    request.max_content_length = MAX_UPLOAD
    data, field = _uploaded()
    try:
        intake = read_digit(data, ink=query.ink)
    except UnreadableImage as error:
        raise UnsupportedMedia(str(error), field=field) from error
    except ImageTooLarge as error:
        raise TooLarge(str(error), field=field) from error
    except NoDigitFound as error:
        raise InvalidRequest(str(error), field=field) from error
    return {
        "image": np.ascontiguousarray(intake.image),
        "steps": [_describe(step) for step in intake.steps],
        "inverted": intake.inverted,
    }


def _uploaded() -> tuple[bytes, str | None]:
    """Return the picture's bytes and the form field they came in."""
    mimetype = request.mimetype
    if mimetype == FORM:
        field, file = "file", request.files.get("file")
        if file is None:
            raise InvalidRequest("file is required", field=field)
        data = file.read()
    elif mimetype.startswith("image/") or mimetype == BYTES:
        field, data = None, request.get_data(cache=False)
    else:
        raise UnsupportedMedia(
            f"the body must be {FORM}, image/* or {BYTES}, got {short(mimetype)}"
        )
    if not data:
        raise InvalidRequest("the picture must have bytes, got none", field=field)
    return data, field


def _describe(step: Step) -> dict[str, str]:
    return {
        "name": step.name,
        "title": step.title,
        "note": step.note,
        "image": _png_address(step.image),
    }


def _png_address(pixels: NDArray[np.uint8]) -> str:
    """Write (rows, columns) or (rows, columns, 3) pixels as a `data:` address."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
