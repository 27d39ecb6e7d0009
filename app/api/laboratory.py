"""The contents of requests to the laboratory."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, FailFast, Field

from capsnet_explorer.app.api.payloads import (
    ExactImage,
    Index,
    ManyTraces,
    Payload,
    whole,
)
from capsnet_explorer.perturbations.attack import Attack, Loss
from capsnet_explorer.perturbations.changes import Change

MAX_CHANGES = 256
MAX_EPSILONS = 32
MAX_STEPS = 40
MAX_SIDE = 256  # pixels, of a canvas
NO_SHIFT = (0.0, 0.0)

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Pixels = Annotated[Number, Field(ge=-256, le=256)]
Epsilon = Annotated[Number, Field(ge=0, le=1)]
Steps = Annotated[int, Field(strict=True, ge=1, le=MAX_STEPS), BeforeValidator(whole)]
Move = Annotated[
    int, Field(strict=True, ge=-MAX_SIDE, le=MAX_SIDE), BeforeValidator(whole)
]
Side = Annotated[int, Field(strict=True, ge=1, le=MAX_SIDE), BeforeValidator(whole)]
Seed = Annotated[int, Field(strict=True, ge=0, lt=2**32), BeforeValidator(whole)]


class ChangeRequest(Payload):
    """One change of an image; an absent part changes nothing.

    The parts apply in the order of these fields. Then every pixel is kept within
    [0, 1].
    """

    scale: Number = Field(1.0, ge=0.1, le=10, description="Factor about the centre.")
    shear: Number = Field(
        0.0, ge=-80, le=80, description="Degrees; above 0, the top leans to the right."
    )
    rotate: Number = Field(
        0.0, ge=-360, le=360, description="Degrees about the centre, counter-clockwise."
    )
    shift: tuple[Pixels, Pixels] = Field(
        NO_SHIFT, description="Pixels right and down.", examples=[[2, -1.5]]
    )
    stroke: Number = Field(
        0.0,
        ge=-4,
        le=4,
        description="Pixels by which every edge of the ink moves outward; below 0, "
        "inward.",
    )
    blur: Number = Field(
        0.0, ge=0, le=10, description="Standard deviation of a Gaussian, in pixels."
    )
    contrast: Number = Field(1.0, ge=0, le=10, description="Factor on every pixel.")
    ground: Number = Field(0.0, ge=-1, le=1, description="Added to every pixel.")
    noise: Number = Field(
        0.0,
        ge=0,
        le=1,
        description="Each pixel moves by a random amount, uniform between minus and "
        "plus this.",
    )
    seed: Seed = Field(
        0, description="Of the noise: one seed gives one pattern, scaled by `noise`."
    )

    def change(self) -> Change:
        """Return the change in the form that the laboratory takes."""
        return Change(**self.model_dump())


class TransformRequest(Payload):
    """An image, and the changes to apply to it, each on its own."""

    image: ExactImage
    changes: Annotated[list[ChangeRequest], FailFast()] = Field(
        min_length=1,
        max_length=MAX_CHANGES,
        examples=[[{}, {"rotate": 30}, {"shift": [2, 0], "noise": 0.1}]],
    )


class SweepRequest(ManyTraces, TransformRequest):
    """An image, the changes to read it with, and the tensors to return for each."""


class OverlayRequest(Payload):
    """Two grey images, and where on a canvas each stands."""

    images: tuple[ExactImage, ExactImage] = Field(
        description="Grey, and no larger than the canvas."
    )
    shifts: tuple[tuple[Move, Move], tuple[Move, Move]] = Field(
        description="Of each image: whole pixels right and down from the middle. What "
        "leaves the canvas is lost.",
        examples=[[[-4, 0], [3, 2]]],
    )
    canvas: tuple[Side, Side] = Field(
        description="Rows and columns.", examples=[[36, 36]]
    )


class AttackRequest(Payload):
    """An image, and how to change it so that a model misreads it."""

    image: ExactImage
    label: Index = Field(description="The class that the image shows.")
    method: Literal["noise", "fgsm", "bim", "pgd"]
    epsilons: Annotated[list[Epsilon], FailFast()] = Field(
        min_length=1,
        max_length=MAX_EPSILONS,
        description="By how much a pixel may change at most; one image for each.",
        examples=[[0, 0.1, 0.2]],
    )
    steps: Steps = Field(
        10, description="Steps of `bim`, and from each start of `pgd`."
    )
    target: Index | None = Field(
        None,
        description="The class that the image is to be taken for; null: any but "
        "`label`.",
    )
    gradient: Literal["full", "last"] = Field(
        "full",
        description="last: through the last iteration of routing alone, its couplings "
        "held constant.",
    )
    loss: Loss = Field(
        "gap",
        description="gap: the largest other class's evidence less the class's: logits, "
        "or norms of capsules before squash. scores: the same of the scores. entropy: "
        "the cross entropy of a softmax over the evidence. trained: the loss of "
        "training, without reconstruction.",
    )
    seed: Seed = Field(0, description="Of `noise` and of random starts.")
    path: bool = Field(
        False,
        strict=True,
        description="Whether to answer with every step of `bim` or `pgd`, for one ε.",
    )

    def attack(self) -> Attack:
        """Return the method in the form that the laboratory takes."""
        return Attack(self.method, self.steps, self.seed)
