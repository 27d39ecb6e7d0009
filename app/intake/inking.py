"""From a picture whose ink is light to the ink alone: no paper, lines or edges."""

from dataclasses import dataclass, replace

import numpy as np

from app.intake.breadth import opening, stroke_radius
from app.intake.cleaning import Flags, Pieces, has_digit, intruders, pieces_of
from app.intake.paper import remove_paper
from app.intake.rules import remove_rules
from app.intake.threshold import Coverage, cover
from app.intake.windows import Plane

WEAKEST = 0.2  # of what comes in from the edge: a digit stands out at least as far
RADII = (2, 3, 4, 6, 8, 12, 16, 24, 32)  # px, half of how broad strokes may be
BROADEST_SHARE = 0.02  # of the ink: so much of it may be broader
ROOM = 1.5  # times the strokes' width: they are broader where they meet
EDGE = 2  # px of their blurred edges


@dataclass(frozen=True, slots=True)
class Inking:
    """The ink of a picture, and what was taken away.

    Attributes:
        coverage: how much ink covers each pixel.
        pieces: of what is surely stroke.
        even: whether the paper was the same everywhere.
        rules: how many printed lines there were.
        intruders: how many things came in from the picture's edge.
    """

    coverage: Coverage
    pieces: Pieces
    even: bool
    rules: int
    intruders: int


def find_ink(light_ink: Plane, *, inverted: bool, start: float | None = None) -> Inking:
    """Tell ink from all else.

    On uneven paper this is done twice. First strokes may be as broad as any. Once it
    is known how broad they are, the paper is followed more closely: around the edges
    of shadows, and where the light falls off.

    Args:
        light_ink: (rows, columns) in [0, 1], ink lighter than its paper.
        inverted: whether the scene was dark ink on light paper.
        start: in (0, 1), where strokes begin, in parts of full ink, if it is told.
    """
    contrast, even = remove_paper(light_ink, inverted=inverted)
    first, away = ink_on(contrast, even=even, start=start)
    if even or first.coverage.level == 0:
        return first
    radius = room_for(first.coverage.core)
    if radius >= stroke_radius(light_ink.shape):
        return first
    contrast, _ = remove_paper(light_ink, inverted=inverted, radius=radius)
    if away is not None:
        contrast = np.where(away, 0, contrast)
    second, _ = ink_on(contrast, even=False, start=start)
    return replace(second, intruders=first.intruders + second.intruders)


def room_for(core: Flags) -> int:
    """Return half the width of windows with room for the broadest strokes, in px.

    Args:
        core: (rows, columns), what is surely stroke.
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
    """Tell ink from printed lines and from what comes in from the edge.

    A dark table beyond the sheet, or a finger, stands out more than ink does. Once
    it is known what comes in from the edge, ink is looked for again without it.

    Args:
        contrast: (rows, columns) in [0, 1], how far pixels stand out of the paper.
        even: whether the paper was even.
        start: in (0, 1), where strokes begin, in parts of full ink, if it is told.

    Returns:
        The ink, and what came in from the edge (rows, columns), if anything.
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
