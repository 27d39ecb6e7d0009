"""Pictures in requests: their processing and its description."""

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from flask import request
from numpy.typing import NDArray
from PIL import Image
from pydantic import BaseModel, ValidationError

from capsnet_explorer.app.api.describe import BINARY
from capsnet_explorer.app.api.payloads import UploadQuery
from capsnet_explorer.app.engines.heap import give_memory_back
from capsnet_explorer.app.errors import (
    InvalidRequest,
    Overloaded,
    TooLarge,
    UnsupportedMedia,
    refuse,
    short,
)
from capsnet_explorer.pictures.decoding.kinds import READABLE
from capsnet_explorer.pictures.reading import (
    Busy,
    Damaged,
    Intake,
    NoDigitFound,
    NoSuchPart,
    TooMuch,
    UnknownKind,
    read_digit,
    read_photograph,
)
from capsnet_explorer.pictures.reading.settings import MAX_UPLOAD
from capsnet_explorer.storage.sizes import size_words

LARGE_UPLOAD = 1 << 20  # bytes; after larger ones memory is returned at once
FORM = "multipart/form-data"
BYTES = "application/octet-stream"
COLOURS = 3  # channels of a colour image
Query = TypeVar("Query", bound=UploadQuery)

INTAKE = (
    "`image`, and whether it was `inverted`; `steps`: `name`, `title`, `note`, and "
    "`image`, a PNG as a `data:` URL; `found`: parts like digits, each with its `box` "
    "(left, top, right, bottom in 0..1), `share` of the ink and `image`; the `chosen` "
    "one's index, those of all `parts` in the image; `settings`; `warnings`: `code` "
    "and `message`."
)
EMPTY = "This file is empty. Send a picture of a digit."


def _fields_of(query: type[BaseModel]) -> dict[str, Any]:
    """Return the parameters of a query as fields of a form, which cannot be null."""
    fields = deepcopy(query.model_json_schema()["properties"])
    for schema in fields.values():
        if kinds := schema.pop("anyOf", None):
            schema |= next(kind for kind in kinds if kind["type"] != "null")
            schema.pop("default")
    return fields


PICTURE_BODY = {
    "description": (
        "The picture, either as the field `file` of a form or as the body itself. A "
        "form may also contain the query's parameters, and then overrides the query. "
        f"Accepts {READABLE} files of at most {size_words(MAX_UPLOAD)}, and reads the "
        "first of several frames. 413: too many bytes, pixels, frames or metadata. "
        "415: another format. 422: a damaged picture, or one without a digit."
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


def read_picture(
    query: UploadQuery,
    shape: tuple[int, int, int] | None = None,
    *,
    at_most: int = 1,
) -> Intake:
    """Find the digit in the picture that came with this request, or keep its colours.

    Args:
        query: how to process it; fields of a form take precedence.
        shape: channels, rows and columns that a model reads, if there is one.
        at_most: how many digits the image may show where the query does not say it.

    Raises:
        InvalidRequest: the picture is missing or damaged or shows no digit, or a field
            of the form is wrong.
        TooLarge: the picture has too many bytes, pixels, frames or metadata.
        UnsupportedMedia: the picture has an unsupported format.
        Overloaded: too many pictures are waiting to be decoded.
    """
    choices = with_form(query)
    overrides = choices.overrides()
    if choices.at_most is None:
        overrides = replace(overrides, at_most=at_most)
    by_model = "colour" if shape and shape[0] == COLOURS else "digit"
    with receive_picture() as data:
        if (choices.kind or by_model) == "colour":
            rows, columns = shape[1:] if shape else (choices.size, choices.size)
            return read_photograph(data, (rows, columns), overrides)
        return read_digit(data, overrides)


@contextmanager
def receive_picture() -> Iterator[bytes]:
    """Yield the picture that came with this request, and refuse what cannot be read.

    Raises:
        InvalidRequest: the picture is missing or damaged, or shows no digit.
        TooLarge: the picture has too many bytes, pixels, frames or metadata.
        UnsupportedMedia: the picture has an unsupported format.
        Overloaded: too many pictures are waiting to be decoded.
    """
    data, field = _picture_and_field()
    try:
        yield data
    except UnknownKind as error:
        raise UnsupportedMedia(str(error), field=field) from error
    except TooMuch as error:
        raise TooLarge(str(error), field=field) from error
    except NoSuchPart as error:
        raise InvalidRequest(str(error), field="part") from error
    except (Damaged, NoDigitFound) as error:
        raise InvalidRequest(str(error), field=field) from error
    except Busy as error:
        raise Overloaded(str(error)) from error
    finally:
        if len(data) > LARGE_UPLOAD:
            del data
            give_memory_back()


def describe_intake(intake: Intake) -> dict[str, Any]:
    """Return how a picture was processed as JSON, with images as `data:` URLs."""
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
                "box": candidate.box.sides,
                "share": candidate.share,
                "image": _png_address(candidate.image),
            }
            for candidate in intake.found
        ],
        "chosen": intake.chosen,
        "parts": intake.parts,
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


def with_form(query: Query) -> Query:
    """Return the query, overridden by the fields of a form.

    Raises:
        InvalidRequest: a field is unknown or has a wrong value.
    """
    if not request.form:
        return query
    for name, values in request.form.lists():
        if len(values) > 1:
            message = f"{short(name)} must occur once, got it {len(values)} times"
            raise InvalidRequest(message, field=name)
    try:
        form = type(query).model_validate(request.form.to_dict())
    except ValidationError as error:
        refuse(error)
    fields = {name: getattr(form, name) for name in form.model_fields_set}
    return query.model_copy(update=fields)


def _picture_and_field() -> tuple[bytes, str | None]:
    """Return the picture's bytes and the name of its form field, if any."""
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
        raise InvalidRequest(EMPTY, field=field)
    return data, field


def _png_address(pixels: NDArray[np.uint8]) -> str:
    """Encode (rows, columns) or (rows, columns, 3) pixels as a `data:` URL."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
