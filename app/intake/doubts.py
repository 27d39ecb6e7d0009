"""When the image that was found may not be the digit that was meant."""

import numpy as np

from app.intake.components import label
from app.intake.placing import BOX_SIDE
from app.intake.report import Doubt
from app.intake.windows import Plane

DENSEST = 0.6  # ink in parts of 20 by 20 px; one of 2000 MNIST digits has more
MOST_LOOPS = 3  # no MNIST digit has more
WIDEST = 7.0  # px of the final image; strokes that wide are blots or filled shapes
FAINT = 0.12  # of the way from black to white: ink that stands out less
SMALLEST = 12  # px, long side of the digit in the picture as it was looked at
INK = 0.4  # from here on a pixel of the final image is ink, where loops are counted


def doubts_about(
    image: Plane, *, found: int, width: float, level: float, height: int
) -> tuple[Doubt, ...]:
    """Say why the image may not be what was meant; often nothing.

    Args:
        image: (28, 28) in [0, 1], what the network will see.
        found: how many digits the picture holds.
        width: of strokes before they were changed, in px of the final image.
        level: in [0, 1], how far the ink stands out of its paper.
        height: px, long side of the digit in the picture.
    """
    doubts = {
        "several": several_words(found) if found > 1 else None,
        "unlike": unlike_words(image, width),
        "faint": FAINT_WORDS if level < FAINT else None,
        "small": small_words(height) if height < SMALLEST else None,
    }
    return tuple(Doubt(code, words) for code, words in doubts.items() if words)


def unlike_words(image: Plane, width: float) -> str | None:
    """Say what of the ink's shape no digit has, if anything."""
    if width > WIDEST:
        seen = f"its strokes would be {width:.0f} of {BOX_SIDE} pixels wide"
    elif float(image.sum()) > DENSEST * BOX_SIDE**2:
        seen = "ink fills nearly all of its frame"
    elif (count := loops(image)) > MOST_LOOPS:
        seen = f"it has {count} closed loops"
    else:
        return None
    return (
        f"This does not look like a digit: {seen}. The network names one all the same; "
        "it knows nothing else."
    )


def loops(image: Plane) -> int:
    """Return how many pieces of ground the ink encloses, single pixels not counted."""
    ground = label(np.pad(image, 1) < INK)
    return int((ground.area > 1).sum()) - 1


def several_words(found: int) -> str:
    """Say that there are others to choose."""
    return (
        f"There are {found} things in this picture that look like digits. One is read "
        "at a time: the largest, unless another is chosen."
    )


def small_words(height: int) -> str:
    """Say that more pixels would help."""
    return (
        f"The digit is only {height} pixels high or wide here. A picture taken closer, "
        "or cropped to it, tells the network more."
    )


FAINT_WORDS = (
    "The ink hardly stands out of its paper. More light or a darker pen helps."
)
