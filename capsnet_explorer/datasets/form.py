"""What is made of pictures of any size and colour, so that a network can read them."""

import re
from dataclasses import dataclass
from typing import Literal

SMALLEST_SIDE, LARGEST_SIDE = 8, 256  # px
USUAL_SIDE = 32  # px
GREY, COLOUR = 1, 3  # channels

Folders = Literal["parts", "classes"]
"""What the outermost folders of pictures are, where their names could mean both."""
_SIZE = re.compile(r"(\d{1,4})[x×](\d{1,4})", re.IGNORECASE)


def require_sides(rows: int, columns: int) -> None:
    """Refuse images that are smaller than networks are made for.

    Raises:
        ValueError: says what is needed and what came.
    """
    if min(rows, columns) < SMALLEST_SIDE:
        raise ValueError(
            f"images must have {SMALLEST_SIDE} rows and columns or more, got "
            f"{rows}x{columns}"
        )


@dataclass(frozen=True, slots=True)
class Form:
    """The form that pictures are brought into.

    Attributes:
        rows: of an image, px.
        columns: of an image, px.
        channels: 1 for grey, 3 for colour.
        is_inverted: whether light and dark change places, as for ink on paper: networks
            of drawings read light ink on a dark ground.

    Raises:
        ValueError: a side or the number of channels is none that pictures can have.
    """

    rows: int = USUAL_SIDE
    columns: int = USUAL_SIDE
    channels: int = COLOUR
    is_inverted: bool = False

    def __post_init__(self) -> None:
        for side in (self.rows, self.columns):
            if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
                raise ValueError(
                    f"images must have {SMALLEST_SIDE} to {LARGEST_SIDE} rows and "
                    f"columns, got {self.rows}x{self.columns}"
                )
        if self.channels not in (GREY, COLOUR):
            raise ValueError(
                f"images must have {GREY} or {COLOUR} channels, got {self.channels}"
            )

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, rows, columns."""
        return self.channels, self.rows, self.columns


def size_from(text: str) -> tuple[int, int]:
    """Read a size such as 28x28: rows and columns.

    Raises:
        ValueError: says what a size looks like.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"a size must be ROWSxCOLUMNS, such as 28x28, got {text!r}")
    rows, columns = int(match[1]), int(match[2])
    Form(rows, columns)  # checks them
    return rows, columns
