"""The contents of requests, checked and described.

The classes here check the form of a request and describe it in the OpenAPI document.
`app.api.checks` checks what depends on the model, such as the size of its images.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeVar

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

from capsnet_explorer.app.api.grids import (
    GridError,
    read_exact_image,
    read_grid,
    read_image,
)
from capsnet_explorer.app.errors import short
from capsnet_explorer.pictures.reading import Box, Ink, Overrides

MAX_POSES = 256  # 16 steps of each of 16 numbers
MAX_POSE_VALUE = 1000.0  # far beyond any capsule, yet no overflow in a decoder
MAX_BATCH = 256  # images
MAX_BATCH_NUMBERS = 1 << 20  # in one response: 4 MiB in binary, 12 MB as JSON
MAX_NAMES = 100
MAX_MODELS = 64  # in one request
MAX_CAPSULES = 4096  # in one request; more than any available model has
LEAST_CROP = 0.02  # of a picture's width or height
BOX_NEED = (
    "must be left,top,right,bottom in 0..1 of the upright picture, "
    f"at least {LEAST_CROP} wide and high"
)

ITERATIONS = "Routing iterations, for models that route; default: as in training."
ROUTING = ("iterations", "silence", "routing", "pin")  # fields of a trace's request
TENSORS = "Names of the tensors to return; default: all that are not `on_request`."

Grid = NDArray[np.float32]
ExactGrid = NDArray[np.float64]
Read = TypeVar("Read", Grid, ExactGrid)


def _error(text: str) -> PydanticCustomError:
    """Return an error whose text already says what was given."""
    return PydanticCustomError("told", "{text}", {"text": text})


def _checked(read: Callable[[], Read], *where: int) -> Read:
    """Return what `read` returns, or say what is wrong as pydantic does.

    Args:
        read: reads a value at the path `where` inside its field.
        where: indexes.
    """
    try:
        return read()
    except GridError as error:
        # Only a ValidationError can carry the path inside the field.
        path = (*where, *error.path)
        detail = InitErrorDetails(type=_error(str(error)), loc=path, input=None)
        raise ValidationError.from_exception_data("grid", [detail]) from None


def _image(value: object) -> Grid:
    return _checked(lambda: read_image(value))


def _exact_image(value: object) -> ExactGrid:
    return _checked(lambda: read_exact_image(value))


def _images(value: object) -> tuple[Grid, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_BATCH:
        raise _error(f"must be a list of 1 to {MAX_BATCH} images, got {short(value)}")
    return tuple(
        _checked(partial(read_image, image), index) for index, image in enumerate(value)
    )


def _poses(value: object) -> Grid:
    if isinstance(value, list) and len(value) > MAX_POSES:
        raise _error(f"must be at most {MAX_POSES} poses, got {len(value)}")
    return _checked(lambda: read_grid(value, -MAX_POSE_VALUE, MAX_POSE_VALUE))


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


SPANS_NEED = (
    f"must be numbers and ranges such as 0-35,40, of {MAX_CAPSULES} capsules at most"
)
PINS_NEED = "must be capsules:class:coupling, such as 0-35:4:0.5,40:3:1"


def _items(value: object) -> list[str]:
    """Split texts at commas; a parameter may also be repeated."""
    texts = value if isinstance(value, list) else [value]
    return [item for text in texts for item in str(text).split(",")]


def _span(text: str) -> range:
    """Read `40`, or `0-35`, both ends included."""
    first, _, last = text.partition("-")
    numbers = range(int(first), int(last or first) + 1)
    if not 0 < len(numbers) <= MAX_CAPSULES:
        raise ValueError(f"{text} holds {len(numbers)} capsules")
    return numbers


def _pin(text: str) -> list[dict[str, object]]:
    """Read pins such as `0-35:4:0.5`."""
    capsules, digit, coupling = text.split(":")
    held = {"digit": int(digit), "coupling": float(coupling)}
    return [{"capsule": number, **held} for number in _span(capsules)]


def _list_capsules(
    need: str, read: Callable[[str], Iterable[object]], value: object
) -> list[object]:
    """Read what lists capsules, and stop where it names too many.

    Args:
        need: says how each item must be.
        read: reads an item.
        value: one text or several.
    """
    capsules: list[object] = []
    for item in _items(value):
        try:
            capsules += read(item)
        except ValueError:
            raise _error(f"{need}, got {short(item)}") from None
        if len(capsules) > MAX_CAPSULES:
            raise _error(f"must name at most {MAX_CAPSULES} capsules, got more")
    return capsules


def whole(value: object) -> object:
    """Convert 4.0 to 4: JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _rows(low: float, high: float, **more: Any) -> dict[str, Any]:
    number = {"type": "number", "minimum": low, "maximum": high}
    row = {"type": "array", "minItems": 1, "items": number}
    return {"type": "array", "minItems": 1, "items": row, **more}


