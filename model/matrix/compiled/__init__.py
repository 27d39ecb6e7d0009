"""EM routing for training, compiled by Numba: the readable loop's results, faster."""

from functools import partial
from importlib.util import find_spec

from capsnet_explorer.model.matrix.layers import MatrixCapsules, Routing


def compiled(layer: MatrixCapsules) -> Routing | None:
    """Return the routing of what lies below a layer, on a CPU; None without Numba."""
    if find_spec("numba") is None:
        return None
    from capsnet_explorer.model.matrix.compiled.routing import compiled_routing

    return partial(compiled_routing, layer)
