"""Every place of a picture where a digit may stand, as a network reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.pictures.reading import notes
from capsnet_explorer.pictures.reading.cleaning import Flags, Pieces, mask_of, pieces_of
from capsnet_explorer.pictures.reading.colour import flatten, one_channel
from capsnet_explorer.pictures.reading.decode import decode
from capsnet_explorer.pictures.reading.doubts import (
    FAINT,
    FAINT_WORDS,
    SMALLEST,
    small_words,
)
from capsnet_explorer.pictures.reading.errors import NoDigitFound
from capsnet_explorer.pictures.reading.inking import find_ink
from capsnet_explorer.pictures.reading.lines import (
    CLOSE,
    WIDEST,
    digit_groups,
    in_lines,
)
from capsnet_explorer.pictures.reading.number import Candidate, Line
from capsnet_explorer.pictures.reading.pipeline import (
    in_bytes,
    is_inverted,
    nothing_in,
    require_size,
)
from capsnet_explorer.pictures.reading.placing import (
    VISIBLE,
    crop,
    place,
    scale_to_box,
    turned,
)
from capsnet_explorer.pictures.reading.report import Doubt
from capsnet_explorer.pictures.reading.settings import (
    NOTHING_DECIDED,
    WHOLE,
    Box,
    Overrides,
)
from capsnet_explorer.pictures.reading.strokes import fit_strokes
from capsnet_explorer.pictures.reading.threshold import FAINTEST
from capsnet_explorer.pictures.reading.windows import Plane

SIDE = 1200  # px, long side of the mask in which parts are found
WIDE = 0.8  # of its height: width from which ink may be two digits that touch
CUTS = (0.2, 0.8)  # of the width of wide ink: where a cut may be
THICKEST_CUT = 0.45  # of the height of wide ink: most ink that a cut goes through
CUTS_A_HEIGHT = 1.5  # most cuts, for each height that wide ink is wide
CUT_COST = 0.5  # of an atom's score, for each cut within a piece of ink
JOIN_COST = 0.05  # for each joint of two pieces


def read_lines(data: bytes, overrides: Overrides = NOTHING_DECIDED) -> list[Line]:
    """Find every digit of a picture, line by line.

    Args:
        data: a complete image file.
        overrides: settings that a person chose; `part` and `at_most` do not count.

    Raises:
        UnknownKind: `data` is not a picture in a supported format.
        Damaged: the picture is damaged.
        TooMuch: the picture exceeds a limit.
        NoDigitFound: the picture is blank, or too small to show a digit.
        Busy: too many pictures are waiting to be decoded.
    """
    picture, _ = flatten(decode(data, overrides.crop))
    require_size(picture)
    channel, _ = one_channel(picture)
    inverted = is_inverted(channel, overrides)
    light_ink = 1 - channel if inverted else channel
    inking = find_ink(light_ink, inverted=inverted, start=overrides.threshold)
    coverage = inking.coverage
    if coverage.level < FAINTEST:
        raise NoDigitFound(nothing_in(picture))
    pieces = pieces_of(coverage.core, SIDE)
    groups, height = digit_groups(pieces.parts)
    if not groups:
        raise NoDigitFound(notes.nothing_words("it contains only specks"))
    faint = (Doubt("faint", FAINT_WORDS),) if coverage.level < FAINT else ()
    page = _Page(coverage.ink, pieces, height * pieces.factor, overrides, faint)
    return [page.line(groups_of) for groups_of in in_lines(pieces.parts, groups)]


def _runs(ink: Flags) -> NDArray[np.intp]:
    """Return how many runs of ink each column has."""
    return (np.diff(np.pad(ink, ((1, 0), (0, 0))).astype(np.int8), axis=0) == 1).sum(0)


@dataclass(frozen=True, slots=True)
class _Page:
    """The ink of a picture, of which lines are cut out.

    Attributes:
        ink: (rows, columns) in [0, 1].
        pieces: of that ink.
        height: usual height of a digit, in px of the picture.
        overrides: a person's settings.
        doubts: what speaks against every digit.
    """

    ink: Plane
    pieces: Pieces
    height: float
    overrides: Overrides
    doubts: tuple[Doubt, ...]

    def line(self, groups: Sequence[Flags]) -> Line:
        """Make candidates of the groups of one line, from left to right."""
        atoms: list[Plane] = []
        whole: list[bool] = []  # whether an atom begins a group
        for group in groups:
            parts = self._cut(self.ink * mask_of(self.pieces, group))
            atoms += parts
            whole += [index == 0 for index in range(len(parts))]
        columns = [np.flatnonzero(atom.any(axis=0)) for atom in atoms]
        candidates = []
        for start in range(len(atoms)):
            for stop in range(start + 1, len(atoms) + 1):
                left, right = columns[start][0], columns[stop - 1][-1] + 1
                if stop - start > 1:
                    if right - left > WIDEST * self.height:
                        break
                    gap = columns[stop - 1][0] - columns[stop - 2][-1] - 1
                    if whole[stop - 1] and gap > CLOSE * self.height:
                        break
                ink = np.maximum.reduce(atoms[start:stop])
                joints = sum(whole[start + 1 : stop])
                is_cut = stop < len(atoms) and not whole[stop]
                cost = JOIN_COST * joints + CUT_COST * is_cut
                if (made := self._candidate(ink, start, stop, cost)) is not None:
                    candidates.append(made)
        width = self.ink.shape[1] / (
            self.overrides.crop.right - self.overrides.crop.left
        )
        return Line(len(atoms), tuple(candidates), self.height / width)

    def _cut(self, ink: Plane) -> list[Plane]:
        """Cut wide ink where two digits may touch: where a column has least ink."""
        columns = np.flatnonzero(ink.max(axis=0) > VISIBLE)
        rows = np.flatnonzero(ink.max(axis=1) > VISIBLE)
        left, right = int(columns[0]), int(columns[-1]) + 1
        width, height = right - left, int(rows[-1] - rows[0]) + 1
        if width < WIDE * height:
            return [ink]
        amount = ink[:, left:right].sum(axis=0)
        near = max(1, width // 40)
        amount = np.convolve(amount, np.ones(2 * near + 1) / (2 * near + 1), "same")
        first, last = (round(share * width) for share in CUTS)
        if width > 2 * height:
            first, last = height // 3, width - height // 3
        most = round(CUTS_A_HEIGHT * width / height)
        cuts: list[int] = []
        strokes = _runs(ink[:, left:right] > VISIBLE)
        for column in np.argsort(amount[first:last], kind="stable") + first:
            if strokes[column] > 1:
                continue  # digits that touch do so in one place; a 0 has two strokes
            if amount[column] > THICKEST_CUT * height or len(cuts) == most:
                break
            if all(abs(column - cut) >= 0.3 * height for cut in cuts):
                cuts.append(int(column))
        edges = [0, *(left + cut for cut in sorted(cuts)), ink.shape[1]]
        atoms = []
        for start, stop in pairwise(edges):
            atom = np.zeros_like(ink)
            atom[:, start:stop] = ink[:, start:stop]
            atoms.append(atom)
        return [atom for atom in atoms if atom.max() > VISIBLE] or [ink]

    def _candidate(
        self, ink: Plane, start: int, stop: int, cost: float
    ) -> Candidate | None:
        rows, columns = (
            np.flatnonzero(ink.max(axis=axis) > VISIBLE) for axis in (1, 0)
        )
        if not len(rows) or max(len(rows), len(columns)) < 3:
            return None
        upright = crop(turned(crop(ink), self.overrides.rotate))
        strokes, _, _ = fit_strokes(upright, self.overrides.thickness)
        image = in_bytes(place(scale_to_box(crop(strokes))))
        high = int(rows[-1] - rows[0]) + 1
        long = max(high, int(columns[-1] - columns[0]) + 1)
        doubts = self.doubts
        if long < SMALLEST:
            doubts = (*doubts, Doubt("small", small_words(long)))
        box = Box(
            float(columns[0] / ink.shape[1]),
            float(rows[0] / ink.shape[0]),
            float((columns[-1] + 1) / ink.shape[1]),
            float((rows[-1] + 1) / ink.shape[0]),
        )
        if self.overrides.crop != WHOLE:
            box = box.inside(self.overrides.crop)
        return Candidate(start, stop, cost, image[None], box, doubts)
