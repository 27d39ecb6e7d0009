"""What the guide can say of each network's traces, by architecture."""

from collections.abc import Mapping

from capsnet_explorer.app.content.guide.networks import capsnet, cnn, efficient, matrix
from capsnet_explorer.app.content.guide.quantities import Quantity, Rerun

QUANTITIES: Mapping[str, Mapping[str, Quantity | Rerun]] = {
    "capsnet": capsnet.QUANTITIES,
    "cnn": cnn.QUANTITIES,
    "efficient": efficient.QUANTITIES,
    "matrix": matrix.QUANTITIES,
}
