"""A number of several digits: every place where a digit may stand, in reading order.

Where digits touch, or one is broken, the ink alone cannot tell how many there are. So a
line of ink becomes a row of atoms, and each candidate is a run of them. A network
scores the candidates, and `Line.best` finds the runs that cover the line best (LeCun,
Bottou, Bengio & Haffner 1998, section IV: heuristic over-segmentation).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.intake import notes
from capsnet_explorer.intake.cleaning import (
    FLATTEST,
    Flags,
    Pieces,
    crosses,
    grown,
    is_frame,
    is_negligible,
    pieces_of,
    touches_edge,
)
from capsnet_explorer.intake.colour import flatten, one_channel
from capsnet_explorer.intake.components import Components
from capsnet_explorer.intake.decode import decode
from capsnet_explorer.intake.digits import SHARED
from capsnet_explorer.intake.doubts import FAINT, FAINT_WORDS, SMALLEST, small_words
from capsnet_explorer.intake.errors import NoDigitFound
from capsnet_explorer.intake.inking import find_ink
from capsnet_explorer.intake.pipeline import in_bytes, is_inverted, require_size
from capsnet_explorer.intake.placing import crop, place, scale_to_box
from capsnet_explorer.intake.report import Doubt
from capsnet_explorer.intake.settings import NOTHING_DECIDED, WHOLE, Box, Overrides
from capsnet_explorer.intake.strokes import fit_strokes
from capsnet_explorer.intake.threshold import FAINTEST
from capsnet_explorer.intake.turning import turned
from capsnet_explorer.intake.windows import Plane

SIDE = 1200  # px, long side of the mask in which parts are found
MOST = 200  # digits of one picture

# All of these are shares of a digit's height.
LOWEST = 0.38  # least height of a digit
LEAST = 0.1  # least size of a piece that may belong to a digit
CLOSE = 0.12  # greatest distance of a digit's pieces, and of neighbours to be joined
WIDE = 0.8  # width from which ink may be two digits that touch
WIDEST = 1.35  # greatest width of one digit
SPACE = 0.8  # least distance of two digits with a space between them

BESIDE = 0.2  # of the lower one's height: least that neighbours in a line share
APART = 1.8  # times the line's usual distance of neighbours: from there on, a space
CUTS = (0.2, 0.8)  # of the width of wide ink: where a cut may be
THICKEST_CUT = 0.45  # of the height of wide ink: most ink that a cut goes through
CUTS_A_HEIGHT = 1.5  # most cuts, for each height that wide ink is wide
CUT_COST = 0.35  # of an atom's score, for each cut within a piece of ink
JOIN_COST = 0.05  # for each joint of two pieces
NEARLY = 0.12  # of an atom's score: another reading that good is told


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run of atoms that may be one digit.

    Attributes:
        start, stop: its atoms, those in start..stop - 1 of the line.
        cost: what a reading loses by it, as it cuts a piece of ink or joins two.
        image: (1, 28, 28) float32 in [0, 1], as `read_digit` makes it.
        box: where its ink is in the upright picture.
        doubts: what the picture says against it.
    """

    start: int
    stop: int
    cost: float
    image: NDArray[np.float32]
    box: Box
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """The candidates of one line of the picture.

    Attributes:
        atoms: how many there are.
        candidates: sorted by their first atom; each atom is covered by at least one.
        height: usual height of its digits, as a share of the picture's width.
    """

    atoms: int
    candidates: tuple[Candidate, ...]
    height: float

    def best(self, scores: Sequence[float]) -> tuple[list[int], float]:
        """Return the candidates that cover the line best, and how good they are.

        Every atom counts with the score of the digit that it is part of, so that one
        digit is not preferred to two that are as clear.

        Args:
            scores: of each candidate, the highest of its classes, in [0, 1].

        Returns:
            Indices of candidates, from left to right, and the mean score of an atom.
        """
        # The best value up to each atom, and the candidate that ends there.
        value = [0.0] + [-np.inf] * self.atoms
        last = [-1] * (self.atoms + 1)
        for index, each in enumerate(self.candidates):
            length = each.stop - each.start
            gained = length * float(scores[index]) - each.cost
            if value[each.start] + gained > value[each.stop]:
                value[each.stop] = value[each.start] + gained
                last[each.stop] = index
        path: list[int] = []
        at = self.atoms
        while at > 0:
            path.append(last[at])
            at = self.candidates[last[at]].start
        return path[::-1], value[self.atoms] / self.atoms

    def others(self, path: Sequence[int], scores: Sequence[float]) -> dict[int, list]:
        """Return nearly as good ways to read the digits of the best way.

        Returns:
            For each index of `path` that is doubtful, the candidates in its place.
        """
        _, value = self.best(scores)
        found: dict[int, list] = {}
        for index in path:
            without = [
                -1.0 if place == index else float(score)
                for place, score in enumerate(scores)
            ]
            other, less = self.best(without)
            lost = (value - less) * self.atoms
            own = self.candidates[index]
            length = own.stop - own.start
            instead = [
                place
                for place in other
                if self.candidates[place].start < own.stop
                and self.candidates[place].stop > own.start
            ]
            if index not in other and lost < NEARLY * max(length, len(instead)):
                found[index] = instead
        return found

    def spaces(self, path: Sequence[int]) -> list[bool]:
        """Return which digits of a path have a space before them; not the first.

        A space is much wider than the line's other distances, so that a number written
        widely has none.
        """
        boxes = [self.candidates[index].box for index in path]
        middles = np.array([(box.left + box.right) / 2 for box in boxes])
        steps = np.diff(middles)
        if len(steps) < 2:
            return [False] * len(boxes)
        usual = float(np.median(steps))
        gaps = [b.left - a.right for a, b in zip(boxes, boxes[1:], strict=False)]
        return [
            False,
            *(
                bool(step >= APART * usual and gap >= SPACE * self.height)
                for step, gap in zip(steps, gaps, strict=True)
            ),
        ]


