"""The stages that convert an image file to the network's input."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from capsnet_explorer.pictures.decoding.shrinking import shrunk
from capsnet_explorer.pictures.reading import notes
from capsnet_explorer.pictures.reading.cleaning import Flags, digit_mask
from capsnet_explorer.pictures.reading.colour import flatten, one_channel
from capsnet_explorer.pictures.reading.composing import (
    CANVAS,
    HEIGHT,
    REACH,
    Composed,
    as_it_lies,
    each_by_itself,
)
from capsnet_explorer.pictures.reading.decode import decode
from capsnet_explorer.pictures.reading.digits import Digit, digits_in
from capsnet_explorer.pictures.reading.doubts import doubts_about, pages_doubts
from capsnet_explorer.pictures.reading.errors import NoDigitFound, NoSuchPart
from capsnet_explorer.pictures.reading.inking import Inking, find_ink
from capsnet_explorer.pictures.reading.placing import crop, place, scale_to_box, turned
from capsnet_explorer.pictures.reading.polarity import is_ink_dark
from capsnet_explorer.pictures.reading.report import (
    PICTURE_SIDE,
    Found,
    Intake,
    Step,
)
from capsnet_explorer.pictures.reading.settings import (
    NOTHING_DECIDED,
    WHOLE,
    Box,
    Overrides,
    Used,
)
from capsnet_explorer.pictures.reading.strokes import fit_strokes
from capsnet_explorer.pictures.reading.threshold import FAINTEST
from capsnet_explorer.pictures.reading.windows import Plane

SAMPLE_SIDE = 64  # px, long side of the picture in which colours are counted
BLANK = 0.1  # least range of brightness, in 0..1, of what is not blank
ONE_TINT = 0.05  # mean distance in colour from the picture's mean tint: above it, many
SMALLEST_SIDE = 4  # px, short side of a picture
SMALLEST_DIGIT = 5  # px, long side of the ink


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of one digit among those found.

    Attributes:
        digits: all digits of the picture, in reading order.
        index: of the chosen one; of two the larger one.
        parts: indices of all that are chosen, in reading order.
        mask: (rows, columns) of their ink.
        dropped: number of pieces of ink that belong to no digit.
    """

    digits: list[Digit]
    index: int
    parts: tuple[int, ...]
    mask: Flags
    dropped: int


def read_digit(data: bytes, overrides: Overrides = NOTHING_DECIDED) -> Intake:
    """Convert a picture of a handwritten digit to the network's input.

    Args:
        data: a complete image file.
        overrides: settings that a person chose; the rest is found automatically.

    Raises:
        UnknownKind: `data` is not a picture in a supported format.
        Damaged: the picture is damaged.
        TooMuch: the picture exceeds a limit.
        NoDigitFound: the picture is blank, or too small to show a digit.
        NoSuchPart: the picture has no digit with the number `overrides.part`.
        Busy: too many pictures are waiting to be decoded.
    """
    whole, ground = flatten(decode(data))
    picture = whole
    if overrides.crop != WHOLE:
        picture, _ = flatten(decode(data, overrides.crop))
    require_size(picture)
    channel, by_colour = one_channel(picture)
    inverted = is_inverted(channel, overrides)
    light_ink = 1 - channel if inverted else channel
    inking = find_ink(light_ink, inverted=inverted, start=overrides.threshold)
    coverage = inking.coverage
    if inking.coverage.level < FAINTEST:
        raise NoDigitFound(nothing_in(picture))
    choice = chosen(inking, overrides.part, overrides.at_most)
    digit = coverage.ink * choice.mask
    ink = cropped(digit)
    is_composed = overrides.at_most > 1 and overrides.part is None
    if is_composed:
        composition = composed(coverage.ink, choice, overrides)
    else:
        upright = crop(turned(ink, overrides.rotate))
        strokes, before, after = fit_strokes(upright, overrides.thickness)
        plane = place(scale_to_box(crop(strokes)))
        composition = Composed(plane, strokes, before, after, is_moved=False)
    width_before, width = composition.before, composition.width
    strokes = composition.strokes
    image = in_bytes(composition.image)
    used = Used(
        ink="dark" if inverted else "light",
        threshold=coverage.start,
        crop=overrides.crop,
        rotate=overrides.rotate,
        thickness=width,
        thickness_before=width_before,
    )
    captions = (
        notes.picture_note(whole.width, whole.height, ground, overrides.crop),
        notes.ink_note(inverted=inverted, by_colour=by_colour, chosen=overrides.invert),
        notes.paper_note(even=inking.even, rules=inking.rules),
        digits_words(choice, choice.dropped + inking.intruders, overrides),
        notes.strokes_note(width_before, width),
        notes.together_note(
            parts=len(choice.parts),
            is_moved=composition.is_moved,
            reach=REACH,
            height=HEIGHT,
            side=CANVAS,
        )
        if is_composed
        else notes.PLACED_NOTE,
    )
    upright = digit if overrides.rotate == 0 else turned(digit, overrides.rotate)
    steps = (
        Step("picture", "Your picture", captions[0], whole, PICTURE_SIDE),
        Step("ink", "Light on dark", captions[1], light_ink),
        Step("paper", "Paper removed", captions[2], coverage.ink),
        Step("digit", "Digit found", captions[3], upright),
        Step("strokes", "Stroke width", captions[4], strokes),
        Step("placed", "Scaled and centred", captions[5], image),
    )
    return Intake(
        image=image[None],
        steps=steps,
        inverted=inverted,
        found=tuple(
            as_found(digit, coverage.ink, overrides.crop) for digit in choice.digits
        ),
        chosen=choice.index,
        parts=choice.parts,
        used=used,
        doubts=pages_doubts(data)
        + doubts_about(
            image,
            count=len(choice.digits),
            width=width_before,
            level=coverage.level,
            shape=ink.shape,
            digits=2 if is_composed else 1,
        ),
    )


