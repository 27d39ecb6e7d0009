"""Printed lines of ruled and squared paper: found as straight lines, and taken away."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.intake.components import runs
from app.intake.levels import histogram
from app.intake.threshold import CORE, ink_level
from app.intake.windows import Plane, running_max

SMALLEST = 64  # px, short side; printed lines cannot be told in smaller pictures
WIDEST = 0.03  # of the short side: a printed line is narrower
STRIP = 8  # px along a line in which it counts as there or not
STEEPEST = 0.2  # slope of lines against the picture's edges
LONG = 0.55  # of the picture: one line of several is at least as long
LEAST_SEEN = 0.5  # of the picture: ink may hide the rest of a line
FEWEST = LONG * LEAST_SEEN / 2  # of columns: in half of a strip's, a line is there
ACROSS = 0.85  # of the picture: of a line alone, at least as much is seen
SEVERAL = 3  # lines
APART = 4  # px; lines are further from each other
BOW = 3  # px that a line may leave its straight course
FRINGE = 2  # px of antialiasing and blur on each side of a line
WIDTH_QUANTILE = 0.75  # of a line's runs: the rest cross ink
STRONGER = 1.35  # times a line's usual strength: ink lies on it
CROSSING = 6  # px from where a line was cleared: there it crosses another one
FAINT = 0.5  # of what is surely stroke: fainter lines disturb nobody

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of ink down the columns.

    Attributes:
        column, start, stop: (count,), where each is; `stop` is the row after its last.
        strength: (count,), its strongest contrast.
    """

    column: Numbers
    start: Numbers
    stop: Numbers
    strength: Plane

    def where(self, flags: Flags) -> "Runs":
        """Return those with a flag."""
        return Runs(
            self.column[flags],
            self.start[flags],
            self.stop[flags],
            self.strength[flags],
        )

    def middles(self) -> "Runs":
        """Return runs of one pixel each, in the middle of these."""
        middle = (self.start + self.stop - 1) // 2
        return Runs(self.column, middle, middle + 1, self.strength)

    @property
    def length(self) -> Numbers:
        """How many pixels each has."""
        return self.stop - self.start


def runs_down(contrast: Plane, threshold: float) -> Runs:
    """Find the runs of pixels above the threshold."""
    is_ink = (contrast > threshold).T
    column, start, stop = runs(is_ink)
    if not len(column):
        return Runs(column, start, stop, np.zeros(0, np.float32))
    # The ink's pixels come run by run.
    first = np.concatenate([[0], np.cumsum(stop - start)[:-1]])
    strength = np.maximum.reduceat(contrast.T[is_ink], first)
    return Runs(column, start, stop, strength)


def remove_rules(contrast: Plane) -> tuple[Plane, int]:
    """Take away printed lines, level ones and upright ones.

    A line is thin, straight, and crosses the picture, or is one of several that
    nearly do. Along it, the columns where it is no thicker than elsewhere are
    cleared; where it is, ink crosses it, and all stays.

    Args:
        contrast: (rows, columns) in [0, 1], how far pixels stand out of the paper.

    Returns:
        The contrast without lines, and how many there were.
    """
    if min(contrast.shape) < SMALLEST:
        return contrast, 0
    level, _ = ink_level(histogram(contrast))
    if level == 0:
        return contrast, 0
    threshold = FAINT * CORE * level
    level_lines = level_lines_of(contrast, threshold)
    contrast = np.where(level_lines.where, 0, contrast)
    crossed = running_max(level_lines.where.T.astype(np.float32), CROSSING) > 0
    upright_lines = level_lines_of(contrast.T, threshold, crossed)
    contrast = np.where(upright_lines.where.T, 0, contrast)
    return contrast, level_lines.count + upright_lines.count


@dataclass(frozen=True, slots=True)
class Lines:
    """Printed lines of one direction.

    Attributes:
        where: (rows, columns), what can be cleared of them.
        count: how many there are.
    """

    where: Flags
    count: int


