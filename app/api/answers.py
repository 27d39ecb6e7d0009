"""The contents of JSON responses, for the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, RootModel, WithJsonSchema

from capsnet_explorer.app.api.payloads import IMAGE_SCHEMA
from capsnet_explorer.app.content.glossary import Term
from capsnet_explorer.app.content.guide import Chapter, Ending
from capsnet_explorer.app.engines.facts import Brief, Facts
from capsnet_explorer.app.engines.own_set import SetFacts
from capsnet_explorer.app.engines.recipes import Trainable
from capsnet_explorer.app.engines.training.facts import RunFacts

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
    Field(description="Left, top, right and bottom, in 0..1 of the upright picture."),
]


def _inline(answer: type[BaseModel]) -> dict[str, Any]:
    """Describe a part of an answer that the document has under no name of its own."""
    schema = answer.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    return schema


def _or_null(answer: type[BaseModel]) -> dict[str, Any]:
    """Describe a part of an answer, or null."""
    either = [_inline(answer), {"type": "null"}]
    return {"anyOf": either, "description": answer.__doc__}


class ErrorDetail(BaseModel):
    """The reason for an error."""

    message: str = Field(description="What is needed, then what was given.")
    field: str | None = Field(description="Dotted path of the value at fault.")


class ErrorAnswer(BaseModel):
    """The form of every error."""

    error: ErrorDetail


class HealthAnswer(BaseModel):
    """The server is running."""

    status: Literal["ok", "starting"] = Field(
        description="`starting`: facts of an earlier start answer, networks come."
    )
    version: str


class BriefDescription(Brief, extra="allow"):
    """The facts about a model that a client needs to choose it.

    An architecture may add its own, such as `primary_capsules`.
    """

    default: bool
    """Whether a request that names no model is answered by this one."""
    kept: bool
    """Whether it was kept from a training run here, and can be removed."""
    pose_dim: int | None = None
    """Numbers in the pose of a class; null without poses."""
    routing_iterations: int | None = None
    """As in training; null for a model without routing."""
    max_routing_iterations: int | None = None
    """Maximum in a request; null for a model without routing."""


class ModelDescription(BriefDescription, Facts):
    """The facts about a model that a client needs."""


class Refusal(BaseModel):
    """What is there, but cannot be used."""

    id: str
    reason: str


class ModelsAnswer(BaseModel):
    """The available models; one is the default."""

    models: list[ModelDescription | BriefDescription]
    refused: list[Refusal] = Field(description="Files that cannot be used.")


class TensorsAnswer(BaseModel):
    """Tensors by name."""

    tensors: Tensors


class WeightsAnswer(TensorsAnswer):
    """Tensors of a model: of its weights, or measured on it."""

    model: str
    version: str


class LayerKernelsAnswer(WeightsAnswer):
    """The kernels of one type of a layer, such as `primary.kernels`, and its bias."""

    type: int


class MeasuredAnswer(WeightsAnswer):
    """Tensors that were measured on a model."""

    part: str


class TestedAnswer(WeightsAnswer):
    """What a model reads in images of its test set."""

    total: int = Field(description="Images of the whole test set.")


class Neighbour(BaseModel):
    """One of the test images nearest to an image."""

    index: int = Field(description="Its index in the test set, from 0.")
    label: int = Field(description="The first, where it shows two digits.")
    labels: list[int]
    distance: float = Field(ge=0, description="In the space of the model's capsules.")


class NearestAnswer(RootModel[list[Neighbour]]):
    """Test images, nearest first."""


class TraceAnswer(BaseModel):
    """The results of one forward pass."""

    model: str
    iterations: int | None = Field(
        description="Routing iterations; null for a model without routing."
    )
    prediction: int = Field(description="The class with the highest score.")
    name: str = Field(description="What that class is called.")
    present: list[int] = Field(
        description="The classes that the image shows by the model's rule, best first."
    )
    tensors: Tensors


class TracesAnswer(BaseModel):
    """The results of one forward pass of each model, in the requested order."""

    traces: Annotated[
        list[TraceAnswer],
        WithJsonSchema({"type": "array", "items": _inline(TraceAnswer)}),
    ]


class BatchAnswer(BaseModel):
    """A model's predictions and tensors for many images."""

    model: str
    iterations: int | None = Field(
        description="Routing iterations; null for a model without routing."
    )
    predictions: list[int] = Field(
        description="For each image, the class with the highest score."
    )
    names: list[str] = Field(description="What these classes are called.")
    present: list[list[int]] = Field(
        description="For each image, the classes that it shows by the model's rule, "
        "best first."
    )
    tensors: Tensors