def composed(ink: Plane, choice: Choice, overrides: Overrides) -> Composed:
    """Bring the digits chosen onto the canvas for two."""
    masks = [choice.digits[part].mask for part in choice.parts]
    if len(masks) < 2:
        masks = [choice.mask]
    inks = [turned(ink * mask, overrides.rotate) for mask in masks]
    if len(inks) > 1:
        return each_by_itself(inks, overrides.thickness)
    return as_it_lies(crop(inks[0]), overrides.thickness)


def digits_words(choice: Choice, dropped: int, overrides: Overrides) -> str:
    """Say which digits were kept."""
    count = len(choice.digits)
    if overrides.at_most > 1 and overrides.part is None:
        return notes.digits_note(choice.parts, count, dropped, overrides.rotate)
    return notes.digit_note(choice.index, count, dropped, overrides.rotate)


def require_size(picture: Image.Image) -> None:
    """Refuse a picture that is too small to show a digit."""
    if min(picture.size) < SMALLEST_SIDE:
        raise NoDigitFound(
            f"A picture of at least {SMALLEST_SIDE} by {SMALLEST_SIDE} pixels is "
            f"needed; as it was read, this one has {picture.width} by {picture.height}."
        )


def nothing_in(picture: Image.Image) -> str:
    """Say why a picture without ink shows no digit: blank, or no paper to be seen."""
    small = np.asarray(shrunk(picture.convert("RGB"), SAMPLE_SIDE), np.float32) / 255
    colours = small.reshape(-1, 3)
    if np.quantile(colours, 0.95) - np.quantile(colours, 0.05) < BLANK:
        return notes.nothing_words("it is blank")
    tints = colours - colours.mean(axis=1, keepdims=True)
    if float(np.linalg.norm(tints - tints.mean(axis=0), axis=1).mean()) > ONE_TINT:
        return notes.no_paper_words(
            "it has many colours, and no even paper that ink could stand out from"
        )
    return notes.no_paper_words("it has no even paper that ink could stand out from")


def is_inverted(channel: Plane, overrides: Overrides) -> bool:
    """Return whether to swap light and dark."""
    if overrides.ink == "auto":
        is_dark = is_ink_dark(channel)
    else:
        is_dark = overrides.ink == "dark"
    return is_dark != overrides.invert


def chosen(inking: Inking, part: int | None, count: int = 1) -> Choice:
    """Choose what to read: the `count` largest digits if `part` is None.

    Raises:
        NoDigitFound: there are only specks.
        NoSuchPart: there is no digit with the number `part`.
    """
    mask, dropped = digit_mask(inking.pieces)
    if not mask.any():
        raise NoDigitFound(notes.nothing_words("it contains only specks"))
    digits = digits_in(inking.pieces)
    if part is not None and part >= len(digits):
        raise NoSuchPart(f"part must be 0..{len(digits) - 1} in this picture")
    largest = sorted(range(len(digits)), key=lambda index: -digits[index].share)
    parts = largest[:count] if part is None else [part]
    if len(digits) > 1:
        union = np.logical_or.reduce([digits[part].mask for part in parts])
        return Choice(digits, parts[0], tuple(sorted(parts)), union, 0)
    return Choice(digits, parts[0], tuple(parts), mask, dropped)


def cropped(digit: Plane) -> Plane:
    """Crop to the ink, which must be large enough."""
    ink = crop(digit)
    rows, columns = ink.shape
    if max(rows, columns) < SMALLEST_DIGIT:
        raise NoDigitFound(
            f"Ink of at least {SMALLEST_DIGIT} pixels in height or width is needed; "
            f"the largest piece found has {columns} by {rows}. Take the picture from "
            "closer, or draw a frame around the digit."
        )
    return ink


def as_found(digit: Digit, ink: Plane, crop_box: Box) -> Found:
    """Return a digit of a picture cropped to `crop_box`, relative to the whole one."""
    rows, columns = digit.box.pixels(*ink.shape)
    picture = ink[rows, columns] * digit.mask[rows, columns]
    return Found(digit.box.inside(crop_box), digit.share, picture)


def in_bytes(image: Plane) -> NDArray[np.float32]:
    """Round values in [0, 1] to multiples of 1/255, since links store bytes."""
    return np.rint(image * 255).astype(np.float32) / np.float32(255)
