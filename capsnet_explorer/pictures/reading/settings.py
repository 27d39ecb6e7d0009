"""The intake's settings: those that people may choose, and those used."""

from dataclasses import dataclass
from typing import Literal

from capsnet_explorer.pictures.decoding.part import Part, pixels

MAX_UPLOAD = 20 << 20  # bytes of a picture file; a phone's photograph has 3 to 12 MB

Ink = Literal["auto", "dark", "light"]


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the upright picture: sides in [0, 1], from its left or its top."""

    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0

    @property
    def sides(self) -> Part:
        """Left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom

    def pixels(self, rows: int, columns: int) -> tuple[slice, slice]:
        """Return the rows and columns that the box covers, at least one of each."""
        left, top, right, bottom = pixels(self.sides, (columns, rows))
        return slice(top, bottom), slice(left, right)

    def inside(self, outer: "Box") -> "Box":
        """Convert this box, relative to a crop `outer`, to one of the whole picture."""
        width, height = outer.right - outer.left, outer.bottom - outer.top
        return Box(
            outer.left + self.left * width,
            outer.top + self.top * height,
            outer.left + self.right * width,
            outer.top + self.bottom * height,
        )


WHOLE = Box()


@dataclass(frozen=True, slots=True)
class Overrides:
    """A person's choices for a picture; the intake decides what is None.

    Attributes:
        ink: whether the ink is darker or lighter than its background; `auto` finds it.
        invert: take the opposite of `ink`, or of the kind found.
        threshold: level at which strokes begin, in (0, 1), as a share of full ink.
        crop: the part of the upright picture to use.
        rotate: clockwise rotation of the digit, in degrees.
        thickness: of strokes, in px of the final image.
        part: index of the digit to read among those found.
        at_most: how many digits the image is to show, 1 or 2; with 2, and unless `part`
            chooses one, it is a canvas of 36 by 36 pixels.
    """

    ink: Ink = "auto"
    invert: bool = False
    threshold: float | None = None
    crop: Box = WHOLE
    rotate: float = 0.0
    thickness: float | None = None
    part: int | None = None
    at_most: int = 1


NOTHING_DECIDED = Overrides()


@dataclass(frozen=True, slots=True)
class Used:
    """The settings that produced an image, chosen or found.

    Attributes:
        crop: the part of the upright picture used.
        rotate: clockwise rotation, in degrees.
        ink: the kind of ink assumed; None for a colour picture, as all that follows.
        threshold: level at which strokes began, in (0, 1), as a share of full ink.
        thickness: of strokes, in px of the final image.
        thickness_before: the same before any adjustment.
    """

    crop: Box
    rotate: float
    ink: Literal["dark", "light"] | None = None
    threshold: float | None = None
    thickness: float | None = None
    thickness_before: float | None = None
