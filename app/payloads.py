"""What requests may hold, as checked values.

The models here check the shape of a request and describe it in the OpenAPI document;
what depends on the model asked, such as the size of its images, is in `app.checks`.
"""

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    FiniteFloat,
    PlainValidator,
    ValidationError,
)
from pydantic import WithJsonSchema as Schema
from pydantic_core import InitErrorDetails, PydanticCustomError

from app.grids import GridError, read_grid
from app.intake import Box, Ink, Overrides

MAX_POSES = 256  # one 16 x 11 sweep sheet and some room
MAX_POSE_VALUE = 1000.0  # far beyond any capsule, and far from overflow in a decoder
MAX_NAMES = 100
MAX_CAPSULES = 4096  # named in one request; no model at hand has so many
LEAST_CROP = 0.02  # of a picture's width or height
BOX_NEED = (
    "must be left,top,right,bottom in 0..1 of the upright picture, "
    f"at least {LEAST_CROP} wide and high"
)

ITERATIONS = "Routing iterations; absent: as the model was trained."
TENSORS = "Names to answer with; absent: all not `on_request`."

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


def _box(value: object) -> Box:
    """Read a box such as `0.1,0.2,0.9,0.8`."""
    try:
        left, top, right, bottom = map(float, str(value).split(","))
    except ValueError:
        raise PydanticCustomError("box", "{need}", {"need": BOX_NEED}) from None
    is_inside = left >= 0 and top >= 0 and right <= 1 and bottom <= 1
    if not (is_inside and right - left >= LEAST_CROP and bottom - top >= LEAST_CROP):
        raise PydanticCustomError("box", "{need}", {"need": BOX_NEED})
    return Box(left, top, right, bottom)


def _whole(value: object) -> object:
    """Take 4.0 for 4, as JSON does: its numbers are all of one kind."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


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
Crop = Annotated[Box, PlainValidator(_box), Schema({"type": "string"})]
Name = Annotated[str, Field(strict=True, max_length=100)]
Whole = Annotated[int, BeforeValidator(_whole)]
Index = Annotated[Whole, Field(strict=True, ge=0)]


class Payload(BaseModel):
    """Settings of every request: nothing unknown, nothing changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class PinRequest(Payload):
    """One coupling of routing, held where it is put in every iteration."""

    capsule: Index = Field(description="The primary capsule's number i.")
    digit: Index = Field(description="The digit capsule's number j.")
    coupling: Annotated[float, Field(strict=True, ge=0, le=1)] = Field(
        description="What c_ij is held at; the capsule's others share the rest."
    )


class TraceRequest(Payload):
    """An image to run through a model, and what to answer with."""

    image: Image
    iterations: Annotated[Whole, Field(strict=True, ge=1)] | None = Field(
        None, description=ITERATIONS
    )
    tensors: Annotated[list[Name], Field(max_length=MAX_NAMES)] | None = Field(
        None,
        description=TENSORS,
        examples=[["digits.lengths", "reconstruction"]],
    )
    silence: Annotated[list[Index], FailFast()] = Field(
        [],
        max_length=MAX_CAPSULES,
        description="Primary capsules whose votes count as zero, each named once; "
        "i = (type * rows + row) * columns + column.",
        examples=[[0, 35]],
    )
    routing: Literal["agreement", "uniform"] = Field(
        "agreement",
        description="uniform: couplings stay even in every iteration.",
    )
    pin: Annotated[list[PinRequest], FailFast()] = Field(
        [],
        max_length=MAX_CAPSULES,
        description="Couplings held in every iteration, at most one for each primary "
        "capsule; its others share the rest in the proportions of their softmax.",
    )


class ReconstructRequest(Payload):
    """Digit capsules whose pose someone has changed."""

    digit: Index = Field(
        description="The class kept; all others are masked, as in training."
    )
    poses: Poses


class ModelPath(Payload):
    """Names a model."""

    id: str = Field(description="A model's `id` in `/api/models`.")


class PrimaryTypePath(ModelPath):
    """Names one type of a model's primary capsules."""

    type: int = Field(ge=0, description="The type's number, from 0.")


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
    """How to read an uploaded picture. What is absent is found automatically."""

    ink: Ink = Field(
        "auto", description="Whether ink is darker or lighter than its ground."
    )
    invert: bool = Field(
        False,
        description="Exchange light and dark: take the other kind of ink than told by "
        "`ink`, or than found.",
    )
    threshold: FiniteFloat | None = Field(
        None,
        ge=0.02,
        le=0.98,
        description="Where strokes begin, in parts of the full ink's level above its "
        "paper: lower keeps fainter ink.",
    )
    crop: Crop | None = Field(
        None,
        description="Look only into left,top,right,bottom, in 0..1 of the picture's "
        f"width and height once it is upright; at least {LEAST_CROP} wide and high.",
        examples=["0.1,0.2,0.9,0.8"],
    )
    rotate: FiniteFloat = Field(
        0, ge=-180, le=180, description="Degrees to turn the digit clockwise."
    )
    thickness: FiniteFloat | None = Field(
        None,
        ge=1,
        le=6,
        description="Mean width of strokes, in pixels of the final image.",
    )
    part: int | None = Field(
        None,
        ge=0,
        lt=100,
        description="Which digit to read, of those in `found`; absent: the largest.",
    )

    def overrides(self) -> Overrides:
        """Return what was decided about the picture, as the intake takes it."""
        return Overrides(
            ink=self.ink,
            invert=self.invert,
            threshold=self.threshold,
            crop=self.crop or Box(),
            rotate=self.rotate,
            thickness=self.thickness,
            part=self.part,
        )


class ReadQuery(UploadQuery):
    """How to read an uploaded picture, and what to answer with."""

    iterations: int | None = Field(None, ge=1, description=ITERATIONS)
    tensors: list[Name] | None = Field(None, max_length=MAX_NAMES, description=TENSORS)
    steps: bool = Field(False, description="Tell how the picture was read, too.")


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
