"""What the guide can say of a CNN's trace."""

from collections.abc import Callable, Mapping

import numpy as np

from capsnet_explorer.app.content.guide.quantities import SCORES, Quantity, Value, zeros
from capsnet_explorer.app.engines.protocol import Trace


def _share_lost(pool: str, below: str) -> Callable[[Trace], Value]:
    """Return the share of a layer's activation that pooling throws away."""

    def share(trace: Trace) -> float:
        whole = float(trace.tensors[below].sum())
        return 0.0 if whole == 0 else 1 - float(trace.tensors[pool].sum()) / whole

    return share


STEP = 2.0**-10  # of half precision: values closer than this share are the same


def _kept_when_moved(trace: Trace) -> float:
    """Return the share of windows whose value stays when the image moves to the right.

    By a pixel, of the windows above 0 before or after. A convolution moves with its
    image: its maps are moved, and the first column, which saw ground alone, is kept.
    """
    maps = trace.tensors["conv1.relu"]
    was = trace.tensors["pool1"]
    rows, columns = was.shape[-2:]
    moved = np.concatenate([maps[..., :1], maps[..., :-1]], axis=-1)
    windows = moved[..., : 2 * rows, : 2 * columns].reshape(-1, rows, 2, columns, 2)
    now = windows.max(axis=(2, 4))
    active = (was > 0) | (now > 0)
    kept = np.abs(was - now) <= STEP * np.maximum(was, now)
    return float(kept[active].mean())


QUANTITIES: Mapping[str, Quantity] = {
    **SCORES,
    "probability": SCORES["score"],
    "second-probability": SCORES["second-score"],
    "zeros": zeros("conv1.relu"),
    "kept-when-moved": Quantity(("pool1", "conv1.relu"), _kept_when_moved),
    "lost": Quantity(("pool1", "conv1.relu"), _share_lost("pool1", "conv1.relu")),
}
