"""Removal of the printed lines of ruled and squared paper."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.pictures.reading.components import runs
from capsnet_explorer.pictures.reading.levels import histogram
from capsnet_explorer.pictures.reading.threshold import CORE, ink_level
from capsnet_explorer.pictures.reading.windows import Plane, running_max

SMALLEST = 64  # px, short side; lines cannot be recognised in smaller pictures
WIDEST = 0.03  # of the short side: greatest width of a line
STRIP = 8  # px along a line; a line is present or absent in each strip
STEEPEST = 0.2  # greatest slope of lines against the picture's edges
LONG = 0.55  # of the picture: least length of one line among several
LEAST_SEEN = 0.5  # of the picture: least visible part of a line; ink may hide the rest
FEWEST = LONG * LEAST_SEEN / 2  # of columns; a line fills at least half of a strip
ACROSS = 0.85  # of the picture: least visible part of a single line
SEVERAL = 3  # lines
APART = 4  # px, least distance between lines
BOW = 3  # px, greatest deviation from a straight line
FRINGE = 2  # px of antialiasing and blur on each side of a line
WIDTH_QUANTILE = 0.75  # of a line's runs; the rest cross ink
STRONGER = 1.35  # times a line's usual strength: above it, ink covers the line
CROSSING = 6  # px around a cleared line in which another one may cross it
FAINT = 0.5  # of the core's contrast: fainter lines do no harm

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Vertical runs of ink.

    Attributes:
        column, start, stop: (count,) position; `stop` is the row after the last.
        strength: (count,) strongest contrast.
    """

    column: Numbers
    start: Numbers
    stop: Numbers
    strength: Plane

    def where(self, flags: Flags) -> "Runs":
        """Return the flagged runs."""
        return Runs(
            self.column[flags],
            self.start[flags],
            self.stop[flags],
            self.strength[flags],
        )

    def middles(self) -> "Runs":
        """Return runs of one pixel in the middle of each run."""
        middle = (self.start + self.stop - 1) // 2
        return Runs(self.column, middle, middle + 1, self.strength)

    @property
    def length(self) -> Numbers:
        """The number of pixels of each run."""
        return self.stop - self.start


def runs_down(contrast: Plane, threshold: float) -> Runs:
    """Find the vertical runs of pixels above the threshold."""
    is_ink = (contrast > threshold).T
    column, start, stop = runs(is_ink)
    if not len(column):
        return Runs(column, start, stop, np.zeros(0, np.float32))
    # The ink's pixels are sorted by run.
    first = np.concatenate([[0], np.cumsum(stop - start)[:-1]])
    strength = np.maximum.reduceat(contrast.T[is_ink], first)
    return Runs(column, start, stop, strength)


def remove_rules(contrast: Plane) -> tuple[Plane, int]:
    """Remove horizontal and vertical printed lines.

    A line is thin and straight, and crosses the picture, or is one of several that
    nearly do. Columns in which it has its usual thickness are cleared. Where it is
    thicker, ink crosses it, and everything stays.

    Args:
        contrast: (rows, columns) in [0, 1], contrast of pixels with the paper.

    Returns:
        The contrast without lines, and the number of lines removed.
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
        where: (rows, columns), their pixels that can be cleared.
        count: number of lines.
    """

    where: Flags
    count: int


def level_lines_of(
    contrast: Plane, threshold: float, crossed: Flags | None = None
) -> Lines:
    """Find the lines that run from left to right.

    Args:
        contrast: (rows, columns) in [0, 1], contrast of pixels with the paper.
        threshold: contrast above which a pixel is ink.
        crossed: (rows, columns), where they may cross lines of the other direction.
    """
    rows, columns = contrast.shape
    none = Lines(np.zeros(contrast.shape, bool), 0)
    ink = runs_down(contrast, threshold)
    is_thin = ink.length <= max(2, WIDEST * min(rows, columns))
    thin = ink.where(is_thin)
    if len(np.unique(thin.column)) < FEWEST * columns:
        return none  # true of nearly every drawing, which is done quickly
    # A run also counts for the rows next to its middle, since lines may slope.
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
    is_line = printed(thin, [flags for flags in near if flags.any()], is_crossing)
    line = thin.where(is_line)
    return Lines(covered(line, FRINGE, contrast.shape), len(courses))


