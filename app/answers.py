"""What JSON answers hold, for the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from app.payloads import IMAGE_SCHEMA

Image = Annotated[Any, WithJsonSchema(IMAGE_SCHEMA)]
Tensor = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "array",
            "items": {"anyOf": [{"type": "number"}, {"type": "array", "items": {}}]},
            "description": "Numbers in nested lists.",
        }
    ),
]
Tensors = Annotated[dict[str, Tensor], Field(description="Tensors by name.")]


Share = Annotated[float, Field(ge=0, le=1)]
PictureBox = Annotated[
    tuple[Share, Share, Share, Share],
    Field(description="Left, top, right and bottom, in parts of the upright picture."),
]


class ErrorDetail(BaseModel):
    """What went wrong."""

    message: str = Field(description="What is needed, then what came.")
    field: str | None = Field(description="Dotted path of the value at fault.")


class ErrorAnswer(BaseModel):
    """The one shape of every error."""

    error: ErrorDetail


class HealthAnswer(BaseModel):
    """The server answers."""

    status: Literal["ok"]
    version: str


class TensorDescription(BaseModel):
    """One tensor that a trace can answer with."""

    name: str
    shape: list[int] = Field(description="At the model's own routing iterations.")
    title: str
    precision: Literal["f16", "f32"] = Field(description="In a safetensors answer.")
    on_request: bool = Field(description="Sent only when the request names it.")


class ModelDescription(BaseModel):
    """What a client must know about a model before using it."""

    id: str
    title: str
    architecture: str
    version: str = Field(description="Changes whenever the weights do.")
    default: bool
    classes: int
    class_names: list[str]
    input_shape: tuple[int, int] = Field(description="Rows and columns of an image.")
    primary_capsules: int = Field(description="How many capsules vote.")
    pose_dim: int = Field(description="Numbers in one digit capsule.")
    parameters: int
    routing_iterations: int
    max_routing_iterations: int
    tensors: list[TensorDescription]
    card: dict[str, Any] = Field(description="Test error, data, training, date.")


class ModelsAnswer(BaseModel):
    """The models that can be asked; one is the default."""

    models: list[ModelDescription]


class KernelsAnswer(BaseModel):
    """The first layer's kernels: `conv1.kernels` and `conv1.bias`."""

    model: str
    version: str
    tensors: Tensors


class PrimaryKernelsAnswer(BaseModel):
    """The kernels of one type: `primary.kernels` and `primary.bias`."""

    model: str
    version: str
    type: int
    tensors: Tensors


class TraceAnswer(BaseModel):
    """What one forward pass did."""

    model: str
    iterations: int
    prediction: int = Field(description="The class with the longest capsule.")
    tensors: Tensors


class ReconstructAnswer(BaseModel):
    """One decoded image per pose."""

    images: list[Image]


class StepAnswer(BaseModel):
    """One step of reading a picture."""

    name: str
    title: str
    note: str
    image: str = Field(description="A PNG as a `data:` address.")


class FoundAnswer(BaseModel):
    """Something in a picture that looks like a digit."""

    box: PictureBox
    share: float = Field(gt=0, le=1, description="Of the ink of all that was found.")
    image: str = Field(description="Its ink, a PNG as a `data:` address.")


class SettingsAnswer(BaseModel):
    """The values that an image was made with: those told, and those found."""

    ink: Literal["dark", "light"]
    threshold: float = Field(
        gt=0, lt=1, description="Where strokes began, in parts of full ink's level."
    )
    crop: PictureBox
    rotate: float = Field(description="Degrees by which it was turned clockwise.")
    thickness: float = Field(
        description="Mean width of strokes, in pixels of the final image."
    )
    thickness_before: float = Field(
        description="The same, had they been left as they are."
    )


class WarningAnswer(BaseModel):
    """Why the image may not be what was meant."""

    code: Literal["several", "unlike", "faint", "small"]
    message: str


class IntakeReport(BaseModel):
    """How a picture was read."""

    steps: list[StepAnswer]
    found: list[FoundAnswer] = Field(
        description="What looks like a digit, in reading order; at least one."
    )
    chosen: int = Field(description="Which of `found` became the image.")
    settings: SettingsAnswer
    warnings: list[WarningAnswer]


class IntakeAnswer(IntakeReport):
    """A picture brought into the form that models read, and how."""

    image: Image
    inverted: bool = Field(description="Whether dark ink was turned to light.")


class ReadAnswer(TraceAnswer):
    """What a model read in a picture: the image that it was shown, and the trace.

    With `steps`, how the picture was read, too.
    """

    image: Image
    inverted: bool = Field(description="Whether dark ink was turned to light.")
    steps: list[StepAnswer] | None = None
    found: list[FoundAnswer] | None = None
    chosen: int | None = None
    settings: SettingsAnswer | None = None
    warnings: list[WarningAnswer] | None = None


class SampleAnswer(BaseModel):
    """One digit to start with."""

    id: str
    label: int
    title: str
    source: str
    hard: bool = Field(description="Drawn to be mistaken for another class.")
    image: Image


class SamplesAnswer(BaseModel):
    """Digits to start with."""

    samples: list[SampleAnswer]


class DatasetAnswer(BaseModel):
    """One data set."""

    id: str
    dataset: str = Field(description="Whose test set it is, as cards say it.")
    title: str
    count: int
    labels: list[int] = Field(description="How many images each label has.")


class DatasetsAnswer(BaseModel):
    """The data sets at hand."""

    datasets: list[DatasetAnswer]
    missing: str | None = Field(None, description="What is missing; how to get it.")


class DigitAnswer(BaseModel):
    """One labelled digit."""

    index: int
    label: int
    image: Image
    prediction: int | None = Field(
        None, description="What the model took it for; with `mistakes_of` only."
    )


class DigitsAnswer(BaseModel):
    """One page of digits."""

    total: int = Field(description="How many there are on all pages.")
    digits: list[DigitAnswer]
