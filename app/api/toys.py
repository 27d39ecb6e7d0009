"""The contents of requests for toys."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from capsnet_explorer.app.api.laboratory import Number
from capsnet_explorer.app.api.payloads import Payload, whole
from capsnet_explorer.datasets.toys import CATEGORIES, LIGHTS, Light

MOST_SEEDS = 2**32 // len(CATEGORIES)
MOST_SIZE = 256  # rows and columns of a picture
LEAST_LIGHT = 15  # degrees; a lower lamp's shadow leaves every picture

Category = Literal["animal", "human", "plane", "truck", "car"]
Ground = Literal["sky", "grass", "road", "white", "dark", "clutter"]
Tint = Literal["white", "red", "yellow", "blue"]
Seed = Annotated[int, Field(strict=True, ge=0, lt=MOST_SEEDS), BeforeValidator(whole)]
Side = Annotated[int, Field(strict=True, ge=1, le=MOST_SIZE), BeforeValidator(whole)]
Lamp = Annotated[int, Field(strict=True, ge=0, lt=len(LIGHTS)), BeforeValidator(whole)]


class ToyRequest(Payload):
    """A toy: what follows from a seed, and numbers of your own in its place."""

    category: Category
    seed: Seed = Field(0, description="The number that draws every parameter.")
    parameters: dict[str, Number] = Field(
        {}, description="Values in place of the drawn ones, by the parameter's name."
    )


class LightRequest(Payload):
    """A lamp, which moves with the camera."""

    azimuth: Number = Field(
        ge=-360, le=360, description="Degrees to the right of the camera."
    )
    elevation: Number = Field(
        ge=LEAST_LIGHT, le=90, description="Degrees above the ground."
    )


class RenderRequest(Payload):
    """A toy, and from where it is seen."""

    toy: ToyRequest
    azimuth: Number = Field(
        ge=-3600,
        le=3600,
        description="Degrees by which it is turned; 0 shows its right side.",
    )
    elevation: Number = Field(
        ge=0, le=90, description="Degrees of the camera above the ground."
    )
    light: Lamp | LightRequest = Field(
        1, description="The number of one of the collection's lights, or a lamp."
    )
    size: Side = Field(32, description="Rows and columns.")
    ground: Ground | None = Field(
        None, description="What it stands on, or flies before, for a picture in colour."
    )
    tint: Tint | None = Field(
        None, description="The toy's colour, for a picture in colour."
    )

    def colours(self) -> tuple[Tint, Ground] | None:
        """Return tint and ground, each the first where only the other was asked for.

        None where neither was: the picture is ink.
        """
        if self.ground is None and self.tint is None:
            return None
        return self.tint or "white", self.ground or "sky"

    def lamp(self) -> Light:
        """Return the lamp, whichever way it was asked for."""
        if isinstance(self.light, int):
            return LIGHTS[self.light]
        return Light(self.light.azimuth, self.light.elevation)
