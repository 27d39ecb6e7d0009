"""From a picture whose ink is light to the ink alone: no paper, lines or edges."""

from dataclasses import dataclass

import numpy as np

from app.intake.cleaning import Pieces, has_digit, intruders, pieces_of
from app.intake.paper import remove_paper
from app.intake.rules import remove_rules
from app.intake.threshold import Coverage, cover
from app.intake.windows import Plane

WEAKEST = 0.2  # of what comes in from the edge: a digit stands out at least as far


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

    A dark table beyond the sheet, or a finger, stands out more than ink does. Once
    it is known what comes in from the edge, ink is looked for again without it.

    Args:
        light_ink: (rows, columns) in [0, 1], ink lighter than its paper.
        inverted: whether the scene was dark ink on light paper.
        start: in (0, 1), where strokes begin, in parts of full ink, if it is told.
    """
    contrast, even = remove_paper(light_ink, inverted=inverted)
    contrast, rules = remove_rules(contrast)
    coverage = cover(contrast, even=even, start=start)
    pieces = pieces_of(coverage.core)
    away, count = intruders(pieces)
    if count:
        contrast, fainter = remove_rules(np.where(away, 0, contrast))
        rest = cover(contrast, even=even, start=start)
        others = pieces_of(rest.core)
        if rest.level > WEAKEST * coverage.level and has_digit(others):
            return Inking(rest, others, even, rules + fainter, count)
    return Inking(coverage, pieces, even, rules, 0)
