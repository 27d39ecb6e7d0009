"""Separation of several digits in one picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.pictures.reading.cleaning import (
    FLATTEST,
    SPECK_SHARE,
    Flags,
    Pieces,
    is_dust,
    junk_and_main,
    mask_of,
    strays,
    stroke_width,
)
from capsnet_explorer.pictures.reading.components import Components
from capsnet_explorer.pictures.reading.settings import Box
from capsnet_explorer.pictures.reading.windows import window_max

LOWEST = 0.45  # of the main part's height: least height of a digit
LEAST_SHARE = 0.12  # of the main part's ink: least ink of a digit
SHARED = 0.25  # of the narrower part's width: least overlap of stacked parts
BETWEEN = 0.15  # of both parts' height: greatest gap between stacked parts
APART = 0.1  # of the main part's height: greatest gap within a broken digit
STROKES = 1.35  # stroke widths: the same, where that is more
NEAR = 0.3  # of a digit's size: greatest distance of its smaller pieces
MOST = 12  # digits offered

NOBODY = -1  # owner of a part that belongs to no digit

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Digit:
    """A group of parts of the ink that looks like one digit.

    Attributes:
        box: its position in the picture, which may be a crop.
        share: its share of the ink of all digits found, in (0, 1].
        mask: (rows, columns) of its ink, including antialiased edges.
    """

    box: Box
    share: float
    mask: Flags


def digits_in(pieces: Pieces) -> list[Digit]:
    """Find the digits of a picture, in reading order; a broken one counts once.

    Tall parts are separate digits unless hardly any paper is between them, as in a
    broken 0. Small or flat parts, such as the bar of a 5, belong to the nearest digit.
    Frames, lines and ink that touches the edge are ignored.
    """
    parts = pieces.parts
    if len(parts.area) == 0 or is_dust(parts):
        return []
    owners = owners_of(parts)
    groups = [owners == owner for owner in np.unique(owners[owners != NOBODY])]
    groups = sorted(groups, key=lambda group: -parts.area[group].sum())[:MOST]
    ink = sum(int(parts.area[group].sum()) for group in groups)
    return [
        Digit(
            box=box_of(pieces, group),
            share=int(parts.area[group].sum()) / ink,
            mask=mask_of(pieces, group),
        )
        for group in in_reading_order(parts, groups)
    ]


def owners_of(parts: Components) -> Numbers:
    """Return for each part (count,) the first part of its digit, or `NOBODY`."""
    junk, main = junk_and_main(parts, parts.labels.shape)
    height = parts.height
    is_digit = (
        ~junk
        & (height >= LOWEST * height[main])
        & (height >= FLATTEST * parts.width)
        & (parts.area >= LEAST_SHARE * parts.area[main])
    )
    is_digit[main] = True
    owners = np.full(len(parts.area), NOBODY, dtype=np.int64)
    digits = np.flatnonzero(is_digit)
    # Strokes of one digit may stay a stroke's width apart, as in an open 4.
    stroke = np.ceil(STROKES * stroke_width(parts, main))
    reach = max(round(APART * height[main]), int(stroke))
    owners[digits] = joined(parts, digits, reach)
    large = parts.area >= SPECK_SHARE * parts.area[main]
    pieces = ~junk & ~is_digit & large & ~strays(parts, main)
    for piece in np.flatnonzero(pieces).tolist():
        gaps = parts.gaps(piece)[digits]
        nearest = digits[int(np.argmin(gaps))]
        if gaps.min() <= NEAR * parts.size[nearest]:
            owners[piece] = owners[nearest]
    return owners


def joined(parts: Components, digits: Numbers, reach: int) -> Numbers:
    """Return for each of `digits` the first member of its group.

    Parts within `reach` px of each other form a group, also through a chain of other
    parts. Parts one below the other do too, even if further apart, because people write
    digits side by side.
    """
    owners = digits.copy()
    for index, part in enumerate(digits):
        close = parts.gaps(part)[digits[:index]] <= reach
        below = is_stacked(parts, part, digits[:index])
        for other in np.flatnonzero(close | below):
            if owners[other] != owners[index] and (
                below[other] or touch(parts, part, digits[other], reach)
            ):
                first, second = sorted((owners[other], owners[index]))
                owners[owners == second] = first
    return owners


def is_stacked(parts: Components, part: int, others: Numbers) -> Flags:
    """Return which of `others` are above or below a part, and near it."""
    gaps = np.maximum(
        parts.top[others] - parts.bottom[part], parts.top[part] - parts.bottom[others]
    )
    height = np.maximum(parts.bottom[others], parts.bottom[part]) - np.minimum(
        parts.top[others], parts.top[part]
    )
    shared = np.minimum(parts.right[others], parts.right[part]) - np.maximum(
        parts.left[others], parts.left[part]
    )
    narrower = np.minimum(parts.width[others], parts.width[part])
    return (shared >= SHARED * narrower) & (gaps <= BETWEEN * height)


def touch(parts: Components, part: int, other: int, reach: int) -> bool:
    """Return whether two parts come within `reach` px of each other."""
    pair = np.array([part, other])
    rows = slice(parts.top[pair].min(), parts.bottom[pair].max())
    columns = slice(parts.left[pair].min(), parts.right[pair].max())
    labels = parts.labels[rows, columns]
    near = window_max((labels == part + 1).astype(np.float32), reach) > 0
    return bool(np.any(near & (labels == other + 1)))


def in_reading_order(parts: Components, groups: list[Flags]) -> list[Flags]:
    """Sort groups of parts (count,) by lines, and each line from left to right.

    A group begins a new line if its middle is below the end of the line's first group.
    """

    def middle(group: Flags) -> float:
        return float(parts.top[group].min() + parts.bottom[group].max()) / 2

    lines: list[list[Flags]] = []
    for group in sorted(groups, key=middle):
        if lines and middle(group) <= parts.bottom[lines[-1][0]].max():
            lines[-1].append(group)
        else:
            lines.append([group])
    return [
        group
        for line in lines
        for group in sorted(line, key=lambda group: parts.left[group].min())
    ]


def box_of(pieces: Pieces, group: Flags) -> Box:
    """Return the bounding box of a group."""
    parts = pieces.parts
    rows, columns = (size / pieces.factor for size in pieces.shape)
    return Box(
        left=float(parts.left[group].min() / columns),
        top=float(parts.top[group].min() / rows),
        right=min(float(parts.right[group].max() / columns), 1.0),
        bottom=min(float(parts.bottom[group].max() / rows), 1.0),
    )