def level_lines_of(
    contrast: Plane, threshold: float, crossed: Flags | None = None
) -> Lines:
    """Find the lines that run from left to right.

    Args:
        contrast: (rows, columns) in [0, 1], how far pixels stand out of the paper.
        threshold: of contrast; ink has more.
        crossed: (rows, columns), where they may cross lines of the other direction.
    """
    rows, columns = contrast.shape
    none = Lines(np.zeros(contrast.shape, bool), 0)
    ink = runs_down(contrast, threshold)
    is_thin = ink.length <= max(2, WIDEST * min(rows, columns))
    thin = ink.where(is_thin)
    if len(np.unique(thin.column)) < FEWEST * columns:
        return none  # as in nearly every drawing, which need not wait for more
    # A run counts for the rows next to its middle, too: lines are not quite level.
    presence = in_strips(covered(thin.middles(), 1, contrast.shape))
    hidden = in_strips(covered(ink.where(~is_thin), 0, contrast.shape))
    courses = lines_in(presence, hidden)
    if not len(courses):
        return none
    is_crossing = np.zeros(len(thin.column), bool)
    if crossed is not None:
        is_crossing = crossed[(thin.start + thin.stop - 1) // 2, thin.column]
    near = [
        is_near(thin, followed(presence, offset, slope, columns))
        for offset, slope in courses
    ]
    is_line = printed(thin, [each for each in near if each.any()], is_crossing)
    line = thin.where(is_line)
    return Lines(covered(line, FRINGE, contrast.shape), len(courses))


def covered(ink: Runs, further: int, shape: tuple[int, ...]) -> Flags:
    """Return the pixels (rows, columns) of runs, and some further up and down."""
    rows, columns = shape
    change = np.zeros((rows + 1, columns), np.int32)
    start = np.maximum(ink.start - further, 0)
    stop = np.minimum(ink.stop + further, rows)
    np.add.at(change, (start, ink.column), 1)
    np.add.at(change, (stop, ink.column), -1)
    return np.cumsum(change, axis=0)[:rows] > 0


def in_strips(flags: Flags) -> Plane:
    """Return the share of each strip's columns with a flag: (rows, strips)."""
    rows, columns = flags.shape
    strips = -(-columns // STRIP)
    padded = np.pad(flags, ((0, 0), (0, strips * STRIP - columns)), mode="edge")
    return padded.reshape(rows, strips, STRIP).mean(axis=2, dtype=np.float32)


def lines_in(presence: Plane, hidden: Plane) -> list[tuple[int, float]]:
    """Find straight lines from left to right (Hough 1962, on strips).

    Args:
        presence: (rows, strips), in which share of a strip a line may be.
        hidden: (rows, strips), in which share of a strip thicker ink is.

    Returns:
        For each line its row in the picture's middle, and how many rows it falls
        from one strip to the next.
    """
    rows, strips = presence.shape
    if (presence > 0.5).any(axis=0).mean() < LONG * LEAST_SEEN:
        return []
    reach = round(STEEPEST * strips * STRIP / 2) + 1
    there = (presence > 0.5).astype(np.float32)
    open_to_view = ((presence > 0.5) | (hidden < 0.5)).astype(np.float32)
    there = np.pad(there, ((reach, reach), (0, 0)))
    open_to_view = np.pad(open_to_view, ((reach, reach), (0, 0)), constant_values=1)
    from_middle = np.arange(strips) - (strips - 1) / 2
    falls = np.arange(-reach + 1, reach, 2) / (strips / 2)
    seen = np.zeros((len(falls), rows), np.float32)
    possible = np.zeros((len(falls), rows), np.float32)
    for number, fall in enumerate(falls):
        shifts = np.rint(from_middle * fall).astype(int) + reach
        for strip, shift in enumerate(shifts):
            seen[number] += there[shift : shift + rows, strip]
            possible[number] += open_to_view[shift : shift + rows, strip]
    share = seen / np.maximum(possible, LEAST_SEEN * strips)
    best = share.max(axis=0)
    falls_there = falls[share.argmax(axis=0)]
    found: list[int] = []
    for row in np.argsort(-best, kind="stable"):
        if best[row] < LONG:
            break
        if all(abs(row - other) >= APART for other in found):
            found.append(int(row))
    courses = [(row, float(falls_there[row])) for row in found]
    if len(courses) >= SEVERAL:
        return courses
    return [
        (row, fall)
        for row, fall in courses
        if best[row] >= ACROSS and reaches_both_edges(presence, row, fall)
    ]


def reaches_both_edges(presence: Plane, offset: int, slope: float) -> bool:
    """Tell whether a line is there in the first and in the last strip."""
    rows, strips = presence.shape
    ends = np.array([0, strips - 1])
    straight = np.rint(offset + (ends - (strips - 1) / 2) * slope).astype(int)
    near = (straight[:, None] + np.arange(-BOW, BOW + 1)).clip(0, rows - 1)
    return bool((presence[near, ends[:, None]].max(axis=1) > 0.5).all())


def followed(presence: Plane, offset: int, slope: float, columns: int) -> Plane:
    """Return the row (columns,) at which a line is in each column.

    In each strip the line may be some rows off its straight course.
    """
    rows, strips = presence.shape
    number = np.arange(strips)
    straight = offset + (number - (strips - 1) / 2) * slope
    steps = np.arange(-BOW, BOW + 1)
    near = np.rint(straight[:, None] + steps).astype(int)
    inside = (near >= 0) & (near < rows)
    weight = np.where(inside, presence[near.clip(0, rows - 1), number[:, None]], 0)
    weight = np.stack(
        [np.convolve(row, np.ones(5), "same") for row in weight.T], axis=1
    )
    total = weight.sum(axis=1)
    off = (weight @ steps) / np.maximum(total, 1e-6)
    middles = number * STRIP + (STRIP - 1) / 2
    return np.interp(np.arange(columns), middles, straight + off).astype(np.float32)


def is_near(thin: Runs, course: Plane) -> Flags:
    """Tell which runs are where a line runs."""
    middle = (thin.start + thin.stop - 1) / 2
    return np.abs(middle - course[thin.column]) <= BOW


def printed(thin: Runs, near: list[Flags], is_crossing: Flags) -> Flags:
    """Tell which runs are lines, no thicker and no stronger than elsewhere.

    Args:
        thin: runs of ink.
        near: for each line which runs (count,) are where it runs, at least one.
        is_crossing: (count,), where a line may cross another one: both add up.
    """
    result = np.zeros(len(thin.column), bool)
    if not near:
        return result
    widths = [np.quantile(thin.length[each], WIDTH_QUANTILE) for each in near]
    # A press prints its lines alike; a pen's stroke along one of them makes it wider.
    usual = float(np.median(widths))
    for each, width in zip(near, widths, strict=True):
        strength = STRONGER * np.median(thin.strength[each])
        strongest = np.where(is_crossing, 2 * strength, strength)
        widest = min(float(width), usual) + 1
        result |= each & (thin.length <= widest) & (thin.strength <= strongest)
    return result
