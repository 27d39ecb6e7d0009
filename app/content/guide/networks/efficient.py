"""What the guide can say of an Efficient-CapsNet's trace."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from capsnet_explorer.app.content.guide.quantities import SCORES, Quantity, Rerun
from capsnet_explorer.app.engines.protocol import Numbers, Trace


def _to_winner(name: str, figure: Callable[[Numbers], Any]) -> Quantity:
    """Return a figure of what all capsules have for the winner."""
    return Quantity(
        (name,), lambda trace: float(figure(trace.tensors[name][:, trace.prediction]))
    )


def _length_unrouted(trace: Trace, run: Callable[[Mapping[str, Any]], Trace]) -> float:
    """Return the winner's length with attention ignored."""
    scores = run({"routing": "uniform"}).tensors["scores"]
    return float(scores[trace.prediction])


QUANTITIES: Mapping[str, Quantity | Rerun] = {
    **SCORES,
    "length": SCORES["score"],
    "primary-capsules": Quantity(
        ("primary.lengths",), lambda trace: trace.tensors["primary.lengths"].size
    ),
    "votes": Quantity(
        ("routing.couplings",), lambda trace: trace.tensors["routing.couplings"].size
    ),
    "largest-share": _to_winner("routing.shares", np.max),
    "smallest-share": _to_winner("routing.shares", np.min),
    "couplings-below-zero": Quantity(
        ("routing.couplings",),
        lambda trace: int((trace.tensors["routing.couplings"] < 0).sum()),
    ),
    "length-unrouted": Rerun(("scores",), _length_unrouted),
}
