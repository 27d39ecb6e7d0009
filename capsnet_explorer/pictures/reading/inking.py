"""Extraction of the ink from a picture: removes paper, printed lines and edges."""

from dataclasses import dataclass, replace

import numpy as np

from capsnet_explorer.pictures.reading.breadth import opening, stroke_radius
from capsnet_explorer.pictures.reading.cleaning import (
    Flags,
    Pieces,
    has_digit,
    intruders,
    pieces_of,
)
from capsnet_explorer.pictures.reading.paper import remove_paper
from capsnet_explorer.pictures.reading.rules import remove_rules
from capsnet_explorer.pictures.reading.threshold import Coverage, cover
from capsnet_explorer.pictures.reading.windows import Plane

WEAKEST = 0.2  # of the intruders' contrast: least contrast of a digit
RADII = (2, 3, 4, 6, 8, 12, 16, 24, 32)  # px, candidates for half the stroke width
BROADEST_SHARE = 0.02  # of the ink: most that may be broader
ROOM = 1.5  # times the stroke width, since strokes are broader where they meet
EDGE = 2  # px of their blurred edges


@dataclass(frozen=True, slots=True)
class Inking:
    """The ink of a picture, and what was removed.

    Attributes:
        coverage: the share of each pixel that ink covers.
        pieces: connected pieces of the pixels that certainly belong to strokes.
        even: whether the paper had the same level everywhere.
        rules: number of printed lines removed.
        intruders: number of objects removed at the picture's edge.
    """

    coverage: Coverage
    pieces: Pieces
    even: bool
    rules: int
    intruders: int


def find_ink(light_ink: Plane, *, inverted: bool, start: float | None = None) -> Inking:
    """Separate ink from everything else.

    Uneven paper takes two passes. The first allows for the broadest possible strokes.
    The second uses their measured breadth to follow the paper more closely, around the
    edges of shadows and where the light falls off.

    Args:
        light_ink: (rows, columns) in [0, 1], ink lighter than its paper.
        inverted: whether the scene was dark ink on light paper.
        start: in (0, 1), the level at which strokes begin, as a share of full ink; None
            finds it.
    """
    contrast, even = remove_paper(light_ink, inverted=inverted)
    first, away = ink_on(contrast, even=even, start=start)
    if even or first.coverage.level == 0:
        return first
    radius = window_radius(first.coverage.core)
    if radius >= stroke_radius(light_ink.shape):
        return first
    contrast, _ = remove_paper(light_ink, inverted=inverted, radius=radius)
    if away is not None:
        contrast = np.where(away, 0, contrast)
    second, _ = ink_on(contrast, even=False, start=start)
    return replace(second, intruders=first.intruders + second.intruders)


def window_radius(core: Flags) -> int:
    """Return half the width of windows that contain the broadest strokes, in px.

    Args:
        core: (rows, columns), pixels that certainly belong to strokes.
    """
    ink = core.astype(np.float32)
    most = BROADEST_SHARE * ink.sum()
    radius = next(
        (radius for radius in RADII if opening(ink, radius).sum() <= most), RADII[-1]
    )
    return round(ROOM * radius) + EDGE


def ink_on(
    contrast: Plane, *, even: bool, start: float | None
) -> tuple[Inking, Flags | None]:
    """Separate ink from printed lines and from objects at the edge.

    A dark table beyond the sheet, or a finger, stands out more than ink. So once such
    objects are found, the search for ink is repeated without them.

    Args:
        contrast: (rows, columns) in [0, 1], contrast of pixels with the paper.
        even: whether the paper was even.
        start: in (0, 1), the level at which strokes begin, as a share of full ink; None
            finds it.

    Returns:
        The ink, and a mask (rows, columns) of the objects at the edge, if any.
    """
    contrast, rules = remove_rules(contrast)
    coverage = cover(contrast, even=even, start=start)
    pieces = pieces_of(coverage.core)
    away, count = intruders(pieces)
    if count:
        contrast, fainter = remove_rules(np.where(away, 0, contrast))
        rest = cover(contrast, even=even, start=start)
        others = pieces_of(rest.core)
        if rest.level > WEAKEST * coverage.level and has_digit(others):
            return Inking(rest, others, even, rules + fainter, count), away
    return Inking(coverage, pieces, even, rules, 0), None