class ImagesAnswer(BaseModel):
    """One image for each pose, or for each change."""

    images: list[Image]


class OverlayAnswer(BaseModel):
    """Two images on top of each other, and whose ink each pixel has."""

    image: Image
    owners: list[list[int]] = Field(
        description="For each pixel: 0 no ink, 1 of the first image, 2 of the second, "
        "3 of both. Ink is above 0.2."
    )


class ToyParameter(BaseModel):
    """A number that varies between toys of a category."""

    name: str
    title: str
    low: float
    high: float = Field(description="Lengths have no unit, angles are in degrees.")


class ToyCategory(BaseModel):
    """Toys of one kind."""

    name: str
    parameters: list[ToyParameter]


class ToyLight(BaseModel):
    """A lamp, which moves with the camera."""

    azimuth: float = Field(description="Degrees to the right of the camera.")
    elevation: float = Field(description="Degrees above the ground.")


class ToyTint(BaseModel):
    """A colour of a toy."""

    name: str
    colour: list[float] = Field(description="Red, green and blue in 0..1.")


class ToyGround(ToyTint):
    """What a toy in colour stands on, or flies before."""

    has_shadow: bool = Field(description="Whether the toy's shadow falls on it.")
    is_cluttered: bool = Field(description="Whether spots of other colours lie on it.")


class ToysAnswer(BaseModel):
    """All categories of toys, the collection's lights, grounds and tints in colour."""

    categories: list[ToyCategory]
    lights: list[ToyLight]
    grounds: list[ToyGround]
    tints: list[ToyTint]


class PictureAnswer(BaseModel):
    """A picture that the server drew."""

    image: Image


class AttackPathAnswer(BaseModel):
    """The steps of an attack, from its start."""

    images: list[Image]
    predictions: list[int] = Field(
        description="For each image, the class with the highest score."
    )
    names: list[str] = Field(description="What these classes are called.")
    tensors: dict[str, Tensor | None] = Field(
        description="As those of the answer, and `values` (images), what the attack "
        "raises."
    )
    start: int = Field(
        description="0: the image itself, and of `pgd` FGSM's image. Above: a random "
        "one."
    )


class AttackAnswer(BaseModel):
    """One attacked image for each ε, and what the model makes of it."""

    model: str
    images: list[Image]
    predictions: list[int] = Field(
        description="For each image, the class with the highest score."
    )
    names: list[str] = Field(description="What these classes are called.")
    tensors: dict[str, Tensor | None] = Field(
        description="`scores` (images, classes), and `reconstruction_error` (images), "
        "the mean squared difference of image and reconstruction; null for a model "
        "without a decoder."
    )
    zero_gradients: float | None = Field(
        ge=0,
        le=1,
        description="Share of the pixels of the given image at which the gradient of "
        "the loss is exactly zero; null if none was computed.",
    )
    path: Annotated[AttackPathAnswer | None, WithJsonSchema(_or_null(AttackPathAnswer))]


class StepAnswer(BaseModel):
    """One step of reading a picture."""

    name: str
    title: str
    note: str
    image: str = Field(description="A PNG as a `data:` URL.")


class FoundAnswer(BaseModel):
    """A part of a picture that looks like a digit."""

    box: PictureBox
    share: float = Field(
        gt=0, le=1, description="Its share of the ink of all parts found."
    )
    image: str = Field(description="Its ink, a PNG as a `data:` URL.")


class SettingsAnswer(BaseModel):
    """The settings that produced an image: requested or found automatically.

    Null is what has no meaning for a colour picture.
    """

    ink: Literal["dark", "light"] | None
    threshold: float | None = Field(
        gt=0, lt=1, description="Level at which strokes begin; 1 is full ink."
    )
    crop: PictureBox
    rotate: float = Field(description="Clockwise rotation in degrees.")
    thickness: float | None = Field(
        description="Mean width of strokes, in pixels of the final image."
    )
    thickness_before: float | None = Field(
        description="The same before any adjustment."
    )


class WarningAnswer(BaseModel):
    """A reason why the image may not show the intended digit."""

    code: Literal["pages", "several", "unlike", "faint", "small"]
    message: str


