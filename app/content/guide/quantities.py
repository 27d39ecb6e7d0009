"""What the guide's texts can say of a trace, and the tensors each quantity needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engines.protocol import Numbers, Trace

LONG = 0.5  # a digit longer than this is rather there than not

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


def _ranked(scores: Numbers, place: int) -> int:
    """Return the class with the largest score, place 0, or one after it."""
    return int(np.argsort(-scores, kind="stable")[place])


def _score(place: int) -> Callable[[Trace], Value]:
    return lambda trace: float(np.sort(trace.tensors["scores"])[::-1][place])


def _contributions(trace: Trace) -> Numbers:
    """Return what each capsule gives to the winner's length before squash.

    ‖s‖ = Σ c (û·v) ∕ ‖v‖ in the last iteration: (types, rows, columns).
    """
    winner = trace.prediction
    couplings = trace.tensors["routing.couplings"][-1][..., winner]
    agreement = trace.tensors["routing.agreement"][-1][..., winner]
    length = np.linalg.norm(trace.tensors["routing.capsules"][-1][winner])
    return couplings * agreement / length


def _strongest_type(trace: Trace) -> int:
    return int(_contributions(trace).sum((1, 2)).argmax())


def _strongest_share(trace: Trace) -> float:
    given = _contributions(trace)
    return float(given.sum((1, 2)).max() / given.sum())


def _lengths_in_course(trace: Trace) -> Numbers:
    """Return the winner's length after each iteration."""
    return np.linalg.norm(
        trace.tensors["routing.capsules"][:, trace.prediction], axis=-1
    )


def _couplings_to_winner(trace: Trace) -> Numbers:
    return trace.tensors["routing.couplings"][..., trace.prediction]


def _share_lost(pool: str, below: str) -> Callable[[Trace], Value]:
    """Return the share of a layer's activation that pooling throws away."""

    def share(trace: Trace) -> float:
        whole = float(trace.tensors[below].sum())
        return 0.0 if whole == 0 else 1 - float(trace.tensors[pool].sum()) / whole

    return share


def _zeros(name: str) -> Callable[[Trace], Value]:
    return lambda trace: float((trace.tensors[name] == 0).mean())


def _error(trace: Trace) -> float:
    """Return the mean squared difference of reconstruction and input, a pixel."""
    difference = trace.tensors["reconstruction"] - trace.tensors["input"]
    return float((difference**2).mean())


_SCORES: Mapping[str, Quantity] = {
    "answer": Quantity((), lambda trace: trace.prediction),
    "score": Quantity(("scores",), _score(0)),
    "second": Quantity(("scores",), lambda trace: _ranked(trace.tensors["scores"], 1)),
    "second-score": Quantity(("scores",), _score(1)),
    "sum": Quantity(("scores",), lambda trace: float(trace.tensors["scores"].sum())),
}
_ROUTED = ("routing.couplings", "routing.agreement", "routing.capsules")

_CAPSNET: Mapping[str, Quantity] = {
    **_SCORES,
    "length": _SCORES["score"],
    "second-length": _SCORES["second-score"],
    "long": Quantity(
        ("scores",), lambda trace: int((trace.tensors["scores"] > LONG).sum())
    ),
    "error": Quantity(("reconstruction", "input"), _error),
    "zeros": Quantity(("conv1.relu",), _zeros("conv1.relu")),
    "primary-capsules": Quantity(
        ("primary.lengths",), lambda trace: trace.tensors["primary.lengths"].size
    ),
    "longest-primary": Quantity(
        ("primary.lengths",),
        lambda trace: float(trace.tensors["primary.lengths"].max()),
    ),
    "median-primary": Quantity(
        ("primary.lengths",),
        lambda trace: float(np.median(trace.tensors["primary.lengths"])),
    ),
    "first-length": Quantity(
        ("routing.capsules",), lambda trace: float(_lengths_in_course(trace)[0])
    ),
    "largest-coupling": Quantity(
        ("routing.couplings",),
        lambda trace: float(_couplings_to_winner(trace)[-1].max()),
    ),
    "mean-coupling": Quantity(
        ("routing.couplings",),
        lambda trace: float(_couplings_to_winner(trace)[-1].mean()),
    ),
    "against": Quantity(_ROUTED, lambda trace: int((_contributions(trace) < 0).sum())),
    "strongest-type": Quantity(_ROUTED, _strongest_type),
    "strongest-share": Quantity(_ROUTED, _strongest_share),
}

_CNN: Mapping[str, Quantity] = {
    **_SCORES,
    "probability": _SCORES["score"],
    "second-probability": _SCORES["second-score"],
    "zeros": Quantity(("conv1.relu",), _zeros("conv1.relu")),
    "lost": Quantity(("pool1", "conv1.relu"), _share_lost("pool1", "conv1.relu")),
}

_MATRIX: Mapping[str, Quantity] = {
    **_SCORES,
    "activation": _SCORES["score"],
    "second-activation": _SCORES["second-score"],
}

QUANTITIES: Mapping[str, Mapping[str, Quantity]] = {
    "capsnet": _CAPSNET,
    "cnn": _CNN,
    "matrix": _MATRIX,
}


def as_single(trace: Trace) -> Trace:
    """Return a trace whose tensors are all in single precision."""
    tensors: dict[str, Any] = {
        name: np.asarray(values, np.float32) for name, values in trace.tensors.items()
    }
    return replace(trace, tensors=tensors)