def _texts(description: str) -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}}
    return {**texts, "description": description}


IMAGE_SCHEMA = {
    "description": "Rows of pixels in [0, 1], or several channels of rows, as the "
    "model's `input_shape` says; of a digit, 1 is ink. 28 rows of 28 for MNIST.",
    "anyOf": [_rows(0, 1), {"type": "array", "minItems": 1, "items": _rows(0, 1)}],
}
IMAGES_SCHEMA = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_BATCH,
    "items": IMAGE_SCHEMA,
}
POSES_SCHEMA = _rows(
    -MAX_POSE_VALUE,
    MAX_POSE_VALUE,
    maxItems=MAX_POSES,
    description="Poses to decode, each of the model's `pose_dim` numbers.",
    examples=[[[0.1] * 16]],
)

Image = Annotated[Grid, PlainValidator(_image), Schema(IMAGE_SCHEMA)]
ExactImage = Annotated[ExactGrid, PlainValidator(_exact_image), Schema(IMAGE_SCHEMA)]
Images = Annotated[tuple[Grid, ...], PlainValidator(_images), Schema(IMAGES_SCHEMA)]
Poses = Annotated[Grid, PlainValidator(_poses), Schema(POSES_SCHEMA)]
Crop = Annotated[Box, PlainValidator(_box), Schema({"type": "string"})]
Name = Annotated[str, Field(strict=True, max_length=100)]
# The bound comes before the validator, or the document would not know it.
Index = Annotated[int, Field(strict=True, ge=0), BeforeValidator(whole)]
Iterations = Annotated[int, Field(strict=True, ge=1), BeforeValidator(whole)] | None
Names = Annotated[list[Name], Field(max_length=MAX_NAMES)] | None
SILENCE = (
    "Primary capsules whose votes are set to zero, each named once; "
    "i = (type * rows + row) * columns + column. Of a CNN: maps of Conv2 that are 0."
)
PINS = (
    "Couplings held in every iteration, at most one for each primary "
    "capsule. Its other couplings share the rest in proportion to their softmax."
)
Rule = Annotated[
    Literal["agreement", "uniform"],
    Field(description="uniform: couplings stay equal in every iteration."),
]


