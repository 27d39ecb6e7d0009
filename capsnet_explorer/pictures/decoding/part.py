"""A part of an upright picture, and its position in the file."""

from PIL.Image import Transpose

# Left, top, right and bottom, as shares of the upright picture's width and height.
Part = tuple[float, float, float, float]
WHOLE: Part = (0.0, 0.0, 1.0, 1.0)


def as_stored(part: Part, turn: Transpose | None) -> Part:
    """Convert a part of the upright picture to a part of the stored picture.

    Args:
        part: of the upright picture.
        turn: the operation that makes the stored picture upright.
    """
    left, top, right, bottom = part
    match turn:
        case Transpose.FLIP_LEFT_RIGHT:
            return 1 - right, top, 1 - left, bottom
        case Transpose.ROTATE_180:
            return 1 - right, 1 - bottom, 1 - left, 1 - top
        case Transpose.FLIP_TOP_BOTTOM:
            return left, 1 - bottom, right, 1 - top
        case Transpose.TRANSPOSE:
            return top, left, bottom, right
        case Transpose.ROTATE_270:
            return top, 1 - right, bottom, 1 - left
        case Transpose.TRANSVERSE:
            return 1 - bottom, 1 - right, 1 - top, 1 - left
        case Transpose.ROTATE_90:
            return 1 - bottom, left, 1 - top, right
        case _:
            return part


def pixels(part: Part, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Convert a part to px of a picture of this width and height, at least one px."""
    left, right = _within(part[0], part[2], size[0])
    top, bottom = _within(part[1], part[3], size[1])
    return left, top, right, bottom


def _within(start: float, stop: float, size: int) -> tuple[int, int]:
    first = min(max(round(start * size), 0), size - 1)
    return first, min(max(round(stop * size), first + 1), size)
