"""Pictures that come with a request: read, and their steps described."""

import base64
import io

import numpy as np
from flask import request
from numpy.typing import NDArray
from PIL import Image

from app.describe import BINARY
from app.errors import InvalidRequest, TooLarge, UnsupportedMedia, short
from app.intake import (
    ImageTooLarge,
    Intake,
    NoDigitFound,
    Step,
    UnreadableImage,
    read_digit,
)
from app.payloads import Ink

MAX_UPLOAD = 20 << 20  # bytes; a photograph of a telephone has 3 to 12 MB
FORM = "multipart/form-data"
BYTES = "application/octet-stream"

PICTURE_BODY = {
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


def read_picture(ink: Ink) -> Intake:
    """Find the digit in the picture that came with this request.

    Args:
        ink: whether the ink is darker or lighter than its ground, if it is known.

    Raises:
        InvalidRequest: no picture, or no digit in it.
        TooLarge: more bytes or pixels than are read.
        UnsupportedMedia: no picture of a format that is read.
    """
    request.max_content_length = MAX_UPLOAD
    data, field = _uploaded()
    try:
        return read_digit(data, ink=ink)
    except UnreadableImage as error:
        raise UnsupportedMedia(str(error), field=field) from error
    except ImageTooLarge as error:
        raise TooLarge(str(error), field=field) from error
    except NoDigitFound as error:
        raise InvalidRequest(str(error), field=field) from error


def describe_step(step: Step) -> dict[str, str]:
    """Return a step as answers have it, its picture as a `data:` address."""
    return {
        "name": step.name,
        "title": step.title,
        "note": step.note,
        "image": _png_address(step.image),
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


def _png_address(pixels: NDArray[np.uint8]) -> str:
    """Write (rows, columns) or (rows, columns, 3) pixels as a `data:` address."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
