"""What requests may hold, as checked values.

The models here check the shape of a request and describe it in the OpenAPI document;
what depends on the model asked, such as the size of its images, is in `app.checks`.
"""

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError
from pydantic import WithJsonSchema as Schema
from pydantic_core import InitErrorDetails, PydanticCustomError

from app.grids import GridError, read_grid

MAX_POSES = 256  # one 16 x 11 sweep sheet and some room
MAX_POSE_VALUE = 1000.0  # far beyond any capsule, and far from overflow in a decoder
MAX_NAMES = 100

Grid = NDArray[np.float32]


def _grid(value: object, low: float, high: float) -> Grid:
    try:
        return read_grid(value, low, high)
    except GridError as error:
        # Only a ValidationError can carry the path inside the field.
        problem = PydanticCustomError("grid", "{text}", {"text": str(error)})
        detail = InitErrorDetails(type=problem, loc=error.path, input=None)
        raise ValidationError.from_exception_data("grid", [detail]) from None


def _image(value: object) -> Grid:
    return _grid(value, 0.0, 1.0)


def _poses(value: object) -> Grid:
    if isinstance(value, list) and len(value) > MAX_POSES:
        text = f"must be at most {MAX_POSES} poses, got {len(value)}"
        raise PydanticCustomError("grid", "{text}", {"text": text})
    return _grid(value, -MAX_POSE_VALUE, MAX_POSE_VALUE)


def _rows(low: float, high: float, **more: Any) -> dict[str, Any]:
    number = {"type": "number", "minimum": low, "maximum": high}
    row = {"type": "array", "minItems": 1, "items": number}
    return {"type": "array", "minItems": 1, "items": row, **more}


IMAGE_SCHEMA = _rows(
    0, 1, description="Rows of pixels in [0, 1]; 1 is ink. 28 rows of 28 for MNIST."
)
POSES_SCHEMA = _rows(
    -MAX_POSE_VALUE,
    MAX_POSE_VALUE,
    maxItems=MAX_POSES,
    description="Poses to decode, each of the model's `pose_dim` numbers.",
    examples=[[[0.1] * 16]],
)

Image = Annotated[Grid, PlainValidator(_image), Schema(IMAGE_SCHEMA)]
Poses = Annotated[Grid, PlainValidator(_poses), Schema(POSES_SCHEMA)]
Name = Annotated[str, Field(strict=True, max_length=100)]


class Payload(BaseModel):
    """Settings of every request: nothing unknown, nothing changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class TraceRequest(Payload):
    """An image to run through a model, and what to answer with."""

    image: Image
    iterations: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        None, description="Routing iterations; absent: as the model was trained."
    )
    tensors: Annotated[list[Name], Field(max_length=MAX_NAMES)] | None = Field(
        None,
        description="Names to answer with; absent: all not `on_request`.",
        examples=[["digits.lengths", "reconstruction"]],
    )


class ReconstructRequest(Payload):
    """Digit capsules whose pose someone has changed."""

    digit: Annotated[int, Field(strict=True, ge=0)] = Field(
        description="The class kept; all others are masked, as in training."
    )
    poses: Poses


class ModelPath(Payload):
    """Names a model."""

    id: str = Field(description="A model's `id` in `/api/models`.")


class DatasetPath(Payload):
    """Names a data set."""

    id: str = Field(description="A data set's `id` in `/api/datasets`.")


class DigitPath(DatasetPath):
    """Names one digit of a data set."""

    index: int = Field(ge=0, description="The digit's place in the data set, from 0.")


class KernelsQuery(Payload):
    """Which kernels a client believes it asks for."""

    version: str | None = Field(
        None,
        description="The model's `version`; when current, the answer may be kept.",
    )


class UploadQuery(Payload):
    """How to read an uploaded picture."""

    ink: Literal["auto", "dark", "light"] = Field(
        "auto", description="Whether ink is darker or lighter than its ground."
    )


class DigitsQuery(Payload):
    """Which digits of a data set, in which order."""

    label: int | None = Field(None, ge=0, description="Only digits of this label.")
    mistakes_of: str | None = Field(
        None, description="Only digits that the model of this id gets wrong."
    )
    order: Literal["index", "random"] = "index"
    seed: int = Field(0, ge=0, lt=2**32, description="Which random order.")
    offset: int = Field(0, ge=0, lt=2**31, description="Digits to skip.")
    limit: int = Field(24, ge=1, le=100, description="Digits to answer with at most.")
