"""What people may decide in place of the intake, and what was used in the end."""

from dataclasses import dataclass
from typing import Literal

from picture_files.part import Part, pixels

Ink = Literal["auto", "dark", "light"]


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the upright picture: each side in [0, 1], from its left or its top."""

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
        """Return this box of a picture cropped to `outer`, as one of the whole."""
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
    """What somebody decided about a picture; what is None, the intake decides.

    Attributes:
        ink: whether ink is darker or lighter than its ground, if it is known.
        invert: take the other kind of ink than told by `ink`, or found.
        threshold: where strokes begin, in (0, 1) of the full ink's level.
        crop: the part of the upright picture to look at.
        rotate: degrees by which to turn the digit clockwise.
        thickness: of strokes, in px of the final image.
        part: which of the digits found to take.
    """

    ink: Ink = "auto"
    invert: bool = False
    threshold: float | None = None
    crop: Box = WHOLE
    rotate: float = 0.0
    thickness: float | None = None
    part: int | None = None


NOTHING_DECIDED = Overrides()


@dataclass(frozen=True, slots=True)
class Used:
    """The values that an image was made with, told or found.

    Attributes:
        ink: what was taken for ink.
        threshold: where strokes began, in (0, 1) of the full ink's level.
        crop: the part of the upright picture that was looked at.
        rotate: degrees by which the digit was turned clockwise.
        thickness: of strokes, in px of the final image.
        thickness_before: the same, had they been left as they are.
    """

    ink: Literal["dark", "light"]
    threshold: float
    crop: Box
    rotate: float
    thickness: float
    thickness_before: float
