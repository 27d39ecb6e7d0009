"""What the guide's texts can say of a trace of any network."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from capsnet_explorer.app.engines.protocol import Numbers, Trace

Value = float | int | str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a word that follows from one trace.

    Attributes:
        needs: the tensors it is computed from.
        of: returns the value.
    """

    needs: tuple[str, ...]
    of: Callable[[Trace], Value]


@dataclass(frozen=True, slots=True)
class Rerun:
    """A number that follows from several runs of one image.

    Attributes:
        needs: the tensors of each run that it is computed from.
        of: takes the trace, and what runs the image again with options as in a
            request; returns the value.
    """

    needs: tuple[str, ...]
    of: Callable[[Trace, Callable[[Mapping[str, Any]], Trace]], Value]


def _ranked(scores: Numbers, rank: int) -> int:
    """Return the class with the largest score, place 0, or one after it."""
    return int(np.argsort(-scores, kind="stable")[rank])


def _score(rank: int) -> Callable[[Trace], Value]:
    return lambda trace: float(np.sort(trace.tensors["scores"])[::-1][rank])


def zeros(name: str) -> Quantity:
    """Return the share of a tensor's values that are exactly 0."""
    return Quantity((name,), lambda trace: float((trace.tensors[name] == 0).mean()))


SCORES: Mapping[str, Quantity] = {
    "answer": Quantity((), lambda trace: trace.prediction),
    "score": Quantity(("scores",), _score(0)),
    "second": Quantity(("scores",), lambda trace: _ranked(trace.tensors["scores"], 1)),
    "second-score": Quantity(("scores",), _score(1)),
    "sum": Quantity(("scores",), lambda trace: float(trace.tensors["scores"].sum())),
}


def as_single(trace: Trace) -> Trace:
    """Return a trace whose tensors are all in single precision."""
    tensors: dict[str, Any] = {
        name: np.asarray(values, np.float32) for name, values in trace.tensors.items()
    }
    return replace(trace, tensors=tensors)