class IntakeReport(BaseModel):
    """How a picture was processed."""

    steps: list[StepAnswer]
    found: list[FoundAnswer] = Field(
        description="Parts that look like a digit, in reading order; at least one. "
        "None is looked for in a colour picture."
    )
    chosen: int | None = Field(
        description="Index in `found` of the part in the image, if there are any; of "
        "two the larger one."
    )
    parts: list[int] = Field(
        description="Indices in `found` of all parts in the image: two at most."
    )
    settings: SettingsAnswer
    warnings: list[WarningAnswer]


class IntakeAnswer(IntakeReport):
    """A picture converted to a model's input, and the steps in between."""

    image: Image
    inverted: bool = Field(description="Whether dark ink was turned to light.")


class ReadAnswer(TraceAnswer):
    """A model's reading of a picture: its input image and the trace.

    With `steps`, also how the picture was processed.
    """

    image: Image
    inverted: bool = Field(description="Whether dark ink was turned to light.")
    doubts: list[str] = Field(
        description="Why the picture, or the model's answer, may be wrong."
    )
    steps: list[StepAnswer] | None = None
    found: list[FoundAnswer] | None = None
    chosen: int | None = None
    parts: list[int] | None = None
    settings: SettingsAnswer | None = None
    warnings: list[WarningAnswer] | None = None


class SampleAnswer(BaseModel):
    """One sample digit."""

    id: str
    label: int
    title: str
    source: str
    hard: bool = Field(description="Resembles another class on purpose.")
    image: Image


class SamplesAnswer(BaseModel):
    """The sample digits."""

    samples: list[SampleAnswer]


class GlossaryAnswer(BaseModel):
    """The terms that the page explains."""

    terms: list[Term]


class GuideAnswer(BaseModel):
    """The guide, in the order of its chapters."""

    chapters: list[Chapter]
    ending: Ending


class RealDigits(BaseModel):
    """How a network that was trained on drawn digits reads MNIST's test digits."""

    wrong: int = Field(description="How many it misreads.")
    images: int = Field(description="Of so many.")
    preset: str
    epochs: int = Field(description="Passes over the drawn digits.")
    seed: int


class TrainingDataAnswer(BaseModel):
    """A data set to train on."""

    name: str
    title: str
    ready: bool = Field(description="Whether its files are on the server's machine.")
    download_bytes: int = Field(description="To download; 0: it cannot be downloaded.")
    hosts: list[str] = Field(description="The servers that are asked, in this order.")
    real: dict[str, RealDigits] = Field(
        description="How networks that were trained on drawn digits read real ones, by "
        "their architectures; empty for real digits."
    )


class RecipesAnswer(BaseModel):
    """What can be trained, and how."""

    allowed: bool = Field(description="Whether this server trains networks.")
    reason: str | None = Field(description="Why not.")
    at_once: int = Field(description="Runs that train at once; more have to wait.")
    default: str = Field(description="The architecture that is taken by default.")
    datasets: list[TrainingDataAnswer]
    architectures: list[Trainable]


class Started(BaseModel):
    """The training run, or the set of images, that was added."""

    id: str


class RunsAnswer(BaseModel):
    """The training runs, the newest first."""

    runs: list[RunFacts]
    refused: list[Refusal] = Field(
        description="Runs whose files cannot be read; they stay as they are."
    )


class SetsAnswer(BaseModel):
    """The sets of images, the newest first."""

    sets: list[SetFacts]


class SampleImagesAnswer(TensorsAnswer):
    """Training images of each class of a set, and the class of each."""

    classes: list[int]


class KeptAnswer(BaseModel):
    """The model that a snapshot was kept as."""

    model: str


class DatasetAnswer(BaseModel):
    """One data set."""

    id: str
    dataset: str = Field(description="The data set's name on the cards of models.")
    title: str
    count: int
    labels: list[int] = Field(description="Number of images with each label.")


class DatasetsAnswer(BaseModel):
    """The available data sets."""

    datasets: list[DatasetAnswer]
    missing: str | None = Field(None, description="What is missing, and how to get it.")


class DigitAnswer(BaseModel):
    """One digit."""

    index: int
    label: int | None = Field(
        description="null where nobody has said what the image shows."
    )
    image: Image
    prediction: int | None = Field(
        None, description="The model's prediction; with `mistakes_of` only."
    )
    name: str | None = Field(None, description="What the predicted class is called.")


class DigitsAnswer(BaseModel):
    """One page of digits."""

    total: int = Field(description="Number of digits on all pages.")
    digits: list[DigitAnswer]