@dataclass(frozen=True, slots=True)
class NumberDigit:
    """One digit of a number.

    Attributes:
        scores: (classes,) of the network.
        image: (1, 28, 28) float32 in [0, 1], what the network read.
        box: where its ink is in the upright picture.
        doubts: why it may be read wrong.
    """

    scores: NDArray[np.float32]
    image: NDArray[np.float32]
    box: Box
    doubts: tuple[Doubt, ...]

    @property
    def prediction(self) -> int:
        """The class with the highest score."""
        return int(self.scores.argmax())


@dataclass(frozen=True, slots=True)
class Number:
    """What a picture of several digits says.

    Attributes:
        text: names of the digits in order, with a space where the picture has a wide
            one, and each line on its own.
        digits: in the same order.
    """

    text: str
    digits: tuple[NumberDigit, ...]


def number_of(
    lines: Sequence[Line], scores: NDArray[np.float32], names: Sequence[str]
) -> Number:
    """Choose the digits of a picture by a network's scores.

    Args:
        lines: as `read_lines` found them.
        scores: (candidates, classes) in [0, 1], of all lines' candidates in order.
        names: of the classes.
    """
    digits: list[NumberDigit] = []
    words: list[str] = []
    start = 0
    for line in lines:
        own = scores[start : start + len(line.candidates)]
        start += len(line.candidates)
        highest = own.max(axis=1).tolist()
        path, _ = line.best(highest)
        others = line.others(path, highest)
        text = ""
        for index, has_space in zip(path, line.spaces(path), strict=True):
            each = line.candidates[index]
            text += " " * has_space + names[int(own[index].argmax())]
            doubts = each.doubts
            if instead := others.get(index):
                read = "".join(names[int(own[place].argmax())] for place in instead)
                doubts = (*doubts, Doubt("cut", f"This ink may also read {read}."))
            digits.append(NumberDigit(own[index], each.image, each.box, doubts))
        words.append(text)
    return Number("\n".join(words), tuple(digits))