class Payload(BaseModel):
    """Base of every request: unknown fields are refused, values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    @classmethod
    def model_json_schema(cls, *how: Any, **by_name: Any) -> dict[str, Any]:
        """Return the schema; the plain one is made once, since each query asks for it.

        Whoever changes it works on a copy.
        """
        if how or by_name:
            return super().model_json_schema(*how, **by_name)
        return _plain_schema(cls)


@cache
def _plain_schema(payload: type[Payload]) -> dict[str, Any]:
    return super(Payload, payload).model_json_schema()


class PinRequest(Payload):
    """One coupling of routing, held at a fixed value in every iteration."""

    capsule: Index = Field(description="The primary capsule's number i.")
    digit: Index = Field(description="The digit capsule's number j.")
    coupling: Annotated[float, Field(strict=True, ge=0, le=1)] = Field(
        description="Its coupling; the capsule's other couplings share the rest, with "
        "none of the above in a network whose routing has it."
    )


class RoutingChoice(Payload):
    """What a request changes in a run."""

    def options(self) -> dict[str, Any]:
        """Return the options that the request sets, for an engine to check.

        A model without routing refuses all of them, but for maps to silence.
        """
        options = self.model_dump(include=set(ROUTING), exclude_defaults=True)
        return {name: options[name] for name in ROUTING if name in options}


class TraceRequest(RoutingChoice):
    """An image to run through a model, and the tensors to return."""

    image: Image
    iterations: Iterations = Field(None, description=ITERATIONS)
    tensors: Names = Field(
        None,
        description=TENSORS,
        examples=[["digits.lengths", "reconstruction"]],
    )
    silence: Annotated[list[Index], FailFast()] = Field(
        [], max_length=MAX_CAPSULES, description=SILENCE, examples=[[0, 35]]
    )
    routing: Rule = "agreement"
    pin: Annotated[list[PinRequest], FailFast()] = Field(
        [], max_length=MAX_CAPSULES, description=PINS
    )


class TracesRequest(Payload):
    """An image to run through several models, and the tensors of each to return."""

    image: Image
    tensors: (
        Annotated[
            dict[Name, Annotated[list[Name], Field(max_length=MAX_NAMES)]],
            Field(min_length=1, max_length=MAX_MODELS),
        ]
        | None
    ) = Field(
        None,
        description="Names of the tensors to return, by the model's id; default: "
        "`scores` of every model that takes images of this size.",
        examples=[{"capsnet-mnist": ["scores", "reconstruction"], "cnn-mnist": []}],
    )


class ManyTraces(Payload):
    """What to return of each of many images."""

    iterations: Iterations = Field(None, description=ITERATIONS)
    tensors: Names = Field(
        None,
        description="Names of the tensors to return; default: `scores`. All images "
        f"together may return {MAX_BATCH_NUMBERS} numbers.",
        examples=[["scores"]],
    )

    def options(self) -> dict[str, Any]:
        """Return what the request asks of routing, as engines check it."""
        return {} if self.iterations is None else {"iterations": self.iterations}


class BatchRequest(ManyTraces):
    """Images to run through a model, and the tensors to return for each."""

    images: Images


class NearestRequest(Payload):
    """An image, and how many of the test images nearest to it to return."""

    image: Image
    count: Annotated[int, Field(strict=True, ge=1, le=100), BeforeValidator(whole)] = 10


class ReconstructRequest(Payload):
    """Edited poses of one digit capsule."""

    digit: Index = Field(
        description="The class to decode; all others are masked, as in training."
    )
    poses: Poses


class ModelPath(Payload):
    """Names a model."""

    id: str = Field(description="A model's `id` in `/api/models`.")


class LayerTypePath(ModelPath):
    """Names one type of capsules of a layer."""

    layer: str = Field(
        pattern=r"^\w+$", description="The layer's name, such as `primary`."
    )
    type: int = Field(ge=0, description="The type's number, from 0.")


class WeightPath(ModelPath):
    """Names one tensor of a model's weights."""

    name: str = Field(description="A weight's `name` in `/api/models`.")


class MeasuredPath(ModelPath):
    """Names one part of what was measured on a model."""

    part: str = Field(
        description="What the tensors' names in `measured` begin with, such as `poses`."
    )


class DatasetPath(Payload):
    """Names a data set."""

    id: str = Field(description="A data set's `id` in `/api/datasets`.")


class DigitPath(DatasetPath):
    """Names one digit of a data set."""

    index: int = Field(ge=0, description="The digit's index in the data set, from 0.")


class ImagesQuery(Payload):
    """Digits of a data set by their indexes."""

    index: list[Annotated[int, Field(ge=0, lt=2**31)]] = Field(
        min_length=1,
        max_length=MAX_BATCH,
        description="Indexes in the data set, from 0; repeated for each digit.",
    )


class TestedQuery(Payload):
    """Some images of the test set, one after the other."""

    first: int = Field(0, ge=0, lt=2**31, description="Index of the first.")
    count: int = Field(
        MAX_BATCH, ge=1, le=MAX_BATCH, description="How many, while there are as many."
    )


class ModelsQuery(Payload):
    """How much to tell of each model."""

    brief: bool = Field(
        False,
        description="Tell of all but the default model only what choosing one takes: "
        "no layers, tensors or weights, and no long entries of the card.",
    )


class KernelsQuery(Payload):
    """The version of the weights that a client expects."""

    version: str | None = Field(
        None,
        description="The model's `version`; if current, the response may be cached "
        "indefinitely.",
    )


