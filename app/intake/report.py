"""What intake answers: the digit, and each step on the way there for showing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.intake.settings import Box, Used
from app.intake.windows import Plane

THUMBNAIL_SIDE = 160  # px, longest side of a step's picture
PICTURE_SIDE = 240  # px, longest side of the first step's, in which people point


@dataclass(frozen=True, slots=True)
class Step:
    """One step of intake, as the page shows it.

    Attributes:
        name: key of the step, such as `paper`.
        title: two or three words.
        note: one sentence that says what was found in this picture.
        picture: what there was after it: an L or RGB picture, or values in [0, 1],
            (rows, columns) or (rows, columns, 3).
        side: px that the long side of `image` has at most.
    """

    name: str
    title: str
    note: str
    picture: Plane | Image.Image
    side: int = THUMBNAIL_SIDE

    @property
    def image(self) -> NDArray[np.uint8]:
        """The picture as a small one; made when asked for, as few drawings' are."""
        return thumbnail(self.picture, self.side)


@dataclass(frozen=True, slots=True)
class Found:
    """Something in the picture that looks like a digit.

    Attributes:
        box: where it is in the upright picture.
        share: of the ink of all that was found, in (0, 1].
        ink: (rows, columns) in [0, 1], its own.
    """

    box: Box
    share: float
    ink: Plane

    @property
    def image(self) -> NDArray[np.uint8]:
        """Its ink as a small picture, made when asked for."""
        return thumbnail(self.ink)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the image may not be what was meant.

    Attributes:
        code: one word for programs, such as `several`.
        message: a sentence or two for people: what was seen, and what helps.
    """

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Intake:
    """A picture brought into the network's form.

    Attributes:
        image: (28, 28) float32, ink in [0, 1], each value a multiple of 1/255.
        steps: what was done, in order.
        inverted: dark ink on light paper was turned into light ink on dark.
        found: what looks like a digit, in reading order, at least one.
        chosen: which of them became the image.
        used: the values it was made with.
        doubts: why it may not be what was meant.
    """

    image: NDArray[np.float32]
    steps: tuple[Step, ...]
    inverted: bool
    found: tuple[Found, ...]
    chosen: int
    used: Used
    doubts: tuple[Doubt, ...]


def thumbnail(
    picture: Plane | Image.Image, side: int = THUMBNAIL_SIDE
) -> NDArray[np.uint8]:
    """Return a picture, or values in [0, 1], in uint8 and at most `side` px long."""
    if not isinstance(picture, Image.Image):
        pixels = np.rint(picture * np.float32(255)).astype(np.uint8)
        picture = Image.fromarray(pixels)
    factor = -(-max(picture.size) // side)
    return np.asarray(picture.reduce(factor) if factor > 1 else picture)
