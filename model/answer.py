"""What a network says of an image: its answer, two, none, or that it is undecided.

The page says the same: `saidOf` of `static/js/core/scores.js`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.architecture import Scores
from capsnet_explorer.model.presence import Presence

UNSURE = 0.5  # a class that scores less is no clear answer
MOST_DECIMALS = 7  # single precision holds no more

State = Literal["one", "several", "undecided", "none"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a network says.

    Attributes:
        state: `one` or `several` classes; `none` of its classes; or `undecided`, where
            it must name one and none stands out.
        named: the classes, best first; where it is undecided, the best.
        order: all classes, best first.
        least: the score that a clear answer has; None where no score says so.
    """

    state: State
    named: tuple[int, ...]
    order: tuple[int, ...]
    least: float | None

    def answer(self, names: Sequence[str]) -> str:
        """Return the answer in short, such as `4`, `4 and 7`, `none`, or `4 or 9?`."""
        if self.state == "undecided":
            return " or ".join(names[label] for label in self.order[:2]) + "?"
        return list_words([names[label] for label in self.named]) or "none"

    def reads(self, names: Sequence[str]) -> str:
        """Return what the network does: `reads 4`, `sees none of its classes`."""
        if self.state == "none":
            return "sees none of its classes"
        if self.state == "undecided":
            return (
                f"is undecided between {list_words([names[i] for i in self.order[:2]])}"
            )
        return f"reads {self.answer(names)}"


def said_by(
    scores: NDArray[np.float32],
    score_name: Scores,
    rule: Presence,
    card: Mapping[str, Any],
) -> Said:
    """Return what a network says by its scores, by what its card tells of them.

    Args:
        scores: (classes,).
        score_name: what a score is.
        rule: which classes the network names.
        card: says how probabilities are made, and whether the network was described by
            somebody, so that nobody knows how it was trained.
    """
    config = card.get("config") or {}
    # Shares of 1: such a network cannot see none of its classes.
    are_shares = (
        score_name == "probability" and config.get("probabilities") != "sigmoid"
    )
    is_known = score_name != "score" and not (
        score_name == "length" and "described" in card
    )
    order = tuple((-scores).argsort(kind="stable").tolist())
    least = rule.threshold
    if least is None and is_known:
        least = UNSURE
    named = tuple(
        label
        for label in order[: rule.at_most]
        if rule.threshold is None or scores[label] >= rule.threshold
    )
    if len(named) > 1:
        return Said("several", named, order, least)
    is_below = least is not None and bool(scores[order[0]] < least)
    if not named or (is_below and not are_shares):
        return Said("none", (), order, least)
    is_tie = len(order) > 1 and bool(scores[order[0]] == scores[order[1]])
    is_undecided = is_below or (is_tie and rule.at_most == 1)
    return Said("undecided" if is_undecided else "one", named, order, least)


def list_words(words: Sequence[str]) -> str:
    """Return words in one list: `a`, `a and b`, `a, b and c`."""
    *first, last = words or [""]
    return f"{', '.join(first)} and {last}" if first else last


def write_score(score: float, decimals: int = 3) -> str:
    """Return a score as text: 0 or 1 only where it is exactly that.

    Args:
        score: of a class.
        decimals: more where these would make it all or nothing.
    """
    text = ""
    for digits in range(decimals, MOST_DECIMALS + 1):
        text = f"{score:.{digits}f}"
        if float(text) not in (0, 1) or float(text) == score:
            return text
    return f"{score:.1e}" if abs(score) < UNSURE else text
