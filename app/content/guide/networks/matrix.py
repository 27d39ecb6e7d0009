"""What the guide can say of a trace of matrix capsules."""

from collections.abc import Mapping

from capsnet_explorer.app.content.guide.quantities import SCORES, Quantity
from capsnet_explorer.app.engines.protocol import Numbers, Trace

MOST = 0.5  # of a capsule


def _to_winner(trace: Trace) -> Numbers:
    """Return the share of each capsule below that the winner gets in the end."""
    return trace.tensors["routing.assignments"][-1][..., trace.prediction]


QUANTITIES: Mapping[str, Quantity] = {
    **SCORES,
    "activation": SCORES["score"],
    "second-activation": SCORES["second-score"],
    "capsules-below": Quantity(
        ("routing.assignments",), lambda trace: _to_winner(trace).size
    ),
    "won-capsules": Quantity(
        ("routing.assignments",), lambda trace: int((_to_winner(trace) > MOST).sum())
    ),
}
