"""Lines of digits: which pieces of ink belong together, and in which order."""

from collections.abc import Sequence

import numpy as np

from capsnet_explorer.pictures.reading.cleaning import (
    FLATTEST,
    Flags,
    crosses,
    is_frame,
    is_negligible,
    touches_edge,
)
from capsnet_explorer.pictures.reading.components import Components
from capsnet_explorer.pictures.reading.digits import joined

MOST = 200  # digits of one picture
MOST_PIECES = 500  # that may be of digits without a piece as high as one
BESIDE = 0.2  # of the lower one's height: least that neighbours in a line share

# All of these are shares of a digit's height.
LOWEST = 0.38  # least height of a digit
LEAST = 0.1  # least size of a piece that may belong to a digit
CLOSE = 0.12  # greatest distance of a digit's pieces, and of neighbours to be joined
WIDEST = 1.35  # greatest width of one digit


def digit_groups(parts: Components) -> tuple[list[Flags], float]:
    """Group the parts of a mask into what may be digits.

    Returns:
        For each group which parts (count,) it has, and the usual height of a digit in
        px of the mask.
    """
    if len(parts.area) == 0:
        return [], 0.0
    high, wide = parts.height, parts.width
    junk = crosses(parts, parts.labels.shape) | is_frame(parts)
    at_edge = touches_edge(parts, parts.labels.shape)
    if not is_negligible(~(junk | at_edge), parts):
        junk |= at_edge  # an edge of the sheet, or a digit that is cut off
    upright = ~junk & (high >= FLATTEST * wide)
    if not upright.any():
        upright = ~junk
    if not upright.any():
        return [], 0.0
    # Of the ink, half is in higher parts, half in lower ones.
    order = np.argsort(high[upright])
    ink = np.cumsum(parts.area[upright][order])
    height = float(high[upright][order][np.searchsorted(ink, ink[-1] / 2)])
    # Wide ink may be digits that touch, so its proportions do not matter here.
    digits = np.flatnonzero(~junk & (high >= LOWEST * height))
    digits = digits[np.argsort(-parts.area[digits])][:MOST]
    owner = dict(zip(digits.tolist(), joined(parts, digits, 0).tolist(), strict=True))
    small = ~junk & (parts.size >= LEAST * height)
    alone = []
    for piece in np.setdiff1d(np.flatnonzero(small), digits):
        gaps = parts.gaps(piece)[digits]
        nearest = int(digits[int(np.argmin(gaps))])
        if gaps.min() > CLOSE * height:
            alone.append(int(piece))
        elif high[piece] >= LEAST * height and wide[piece] <= WIDEST * height:
            owner[int(piece)] = owner[nearest]
    groups = [
        _flags(parts, [part for part, head in owner.items() if head == first])
        for first in dict.fromkeys(owner.values())
    ]
    return groups + _broken(parts, alone, height), height


def _broken(parts: Components, pieces: Sequence[int], height: float) -> list[Flags]:
    """Return what pieces make up a digit that has no piece as high as one."""
    left = sorted(pieces, key=lambda piece: -parts.area[piece])[:MOST_PIECES]
    groups = []
    while left:
        group = [left.pop()]
        for one in group:  # which grows
            near = parts.gaps(one)[left] <= CLOSE * height
            group += [left[index] for index in np.flatnonzero(near)]
            left = [left[index] for index in np.flatnonzero(~near)]
        top, bottom = parts.top[group].min(), parts.bottom[group].max()
        width = parts.right[group].max() - parts.left[group].min()
        is_digit = bottom - top >= LOWEST * height and width <= WIDEST * height
        if is_digit and len(groups) < MOST:
            groups.append(_flags(parts, group))
    return groups


def _flags(parts: Components, members: Sequence[int]) -> Flags:
    flags = np.zeros(len(parts.area), bool)
    flags[list(members)] = True
    return flags


def in_lines(parts: Components, groups: Sequence[Flags]) -> list[list[Flags]]:
    """Sort groups by lines, and each line from left to right.

    A group belongs to the line whose nearest digit it stands beside. Lines may slope,
    and digits of one line may stand higher and lower.
    """

    def top(group: Flags) -> int:
        return int(parts.top[group].min())

    def bottom(group: Flags) -> int:
        return int(parts.bottom[group].max())

    lines: list[list[Flags]] = []
    for group in sorted(groups, key=lambda group: parts.left[group].min()):
        best, most = None, BESIDE
        for line in lines:
            for last in line[-2:]:
                shared = min(bottom(group), bottom(last)) - max(top(group), top(last))
                smaller = min(bottom(group) - top(group), bottom(last) - top(last))
                if shared / smaller >= most:
                    best, most = line, shared / smaller
        if best is None:
            lines.append([group])
        else:
            best.append(group)
    return sorted(lines, key=lambda line: np.mean([top(group) for group in line]))
