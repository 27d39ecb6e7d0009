"""Pictures that come with a request: read as it asks, and described."""

import base64
import io
from typing import Any

import numpy as np
from flask import request
from numpy.typing import NDArray
from PIL import Image
from pydantic import BaseModel, ValidationError

from app.describe import BINARY
from app.errors import InvalidRequest, TooLarge, UnsupportedMedia, refuse, short
from app.intake import (
    DamagedImage,
    ImageTooLarge,
    Intake,
    NoDigitFound,
    NoSuchPart,
    UnreadableImage,
    read_digit,
)
from app.memory import give_memory_back
from app.payloads import UploadQuery
from picture_files.kinds import READABLE

MAX_UPLOAD = 20 << 20  # bytes; a photograph of a telephone has 3 to 12 MB
LARGE_UPLOAD = 1 << 20  # bytes, from which on memory is given back at once
FORM = "multipart/form-data"
BYTES = "application/octet-stream"


def _fields_of(query: type[BaseModel]) -> dict[str, Any]:
    """Return what a query may say as fields of a form, of which none is null."""
    fields = query.model_json_schema()["properties"]
    for schema in fields.values():
        if kinds := schema.pop("anyOf", None):
            schema |= next(kind for kind in kinds if kind["type"] != "null")
            schema.pop("default")
    return fields


PICTURE_BODY = {
    "description": (
        "The picture as the field `file` of a form, or as the body itself. A form may "
        "also hold what the query may say about the picture; the form's word counts. "
        f"{READABLE} files of at most {MAX_UPLOAD >> 20} MB are read, of several "
        "frames the first. 413: more bytes, pixels, frames or metadata than are "
        "decoded. 415: no such file. 422: a broken one, or one that shows no digit."
    ),
    "content": {
        FORM: {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    **_fields_of(UploadQuery),
                },
            }
        },
        "image/*": BINARY,
        BYTES: BINARY,
    },
}


def read_picture(query: UploadQuery) -> Intake:
    """Find the digit in the picture that came with this request.

    Args:
        query: how to read it; fields of a form count before it.

    Raises:
        InvalidRequest: no picture or a broken one, no digit in it, or a wrong field
            of the form.
        TooLarge: more bytes, pixels, frames or metadata than are read.
        UnsupportedMedia: no picture of a format that is read.
    """
    request.max_content_length = MAX_UPLOAD
    data, field = _uploaded()
    overrides = _with_form(query).overrides()
    try:
        return read_digit(data, overrides)
    except UnreadableImage as error:
        raise UnsupportedMedia(str(error), field=field) from error
    except ImageTooLarge as error:
        raise TooLarge(str(error), field=field) from error
    except NoSuchPart as error:
        raise InvalidRequest(str(error), field="part") from error
    except (DamagedImage, NoDigitFound) as error:
        raise InvalidRequest(str(error), field=field) from error
    finally:
        if len(data) > LARGE_UPLOAD:
            del data
            give_memory_back()


def describe_intake(intake: Intake) -> dict[str, Any]:
    """Return how a picture was read, as answers have it; pictures as `data:`."""
    used = intake.used
    return {
        "steps": [
            {
                "name": step.name,
                "title": step.title,
                "note": step.note,
                "image": _png_address(step.image),
            }
            for step in intake.steps
        ],
        "found": [
            {
                "box": found.box.sides,
                "share": found.share,
                "image": _png_address(found.image),
            }
            for found in intake.found
        ],
        "chosen": intake.chosen,
        "settings": {
            "ink": used.ink,
            "threshold": used.threshold,
            "crop": used.crop.sides,
            "rotate": used.rotate,
            "thickness": used.thickness,
            "thickness_before": used.thickness_before,
        },
        "warnings": [
            {"code": doubt.code, "message": doubt.message} for doubt in intake.doubts
        ],
    }


def _with_form(query: UploadQuery) -> UploadQuery:
    """Return the query with what a form's fields say in its place.

    Raises:
        InvalidRequest: a field that is unknown, or has a wrong value.
    """
    if not request.form:
        return query
    for name, values in request.form.lists():
        if len(values) > 1:
            message = f"{short(name)} must be said once, got it {len(values)} times"
            raise InvalidRequest(message, field=name)
    try:
        told = UploadQuery.model_validate(request.form.to_dict())
    except ValidationError as error:
        refuse(error)
    fields = {name: getattr(told, name) for name in told.model_fields_set}
    return query.model_copy(update=fields)


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
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
