"""What a decoded picture does while its pose moves: change, correlation, remainder."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.model.measuring.shapes import (
    PROPERTIES,
    Pictures,
    Values,
    measure_shapes,
)

Decode = Callable[[NDArray[np.floating]], Pictures]  # (count, numbers) to pictures

# One unit of each property, in which their changes are compared: about a standard
# deviation over MNIST's training digits of one class. Two exceptions follow from
# MNIST's form: place varies as in training, by up to 2 px either way, and height like
# width, because MNIST scales all digits to one height.
UNITS = {
    "thickness": 0.65,  # px
    "slant": 14.0,  # degrees
    "width": 2.5,  # px
    "height": 2.5,  # px
    "x": 1.4,  # px
    "y": 1.4,  # px
    "loops": 20.0,  # px²
    "tail": 25.0,  # px²
    "head": 2.5,  # px
    "foot": 2.5,  # px
    "bow": 2.2,  # px
}

BATCH = 1000  # pictures measured at a time
MOST_WITHOUT = 0.5  # share of poses whose pictures may lack a property
TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """What a move does to one property.

    Attributes:
        name: the property.
        correlation: of the amount moved and the property, in [-1, 1]. Each pose's own
            mean is subtracted first, so that differences between poses do not count.
        slope: change of the property for each unit of the amount, in px, px² or
            degrees; the least-squares line over all poses.
    """

    name: str
    correlation: float
    slope: float

    @property
    def units(self) -> float:
        """The slope in `UNITS` of the property."""
        return self.slope / UNITS[self.name]


def shapes_of(decode: Decode, poses: NDArray[np.floating]) -> dict[str, Values]:
    """Decode (..., numbers) poses and measure their pictures: (...) per property."""
    flat = poses.reshape(-1, poses.shape[-1])
    parts = [
        measure_shapes(decode(flat[start : start + BATCH]))
        for start in range(0, len(flat), BATCH)
    ]
    return {
        name: np.concatenate([part[name] for part in parts]).reshape(poses.shape[:-1])
        for name in PROPERTIES
    }


def changes(amounts: Values, shapes: dict[str, Values]) -> list[Change]:
    """Return what a move does to each property.

    Properties that more than half of the poses lack at some step are left out.

    Args:
        amounts: (steps,), how far each step moves; not all equal.
        shapes: (poses, steps) per property.
    """
    moves = []
    for name, values in shapes.items():
        is_whole = np.isfinite(values).all(axis=1)
        if is_whole.mean() >= 1 - MOST_WITHOUT:
            moves.append(_change(name, amounts, values[is_whole]))
    return moves


def _change(name: str, amounts: Values, values: Values) -> Change:
    across = np.broadcast_to(amounts - amounts.mean(), values.shape)
    up = values - values.mean(axis=1, keepdims=True)
    product, squares = (across * up).sum(), (across**2).sum()
    spread = np.sqrt(squares * (up**2).sum())
    correlation = product / spread if spread > TINY else 0.0
    return Change(name, float(correlation), float(product / squares))


def unexplained(before: Pictures, after: Pictures) -> float:
    """Return the share of a change that no simple change of the whole digit explains.

    Each picture's change is projected on what small changes of place, slant, width,
    height and thickness would do to it (tangent vectors, Simard et al. 1998). The rest
    has changed the digit's form: its loops, ends and curves, or its greys.

    Args:
        before: (count, rows, columns).
        after: same shape, a little later.

    Returns:
        Sum of the squared rests over the sum of the squared changes, in [0, 1]; 0 if
        nothing changes.
    """
    changed = (after - before).reshape(len(before), -1).astype(np.float64)
    tangents = _tangents((before + after).astype(np.float64) / 2)
    products = tangents @ tangents.mT
    scale = np.trace(products, axis1=1, axis2=2)[:, None, None]
    products += (1e-6 * scale + TINY) * np.eye(len(products[0]))
    along = tangents @ changed[:, :, None]
    explained = (along * np.linalg.solve(products, along)).sum()
    total = (changed**2).sum()
    return float(np.clip(1 - explained / total, 0, 1)) if total > TINY else 0.0


def _tangents(ink: Values) -> Values:
    """Return (count, 6, pixels): what six small changes do to each picture."""
    down, across = np.gradient(ink, axis=(1, 2))
    total = np.maximum(ink.sum(axis=(1, 2)), TINY)
    rows, columns = np.arange(ink.shape[1]), np.arange(ink.shape[2])
    y = ink.sum(axis=2) @ rows / total
    x = ink.sum(axis=1) @ columns / total
    below = (rows - y[:, None])[:, :, None]
    right = (columns - x[:, None])[:, None, :]
    kinds = (
        *(across, down),  # place
        across * below,  # slant
        *(across * right, down * below),  # width and height
        np.hypot(across, down),  # thickness
    )
    return np.stack(kinds, axis=1).reshape(len(ink), len(kinds), -1)