def read_lines(data: bytes, overrides: Overrides = NOTHING_DECIDED) -> list[Line]:
    """Find every digit of a picture, line by line.

    Args:
        data: a complete image file.
        overrides: settings that a person chose; `part` and `at_most` do not count.

    Raises:
        UnreadableImage: `data` is not a picture in a supported format.
        DamagedImage: the picture is damaged.
        ImageTooLarge: the picture exceeds a limit.
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
        raise NoDigitFound(notes.nothing_words("it is blank"))
    pieces = pieces_of(coverage.core, SIDE)
    groups, height = _groups(pieces.parts)
    if not groups:
        raise NoDigitFound(notes.nothing_words("it contains only specks"))
    faint = (Doubt("faint", FAINT_WORDS),) if coverage.level < FAINT else ()
    page = _Page(coverage.ink, pieces, height * pieces.factor, overrides, faint)
    return [page.line(groups_of) for groups_of in _lines(pieces.parts, groups)]


def _groups(parts: Components) -> tuple[list[Flags], float]:
    """Group the parts of a mask into what may be digits.

    Returns:
        For each group which parts (count,) it has, and the usual height of a digit in
        px of the mask.
    """
    if len(parts.area) == 0:
        return [], 0.0
    high, wide = parts.bottom - parts.top, parts.right - parts.left
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
    owner = {int(part): int(part) for part in digits}
    for place, part in enumerate(digits):
        for other in digits[:place]:
            if _is_stacked(parts, part, other, height):
                old, new = owner[int(part)], owner[int(other)]
                owner = {k: new if v == old else v for k, v in owner.items()}
    small = ~junk & (np.maximum(high, wide) >= LEAST * height)
    for piece in np.setdiff1d(np.flatnonzero(small), digits):
        gaps = _gaps(parts, piece, digits)
        nearest = int(digits[int(np.argmin(gaps))])
        if gaps.min() <= CLOSE * height and (
            high[piece] >= LEAST * height and wide[piece] <= WIDEST * height
        ):
            owner[int(piece)] = owner[nearest]
    groups = []
    for first in dict.fromkeys(owner.values()):
        flags = np.zeros(len(parts.area), bool)
        flags[[part for part, own in owner.items() if own == first]] = True
        groups.append(flags)
    return groups, height


def _is_stacked(parts: Components, one: int, other: int, height: float) -> bool:
    """Return whether two parts stand above each other, as a broken digit's do."""
    shared = min(parts.right[one], parts.right[other]) - max(
        parts.left[one], parts.left[other]
    )
    narrower = min(
        parts.right[one] - parts.left[one], parts.right[other] - parts.left[other]
    )
    together = max(parts.bottom[one], parts.bottom[other]) - min(
        parts.top[one], parts.top[other]
    )
    return bool(shared >= 2 * SHARED * narrower and together <= WIDEST * height)


def _gaps(parts: Components, part: int, others: NDArray[np.intp]) -> NDArray:
    """Return the distance (others,) in px between a part's box and those of others."""
    across = np.maximum(
        parts.left[others] - parts.right[part], parts.left[part] - parts.right[others]
    )
    down = np.maximum(
        parts.top[others] - parts.bottom[part], parts.top[part] - parts.bottom[others]
    )
    return np.maximum(np.maximum(across, down), 0)


def _lines(parts: Components, groups: Sequence[Flags]) -> list[list[Flags]]:
    """Sort groups by lines, and each line from left to right.

    A group belongs to the line whose nearest digit it stands beside. Lines may slope,
    and digits of one line may stand higher and lower.
    """

    def top(group: Flags) -> int:
        return int(parts.top[group].min())

    def bottom(group: Flags) -> int:
        return int(parts.bottom[group].max())

    lines: list[list[Flags]] = []
    for group in sorted(groups, key=lambda each: parts.left[each].min()):
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
    return sorted(lines, key=lambda line: np.mean([top(each) for each in line]))


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
            parts = self._cut(self._own(group))
            atoms += parts
            whole += [place == 0 for place in range(len(parts))]
        columns = [np.flatnonzero(atom.any(axis=0)) for atom in atoms]
        found = []
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
                    found.append(made)
        width = self.ink.shape[1] / (
            self.overrides.crop.right - self.overrides.crop.left
        )
        return Line(len(atoms), tuple(found), self.height / width)

    def _own(self, group: Flags) -> Plane:
        """Return the ink (rows, columns) of a group alone."""
        labels = self.pieces.parts.labels
        own = np.concatenate([[False], group])[labels]
        other = np.concatenate([[False], ~group])[labels]
        return self.ink * self.pieces.in_picture(grown(own) & ~other)

    def _cut(self, ink: Plane) -> list[Plane]:
        """Cut wide ink where two digits may touch: where a column has least ink."""
        columns = np.flatnonzero(ink.max(axis=0) > 0.1)
        rows = np.flatnonzero(ink.max(axis=1) > 0.1)
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
        for column in np.argsort(amount[first:last], kind="stable") + first:
            if amount[column] > THICKEST_CUT * height or len(cuts) == most:
                break
            if all(abs(column - cut) >= 0.3 * height for cut in cuts):
                cuts.append(int(column))
        edges = [0, *(left + cut for cut in sorted(cuts)), ink.shape[1]]
        atoms = []
        for start, stop in zip(edges, edges[1:], strict=False):
            atom = np.zeros_like(ink)
            atom[:, start:stop] = ink[:, start:stop]
            atoms.append(atom)
        return [atom for atom in atoms if atom.max() > 0.1] or [ink]

    def _candidate(
        self, ink: Plane, start: int, stop: int, cost: float
    ) -> Candidate | None:
        rows, columns = (np.flatnonzero(ink.max(axis=axis) > 0.1) for axis in (1, 0))
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
