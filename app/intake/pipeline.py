"""From an image file to the network's form, one stage after the other."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from app.intake import notes
from app.intake.cleaning import digit_mask
from app.intake.colour import flatten, one_channel
from app.intake.decode import decode
from app.intake.errors import NoDigitFound
from app.intake.paper import remove_paper
from app.intake.placing import crop, place, scale_to_box
from app.intake.polarity import is_ink_dark
from app.intake.report import Intake, Step, thumbnail, thumbnail_of
from app.intake.strokes import fit_strokes
from app.intake.threshold import FAINTEST, cover
from app.intake.windows import Plane

Ink = Literal["auto", "dark", "light"]

SMALLEST_SIDE = 4  # px, short side of a picture
SMALLEST_DIGIT = 5  # px, long side of the ink


def read_digit(data: bytes, *, ink: Ink = "auto") -> Intake:
    """Turn a picture of a handwritten digit into the network's form.

    Args:
        data: a whole image file.
        ink: whether the ink is darker or lighter than the paper, if it is known.

    Raises:
        UnreadableImage: `data` is no picture of a format that is read, or damaged.
        ImageTooLarge: it has more pixels than are decoded.
        NoDigitFound: it is blank, or too small to hold a digit.
    """
    picture, ground = flatten(decode(data))
    require_size(picture)
    channel, by_colour = one_channel(picture)
    inverted = ink == "dark" or (ink == "auto" and is_ink_dark(channel))
    light_ink = 1 - channel if inverted else channel
    contrast, even = remove_paper(light_ink, inverted=inverted)
    coverage = cover(contrast, even=even)
    if coverage.level < FAINTEST:
        raise NoDigitFound("A picture with a digit is needed; this one is blank.")
    mask, dropped = digit_mask(coverage.core)
    if not mask.any():
        raise NoDigitFound(
            "A picture with a digit is needed; this one has specks only."
        )
    digit = coverage.ink * mask
    strokes, width_before, width_after = fit_strokes(cropped(digit))
    image = in_bytes(place(scale_to_box(crop(strokes))))
    found = (
        notes.picture_note(picture.width, picture.height, ground),
        notes.ink_note(inverted=inverted, by_colour=by_colour, told=ink != "auto"),
        notes.paper_note(even=even),
        notes.digit_note(dropped),
        notes.strokes_note(width_before, width_after),
    )
    steps = (
        Step("picture", "Your picture", found[0], thumbnail_of(picture)),
        Step("ink", "Light on dark", found[1], thumbnail(light_ink)),
        Step("paper", "Paper removed", found[2], thumbnail(coverage.ink)),
        Step("digit", "Digit found", found[3], thumbnail(digit)),
        Step("strokes", "Stroke width", found[4], thumbnail(strokes)),
        Step("placed", "Scaled, centred", notes.PLACED_NOTE, thumbnail(image)),
    )
    return Intake(image=image, steps=steps, inverted=inverted)


def require_size(picture: Image.Image) -> None:
    """Refuse a picture that is too small to show a digit."""
    width, height = picture.size
    if min(width, height) < SMALLEST_SIDE:
        raise NoDigitFound(
            f"A picture of at least {SMALLEST_SIDE} by {SMALLEST_SIDE} pixels is "
            f"needed; once its long side fits, this one has {width} by {height}."
        )


def cropped(digit: Plane) -> Plane:
    """Crop to the ink, of which there must be enough."""
    ink = crop(digit)
    rows, columns = ink.shape
    if max(rows, columns) < SMALLEST_DIGIT:
        raise NoDigitFound(
            f"Ink of at least {SMALLEST_DIGIT} pixels in height or width is needed; "
            f"the largest piece found has {columns} by {rows}."
        )
    return ink


def in_bytes(image: Plane) -> NDArray[np.float32]:
    """Round values in [0, 1] to multiples of 1/255: links keep images as bytes."""
    return np.rint(image * 255).astype(np.float32) / np.float32(255)
