"""The result of the intake: the digit, and a picture of each step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from capsnet_explorer.pictures.reading.settings import Box, Used
from capsnet_explorer.pictures.reading.windows import Plane

THUMBNAIL_SIDE = 160  # px, long side of a step's picture
PICTURE_SIDE = 240  # px, long side of the first step's picture, which people crop


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the intake, as the page shows it.

    Attributes:
        name: key of the step, such as `paper`.
        title: two or three words.
        note: a sentence or two on what was found in this picture.
        picture: the result of the step: an L or RGB picture, or values in [0, 1],
            (rows, columns) or (rows, columns, 3).
        side: maximum of the long side of `image`, in px.
    """

    name: str
    title: str
    note: str
    picture: Plane | Image.Image
    side: int = THUMBNAIL_SIDE

    @property
    def image(self) -> NDArray[np.uint8]:
        """A thumbnail, made when read: most steps of drawings are never shown."""
        return thumbnail(self.picture, self.side)


@dataclass(frozen=True, slots=True)
class Found:
    """A part of the picture that looks like a digit.

    Attributes:
        box: its position in the upright picture.
        share: its share of the ink of all parts found, in (0, 1].
        ink: (rows, columns) in [0, 1], its own ink.
    """

    box: Box
    share: float
    ink: Plane

    @property
    def image(self) -> NDArray[np.uint8]:
        """A thumbnail of its ink, made when read."""
        return thumbnail(self.ink)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A warning that the image may not show the intended digit.

    Attributes:
        code: one word for programs, such as `several`.
        message: a sentence or two for people: what was found, and what helps.
    """

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Intake:
    """A picture converted to the network's input.

    Attributes:
        image: (1, 28, 28) float32, a channel with ink in [0, 1], each value a multiple
            of 1/255; (1, 36, 36) for two digits; or (3, rows, columns), red, green and
            blue.
        steps: the steps in order.
        inverted: whether dark ink on light paper became light ink on dark.
        found: the parts that look like a digit, in reading order, at least one; none
            where nothing was looked for.
        chosen: index of the part in the image, if there are parts; of two the larger
            one.
        parts: indices of all parts in the image.
        used: the settings, chosen or found.
        doubts: reasons why the image may not show the intended digit.
    """

    image: NDArray[np.float32]
    steps: tuple[Step, ...]
    inverted: bool
    found: tuple[Found, ...]
    chosen: int | None
    parts: tuple[int, ...]
    used: Used
    doubts: tuple[Doubt, ...]


def thumbnail(
    picture: Plane | Image.Image, side: int = THUMBNAIL_SIDE
) -> NDArray[np.uint8]:
    """Return a picture, or values in [0, 1], as uint8 with at most `side` px a side."""
    if not isinstance(picture, Image.Image):
        pixels = np.rint(picture * np.float32(255)).astype(np.uint8)
        picture = Image.fromarray(pixels)
    factor = -(-max(picture.size) // side)
    return np.asarray(picture.reduce(factor) if factor > 1 else picture)
