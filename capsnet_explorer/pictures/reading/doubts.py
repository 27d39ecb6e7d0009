"""Warnings that the image may not show the intended digit."""

import numpy as np

from capsnet_explorer.pictures.decoding.frames import has_further_pages
from capsnet_explorer.pictures.reading.components import label
from capsnet_explorer.pictures.reading.placing import BOX_SIDE
from capsnet_explorer.pictures.reading.report import Doubt
from capsnet_explorer.pictures.reading.windows import Plane

DENSEST = 0.6  # mean ink in 20 by 20 px; one in 2000 MNIST digits has more
MOST_LOOPS = 3  # no MNIST digit has more
WIDEST = 7.0  # px of the final image; wider strokes are blots or filled shapes
FAINT = 0.12  # contrast, in 0..1, below which ink is faint
SMALLEST = 12  # px, long side of the digit in the picture after decoding
WIDE = 1.35  # of the height: wider ink may be several digits
INK = 0.4  # least value of an ink pixel of the final image when counting loops


def doubts_about(
    image: Plane,
    *,
    count: int,
    width: float,
    level: float,
    shape: tuple[int, ...],
    digits: int = 1,
) -> tuple[Doubt, ...]:
    """Return the reasons why the image may not show the intended digit, if any.

    Args:
        image: (28, 28) in [0, 1], the network's input.
        count: number of digits in the picture.
        width: of strokes before any adjustment, in px of the final image.
        level: contrast between ink and paper, in [0, 1].
        shape: of the digit in the picture, (rows, columns) in px.
        digits: how many the image may show. Two that lie over each other can have any
            number of loops.
    """
    doubts = {
        "several": several_words(count, digits) if count > digits else None,
        "unlike": unlike_words(image, width, digits),
        "faint": FAINT_WORDS if level < FAINT else None,
        "small": small_words(max(shape)) if max(shape) < SMALLEST else None,
        "touching": TOUCHING if digits == 1 and shape[1] > WIDE * shape[0] else None,
    }
    return tuple(Doubt(code, words) for code, words in doubts.items() if words)


def pages_doubts(data: bytes) -> tuple[Doubt, ...]:
    """Return a doubt about a file that holds more pictures than are read."""
    return (Doubt("pages", PAGES_WORDS),) if has_further_pages(data) else ()


PAGES_WORDS = (
    "This file has several pages, frames or sizes, and the first alone is read, of an "
    "icon the largest. Save another as a file of its own to read that."
)


def unlike_words(image: Plane, width: float, digits: int = 1) -> str | None:
    """Return a warning if the ink has a shape that no digit has."""
    if width > WIDEST:
        reason = f"its strokes would be {width:.0f} of {BOX_SIDE} pixels wide"
    elif digits > 1:
        return None
    elif float(image.sum()) > DENSEST * BOX_SIDE**2:
        reason = "ink fills nearly all of its bounding box"
    elif (count := loops(image)) > MOST_LOOPS:
        reason = f"it has {count} closed loops"
    else:
        return None
    return (
        f"This does not look like a digit: {reason}. The network names a digit anyway, "
        "because it knows nothing else."
    )


def loops(image: Plane) -> int:
    """Count the areas that the ink encloses, ignoring single pixels."""
    ground = label(np.pad(image, 1) < INK)
    return int((ground.area > 1).sum()) - 1


def several_words(count: int, digits: int = 1) -> str:
    """Return a warning that other digits can be chosen."""
    start = f"This picture contains {count} shapes that look like digits."
    if digits > 1:
        return f"{start} The two largest are read unless you choose one."
    return f"{start} The largest is read unless you choose another."


def small_words(height: int) -> str:
    """Return a warning that more pixels would help."""
    return (
        f"The digit is only {height} pixels high or wide in this picture. Take the "
        "picture from closer, or crop it to the digit."
    )


FAINT_WORDS = (
    "The ink hardly stands out from the paper. More light or a darker pen helps."
)
TOUCHING = (
    "The ink is much wider than high. Digits that touch are read as one: crop the "
    "picture to one of them."
)
