"""What the guide can say of a CapsNet's trace."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from capsnet_explorer.app.content.guide.quantities import SCORES, Quantity, Rerun, zeros
from capsnet_explorer.app.engines.protocol import Numbers, Trace

LONG = 0.5  # a digit longer than this is rather there than not
WIDE = 0.2  # a coupling of twice the equal split


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
    contributions = _contributions(trace)
    return float(contributions.sum((1, 2)).max() / contributions.clip(0).sum())


def _largest_share(trace: Trace) -> float:
    contributions = _contributions(trace)
    return float(contributions.max() / contributions.clip(0).sum())


def _types_until_absent(trace: Trace, run: Callable[[Mapping[str, Any]], Trace]) -> int:
    """Return how many types fall silent, the strongest first, until the winner does."""
    types, rows, columns = _contributions(trace).shape
    cells = rows * columns
    ranked = np.argsort(-_contributions(trace).sum((1, 2)), kind="stable")
    for count in range(1, types):
        silent = [
            type * cells + cell for type in ranked[:count] for cell in range(cells)
        ]
        lengths = run({"silence": [int(kind) for kind in silent]}).tensors["scores"]
        if lengths[trace.prediction] < LONG:
            return count
    return types


def _lengths_in_course(trace: Trace) -> Numbers:
    """Return the winner's length after each iteration."""
    return np.linalg.norm(
        trace.tensors["routing.capsules"][:, trace.prediction], axis=-1
    )


def _couplings_to_winner(trace: Trace) -> Numbers:
    return trace.tensors["routing.couplings"][..., trace.prediction]


def _error(trace: Trace) -> float:
    """Return the mean squared difference of reconstruction and input, a pixel."""
    difference = trace.tensors["reconstruction"] - trace.tensors["input"]
    return float((difference**2).mean())


_ROUTED = ("routing.couplings", "routing.agreement", "routing.capsules")

QUANTITIES: Mapping[str, Quantity | Rerun] = {
    **SCORES,
    "length": SCORES["score"],
    "second-length": SCORES["second-score"],
    "long": Quantity(
        ("scores",), lambda trace: int((trace.tensors["scores"] > LONG).sum())
    ),
    "error": Quantity(("reconstruction", "input"), _error),
    "zeros": zeros("conv1.relu"),
    "primary-capsules": Quantity(
        ("primary.lengths",), lambda trace: trace.tensors["primary.lengths"].size
    ),
    # A vote's matrix has a weight for each number of the capsule and of the vote.
    "transform-weights": Quantity(
        ("primary.capsules", "digits.capsules"),
        lambda trace: (
            trace.tensors["primary.capsules"].size
            * trace.tensors["digits.capsules"].size
        ),
    ),
    "longest-primary": Quantity(
        ("primary.lengths",),
        lambda trace: float(trace.tensors["primary.lengths"].max()),
    ),
    "median-primary": Quantity(
        ("primary.lengths",),
        lambda trace: float(np.median(trace.tensors["primary.lengths"])),
    ),
    "long-primaries": Quantity(
        ("primary.lengths",),
        lambda trace: int((trace.tensors["primary.lengths"] > LONG).sum()),
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
    "wide-couplings": Quantity(
        ("routing.couplings",),
        lambda trace: int((_couplings_to_winner(trace)[-1] > WIDE).sum()),
    ),
    "against": Quantity(_ROUTED, lambda trace: int((_contributions(trace) < 0).sum())),
    "strongest-type": Quantity(_ROUTED, _strongest_type),
    "strongest-share": Quantity(_ROUTED, _strongest_share),
    "largest-share": Quantity(_ROUTED, _largest_share),
    "types-until-absent": Rerun((*_ROUTED, "scores"), _types_until_absent),
}
