"""What the guide can say of a trace of matrix capsules."""

from collections.abc import Mapping

from app.content.guide.quantities import SCORES, Quantity

QUANTITIES: Mapping[str, Quantity] = {
    **SCORES,
    "activation": SCORES["score"],
    "second-activation": SCORES["second-score"],
}
