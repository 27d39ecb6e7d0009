"""Which value of each window pooling takes, for windows of any size."""

from torch import Tensor


def winners(maps: Tensor, size: int) -> Tensor:
    """Return which value of each window is the largest; the first if several are.

    Args:
        maps: (..., rows, columns); what is left over at the right and below is dropped.
        size: side of the windows, which do not overlap.

    Returns:
        (..., rows // size, columns // size) int64, row by row from 0.
    """
    windows = maps.unfold(-2, size, size).unfold(-2, size, size)
    return windows.flatten(-2).argmax(dim=-1)