class MeasuredQuery(KernelsQuery):
    """Which tensors of what was measured."""

    glance: bool = Field(
        False,
        description="Only what the Overview shows: of the pictures `decoded`, the "
        "first of each type.",
    )


class UploadQuery(Payload):
    """How to process an uploaded picture. Absent settings are found automatically."""

    kind: Literal["digit", "colour"] | None = Field(
        None,
        alias="as",
        description="`digit` finds a digit, and makes it light on dark; `colour` keeps "
        "the picture's middle with its colours, and regards `crop` and `rotate` alone. "
        "Default: `colour` for a model that reads three channels, else `digit`.",
    )
    size: int = Field(
        32,
        ge=8,
        le=256,
        description="Rows and columns of a colour image; a model's own are taken in "
        "its place.",
    )
    ink: Ink = Field(
        "auto", description="Whether the ink is darker or lighter than its background."
    )
    invert: bool = Field(
        False,
        description="Swap light and dark: take the opposite of `ink`, or of the kind "
        "found.",
    )
    threshold: FiniteFloat | None = Field(
        None,
        ge=0.02,
        le=0.98,
        description="Level at which strokes begin, between paper (0) and full ink (1); "
        "a lower one keeps fainter ink.",
    )
    crop: Crop | None = Field(
        None,
        description="Use only the region left,top,right,bottom, in 0..1 of the upright "
        f"picture's width and height; at least {LEAST_CROP} wide and high.",
        examples=["0.1,0.2,0.9,0.8"],
    )
    rotate: FiniteFloat = Field(
        0, ge=-180, le=180, description="Clockwise rotation of the digit, in degrees."
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
        description="Index in `found` of the digit to read; default: the largest.",
    )
    at_most: int | None = Field(
        None,
        ge=1,
        le=2,
        description="How many digits the image may show; default: as many as the model "
        "can name, else 1. With 2, for models that read "
        "two on one canvas, and without `part`, the image has 36 x 36 pixels: the "
        "two largest digits of the picture, each scaled as a single one, lie to each "
        "other as in the picture, but at most 4 pixels from the middle in each "
        "direction, and add up; ink that touches is scaled and centred as one piece.",
    )

    def overrides(self) -> Overrides:
        """Return the settings in the form that the intake takes."""
        return Overrides(
            ink=self.ink,
            invert=self.invert,
            threshold=self.threshold,
            crop=self.crop or Box(),
            rotate=self.rotate,
            thickness=self.thickness,
            part=self.part,
            at_most=self.at_most or 1,
        )


class ReadQuery(UploadQuery, RoutingChoice):
    """How to process an uploaded picture, and the tensors to return."""

    iterations: int | None = Field(None, ge=1, description=ITERATIONS)
    silence: Annotated[
        list[Index],
        FailFast(),
        BeforeValidator(partial(_list_capsules, SPANS_NEED, _span)),
        Schema(_texts(f"{SILENCE} `0-35,40`, for example; may be repeated.")),
    ] = Field([], max_length=MAX_CAPSULES)
    routing: Rule = "agreement"
    pin: Annotated[
        list[PinRequest],
        FailFast(),
        BeforeValidator(partial(_list_capsules, PINS_NEED, _pin)),
        Schema(_texts(f"{PINS} `0-35:4:0.5,40:3:1`, for example; may be repeated.")),
    ] = Field([], max_length=MAX_CAPSULES)
    tensors: list[Name] | None = Field(None, max_length=MAX_NAMES, description=TENSORS)
    steps: bool = Field(False, description="Also report how the picture was processed.")


class DigitsQuery(Payload):
    """A selection of digits from a data set, and their order."""

    label: int | None = Field(None, ge=0, description="Only digits with this label.")
    mistakes_of: str | None = Field(
        None, description="Only digits that the model with this id misreads."
    )
    order: Literal["index", "random"] = "index"
    seed: int = Field(0, ge=0, lt=2**32, description="Seed of the random order.")
    offset: int = Field(0, ge=0, lt=2**31, description="Number of digits to skip.")
    limit: int = Field(24, ge=1, le=100, description="Most digits to return.")
