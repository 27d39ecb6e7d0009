"""What is wrong with a description, in one sentence."""

import math
from pathlib import Path
from types import TracebackType

OURS = Path(__file__).parent


class Different(ValueError):
    """A description that does not reproduce the module.

    Args:
        message: one sentence: the layer, what differs, and what to do.
        layer: id of the first layer that differs.
        difference: the largest that was found, of what came nearest; infinite where
            nothing can be compared.
    """

    def __init__(
        self, message: str, *, layer: str, difference: float = math.inf
    ) -> None:
        super().__init__(message)
        self.layer = layer
        self.difference = difference


def without_ours(error: BaseException) -> BaseException:
    """Return a user's module's error without this package's part of its traceback."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and _is_ours(trace):
        trace = trace.tb_next
    return error.with_traceback(trace or error.__traceback__)


def _is_ours(trace: TracebackType) -> bool:
    file = Path(trace.tb_frame.f_code.co_filename)
    return OURS in file.parents or "torch" in file.parts
