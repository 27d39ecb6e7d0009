"""What the guide can say of a CNN's trace."""

from collections.abc import Callable, Mapping

from app.content.guide.quantities import SCORES, Quantity, Value, zeros
from app.engines.protocol import Trace


def _share_lost(pool: str, below: str) -> Callable[[Trace], Value]:
    """Return the share of a layer's activation that pooling throws away."""

    def share(trace: Trace) -> float:
        whole = float(trace.tensors[below].sum())
        return 0.0 if whole == 0 else 1 - float(trace.tensors[pool].sum()) / whole

    return share


QUANTITIES: Mapping[str, Quantity] = {
    **SCORES,
    "probability": SCORES["score"],
    "second-probability": SCORES["second-score"],
    "zeros": zeros("conv1.relu"),
    "lost": Quantity(("pool1", "conv1.relu"), _share_lost("pool1", "conv1.relu")),
}
