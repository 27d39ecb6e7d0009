"""The choice of feature maps for a thumbnail."""

from torch import Tensor

GLIMPSE = 16  # maps that fit into a thumbnail


def strongest(maps: Tensor) -> Tensor:
    """Return the indices of the 16 maps with the most energy, in ascending order.

    Energy is the sum of a map's squares. Ties go to the lower index, so that a blank
    image has 16 maps as well.

    Args:
        maps: (maps, rows, columns).

    Returns:
        (16,) int64; shorter where there are fewer maps.
    """
    energy = maps.square().sum(dim=(1, 2))
    order = energy.argsort(descending=True, stable=True)
    return order[:GLIMPSE].sort().values
