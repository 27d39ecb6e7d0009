"""What a trace offers by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor


@dataclass(frozen=True, slots=True)
class NamedTensor:
    """One tensor of a trace.

    Attributes:
        title: a one-line description.
        shape: for one image, with the network's default options.
        read: extracts one image's tensor from the trace of a batch.
        is_large: whether it has thousands of numbers, which binary responses store in
            half precision.
        is_optional: whether only requests that name it get it, because it is very large
            or rarely used.
    """

    title: str
    shape: tuple[int, ...]
    read: Callable[[Any, int], Tensor]
    is_large: bool = True
    is_optional: bool = False
