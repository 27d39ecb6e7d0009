"""A number of several digits: which of its candidates a network reads best.

Where digits touch, or one is broken, the ink alone cannot tell how many there are. So a
line of ink is a row of atoms, and each candidate a run of them. A network scores the
candidates, and `Line.best` finds the runs that cover the line best (LeCun, Bottou,
Bengio & Haffner 1998, section IV: heuristic over-segmentation).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.pictures.reading.report import Doubt
from capsnet_explorer.pictures.reading.settings import Box

SPACE = 0.8  # of a digit's height: least distance of two digits with a space between
APART = 1.8  # times the line's usual gap between the ink of neighbours …
FARTHER = 1.25  # … and their middles as many times as far apart: from there on, a space
NEARLY = 0.12  # of an atom's score: another reading that good is told
# Least lead of a digit's score that is no doubt: of those read right, at most one in a
# hundred leads by less (benchmarks/README.md).
LEAD = 0.5
GUESSED = "Digits touch here, or one is broken: which ink belongs together is a guess."


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
        for index, candidate in enumerate(self.candidates):
            length = candidate.stop - candidate.start
            gained = length * float(scores[index]) - candidate.cost
            if value[candidate.start] + gained > value[candidate.stop]:
                value[candidate.stop] = value[candidate.start] + gained
                last[candidate.stop] = index
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
        ways: dict[int, list] = {}
        for index in path:
            without = [
                -1.0 if position == index else float(score)
                for position, score in enumerate(scores)
            ]
            other, less = self.best(without)
            lost = (value - less) * self.atoms
            candidate = self.candidates[index]
            length = candidate.stop - candidate.start
            instead = [
                position
                for position in other
                if self.candidates[position].start < candidate.stop
                and self.candidates[position].stop > candidate.start
            ]
            if index not in other and lost < NEARLY * max(length, len(instead)):
                ways[index] = instead
        return ways

    def spaces(self, path: Sequence[int]) -> list[bool]:
        """Return which digits of a path have a space before them; not the first.

        A space is much wider than the line's other gaps, so that a number written
        widely has none; and it sets middles apart, so that a narrow 1 makes none.
        """
        boxes = [self.candidates[index].box for index in path]
        middles = np.array([(box.left + box.right) / 2 for box in boxes])
        steps = np.diff(middles)
        if len(steps) < 2:
            return [False] * len(boxes)
        gaps = np.array([b.left - a.right for a, b in pairwise(boxes)])
        wide = max(SPACE * self.height, APART * float(np.median(gaps)))
        far = FARTHER * float(np.median(steps))
        return [False, *((gaps >= wide) & (steps >= far)).tolist()]


@dataclass(frozen=True, slots=True)
class NumberDigit:
    """One digit of a number.

    Attributes:
        scores: (classes,) of the network.
        name: what the class with the highest score is called.
        image: (1, 28, 28) float32 in [0, 1], what the network read.
        box: where its ink is in the upright picture.
        doubts: why it may be read wrong.
    """

    scores: NDArray[np.float32]
    name: str
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
        rows = scores[start : start + len(line.candidates)]
        start += len(line.candidates)
        highest = rows.max(axis=1).tolist()
        path, _ = line.best(highest)
        others = line.others(path, highest)
        text = ""
        for index, has_space in zip(path, line.spaces(path), strict=True):
            cut = line.candidates[index]
            name = names[int(rows[index].argmax())]
            text += " " * has_space + name
            doubts = (*cut.doubts, *_lead_doubts(rows[index], names))
            if instead := others.get(index):
                read = "".join(names[int(rows[other].argmax())] for other in instead)
                doubts = (*doubts, Doubt("cut", f"This ink may also read {read}."))
            elif cut.cost > 0:
                doubts = (*doubts, Doubt("cut", GUESSED))
            digits.append(NumberDigit(rows[index], name, cut.image, cut.box, doubts))
        words.append(text)
    return Number("\n".join(words), tuple(digits))


def _lead_doubts(scores: NDArray[np.float32], names: Sequence[str]) -> list[Doubt]:
    """Return a doubt where another class scores nearly as much."""
    if len(scores) < 2:
        return []
    second, first = np.argsort(scores, kind="stable")[-2:].tolist()
    if scores[first] - scores[second] >= LEAD:
        return []
    words = (
        f"This may also be {names[second]}, which scores {scores[second]:.2f}; "
        f"{names[first]} scores {scores[first]:.2f}."
    )
    return [Doubt("lead", words)]