def covered(ink: Runs, further: int, shape: tuple[int, ...]) -> Flags:
    """Return a mask (rows, columns) of runs, extended up and down by `further` px."""
    rows, columns = shape
    change = np.zeros((rows + 1, columns), np.int32)
    start = np.maximum(ink.start - further, 0)
    stop = np.minimum(ink.stop + further, rows)
    np.add.at(change, (start, ink.column), 1)
    np.add.at(change, (stop, ink.column), -1)
    return np.cumsum(change, axis=0)[:rows] > 0


def in_strips(flags: Flags) -> Plane:
    """Return the share of flagged columns in each strip: (rows, strips)."""
    rows, columns = flags.shape
    strips = -(-columns // STRIP)
    padded = np.pad(flags, ((0, 0), (0, strips * STRIP - columns)), mode="edge")
    return padded.reshape(rows, strips, STRIP).mean(axis=2, dtype=np.float32)


def lines_in(presence: Plane, hidden: Plane) -> list[tuple[int, float]]:
    """Find straight lines from left to right (Hough 1962, on strips).

    Args:
        presence: (rows, strips), share of a strip that may be a line.
        hidden: (rows, strips), share of a strip with thicker ink.

    Returns:
        For each line its row in the picture's middle, and its fall in rows from one
        strip to the next.
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
    hits = np.zeros((len(falls), rows), np.float32)
    possible = np.zeros((len(falls), rows), np.float32)
    for number, fall in enumerate(falls):
        shifts = np.rint(from_middle * fall).astype(int) + reach
        for strip, shift in enumerate(shifts):
            hits[number] += there[shift : shift + rows, strip]
            possible[number] += open_to_view[shift : shift + rows, strip]
    share = hits / np.maximum(possible, LEAST_SEEN * strips)
    best = share.max(axis=0)
    falls_there = falls[share.argmax(axis=0)]
    peaks: list[int] = []
    for row in np.argsort(-best, kind="stable"):
        if best[row] < LONG:
            break
        if all(abs(row - other) >= APART for other in peaks):
            peaks.append(int(row))
    courses = [(row, float(falls_there[row])) for row in peaks]
    if len(courses) >= SEVERAL:
        return courses
    return [
        (row, fall)
        for row, fall in courses
        if best[row] >= ACROSS and reaches_both_edges(presence, row, fall)
    ]


def reaches_both_edges(presence: Plane, offset: int, slope: float) -> bool:
    """Return whether a line is present in the first and the last strip."""
    rows, strips = presence.shape
    ends = np.array([0, strips - 1])
    straight = np.rint(offset + (ends - (strips - 1) / 2) * slope).astype(int)
    near = (straight[:, None] + np.arange(-BOW, BOW + 1)).clip(0, rows - 1)
    return bool((presence[near, ends[:, None]].max(axis=1) > 0.5).all())


def followed(presence: Plane, offset: int, slope: float, columns: int) -> Plane:
    """Return the row (columns,) of a line in each column.

    In each strip the line may deviate from a straight one by up to `BOW` rows.
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
    """Return which runs are on the course of a line."""
    middle = (thin.start + thin.stop - 1) / 2
    return np.abs(middle - course[thin.column]) <= BOW


def printed(thin: Runs, near: list[Flags], is_crossing: Flags) -> Flags:
    """Return which runs are printed: of a line's usual thickness and strength.

    Args:
        thin: runs of ink.
        near: for each line, which runs (count,) are on its course; at least one.
        is_crossing: (count,), where a line may cross another one; their ink adds up.
    """
    result = np.zeros(len(thin.column), bool)
    if not near:
        return result
    widths = [np.quantile(thin.length[flags], WIDTH_QUANTILE) for flags in near]
    # Printed lines have equal width; a pen stroke along one of them makes it wider.
    usual = float(np.median(widths))
    for flags, width in zip(near, widths, strict=True):
        strength = STRONGER * np.median(thin.strength[flags])
        strongest = np.where(is_crossing, 2 * strength, strength)
        widest = min(float(width), usual) + 1
        result |= flags & (thin.length <= widest) & (thin.strength <= strongest)
    return result
