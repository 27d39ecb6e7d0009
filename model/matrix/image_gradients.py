"""EM routing with gradients with respect to images, as attacks take them.

The results of `PackedRouting`, and their way back by hand: torch records some forty
operations for each layer, and every one on the way back writes all votes anew. Here the
gradient of the moments is one product of what the steps collected. Measurements take
thousands of gradients, and route with training's compiled loops where Numba is
installed: these take a third of the time, but half a minute when they first run.
"""

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from capsnet_explorer.model.layers.em import EPSILON, RoutingStep
from capsnet_explorer.model.matrix.compiled import compiled
from capsnet_explorer.model.matrix.config import POSE
from capsnet_explorer.model.matrix.network import MatrixNetwork
from capsnet_explorer.model.matrix.serving.routing import (
    Array,
    Kept,
    PackedRouting,
    Step,
    steps_of,
)

MEANS, LOGITS = Step._fields.index("means"), Step._fields.index("logits")


class _Slopes(NamedTuple):
    """Gradients with respect to what one iteration found; as in `Step`."""

    means: Array
    variances: Array
    logits: Array


class _OuterProducts:
    """A sum of products of a vector over the moments and one over the slots."""

    def __init__(self) -> None:
        self._over_moments: list[Array] = []
        self._over_slots: list[Array] = []

    def add(self, over_moments: Array, over_slots: Array) -> None:
        """Add (positions, types, 32) times (positions, types, slots)."""
        self._over_moments.append(over_moments)
        self._over_slots.append(over_slots)

    def sum(self) -> Array:
        """Return (positions, types, 32, slots)."""
        return np.stack(self._over_moments, axis=3) @ np.stack(self._over_slots, axis=2)


class DifferentiableRouting(PackedRouting):
    """Routes the capsules below one layer, with gradients of its last iteration.

    Of the last iteration, means and logits have gradients; nothing else is read of a
    layer by what lies above it.
    """

    def __call__(
        self, poses: Tensor, activations: Tensor, iterations: int
    ) -> tuple[RoutingStep, ...]:
        """Return every iteration, as `em_routing` does without surgery."""
        if iterations < 1:
            raise ValueError(f"iterations must be at least 1, got {iterations}")
        found = _Route.apply(poses, activations, self, iterations)
        size = len(Step._fields)
        starts = range(0, len(found), size)
        return tuple(RoutingStep(*found[k : k + size]) for k in starts)

    def way_back(
        self, kept: Kept, steps: Sequence[Step], means: Array, logits: Array
    ) -> tuple[Array, Array]:
        """Return the gradients of one image's poses and activations below.

        Args:
            kept: of the way there.
            steps: of the way there.
            means: gradient of the last iteration's, (positions, types, 16).
            logits: gradient of the last iteration's, (positions, types).

        Returns:
            (children, 16) and (children,).
        """
        of_moments = _OuterProducts()
        of_presence = np.zeros_like(kept.presence)
        of_even_mass = np.zeros_like(kept.even_mass)
        slopes = _Slopes(means, np.zeros_like(means), logits)
        for iteration in reversed(range(len(steps))):
            step = steps[iteration]
            of_weights, of_mass = self._through_m_step(
                kept, step, slopes, of_moments, self.scale(iteration)
            )
            of_even_mass -= of_mass
            of_presence += (of_weights * step.assignments).sum(axis=1)
            if iteration:
                of_assignments = of_weights * kept.presence[:, None]
                slopes = self._through_e_step(
                    kept, step, steps[iteration - 1], of_assignments, of_moments
                )
        of_presence += of_even_mass * self.even
        return self._to_poses(kept, of_moments.sum()), self._to_children(of_presence)

    def _through_m_step(
        self,
        kept: Kept,
        step: Step,
        slopes: _Slopes,
        of_moments: _OuterProducts,
        scale: float,
    ) -> tuple[Array, Array]:
        """Return the gradient of R_ij a_i, and what to take off that of the even mass.

        Returns:
            (positions, types, slots) and (positions, 1).
        """
        weights = step.assignments * kept.presence[:, None]
        mass = weights.sum(axis=2)
        each = POSE * self.beta_u + np.log(step.variances).sum(axis=2) / 2
        of_costs = -scale * slopes.logits / kept.even_mass
        of_deviations = (of_costs * mass)[..., None] / 2  # of their logarithms
        # But for rounding, no variance is held at its floor.
        of_squares = slopes.variances + of_deviations / step.variances
        of_means = slopes.means - 2 * step.means * of_squares
        squares = step.variances - self.variance_floor + step.means**2
        summed = of_means * step.means + of_squares * squares
        of_mass = of_costs * each - summed.sum(axis=2) / (mass + EPSILON)
        of_sums = np.concatenate([of_means, of_squares], axis=2)
        of_sums /= (mass + EPSILON)[..., None]
        of_moments.add(of_sums, weights)
        of_weights = (of_sums[:, :, None] @ kept.moments)[:, :, 0] + of_mass[..., None]
        of_even = (of_costs * mass * each).sum(axis=1, keepdims=True) / kept.even_mass
        return of_weights, of_even

    def _through_e_step(
        self,
        kept: Kept,
        step: Step,
        last: Step,
        of_assignments: Array,
        of_moments: _OuterProducts,
    ) -> _Slopes:
        """Return the gradients of the iteration that a step's assignments follow."""
        shares = step.assignments * of_assignments
        sums = np.append(shares.sum(axis=1), np.float32(0))
        by_child = sums[self.places].sum(axis=0)[self.seen][:, None]
        of_logits = shares - step.assignments * by_child
        inverse = 1 / last.variances
        slopes = last.means * inverse
        of_moments.add(np.concatenate([slopes, -0.5 * inverse], axis=2), of_logits)
        found = (kept.moments @ of_logits[..., None])[..., 0]
        of_slopes, of_halves = found[..., :POSE], found[..., POSE:]
        of_joint = of_logits.sum(axis=2)
        return _Slopes(
            means=inverse * of_slopes - of_joint[..., None] * slopes,
            variances=inverse * (0.5 * inverse * of_halves - slopes * of_slopes)
            - of_joint[..., None] * (inverse - slopes**2) / 2,
            logits=of_joint * np.exp(-np.logaddexp(0, last.logits)),
        )

    def _to_poses(self, kept: Kept, of_moments: Array) -> Array:
        """Return the gradient of the poses below: (children, 16)."""
        positions, types, slots = self.shape
        votes = kept.moments[:, :, :POSE]
        of_votes = of_moments[:, :, :POSE] + 2 * votes * of_moments[:, :, POSE:]
        by_slot = of_votes.reshape(positions, types * POSE, slots).transpose(2, 0, 1)
        of_below = by_slot @ self.transforms.transpose(0, 2, 1)
        return self._to_children(of_below.transpose(1, 0, 2))

    def _to_children(self, values: Array) -> Array:
        """Add up (positions, slots, ...) by children: (children, ...)."""
        flat = values.reshape(-1, *values.shape[2:])
        padded = np.concatenate([flat, np.zeros_like(flat[:1])])
        return padded[self.places].sum(axis=0)


class _Route(torch.autograd.Function):
    """`DifferentiableRouting` as a step of torch's; its answers one after another."""

    @staticmethod
    def forward(
        ctx: Any,
        poses: Tensor,
        activations: Tensor,
        routing: DifferentiableRouting,
        iterations: int,
    ) -> tuple[Tensor, ...]:
        steps = [routing.empty(len(poses)) for _ in range(iterations)]
        ctx.kept = [
            routing.route(*image, steps_of(steps, place))
            for place, image in enumerate(
                zip(poses.numpy(), activations.numpy(), strict=True)
            )
        ]
        ctx.routing, ctx.steps = routing, steps
        found = [torch.from_numpy(each) for step in steps for each in step]
        last = len(found) - len(Step._fields)
        differentiable = {last + MEANS, last + LOGITS}
        ctx.mark_non_differentiable(
            *(each for k, each in enumerate(found) if k not in differentiable)
        )
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor, Tensor, None, None]:
        last = slopes[-len(Step._fields) :]
        found = [
            ctx.routing.way_back(
                kept, steps_of(ctx.steps, place), means.numpy(), logits.numpy()
            )
            for place, (kept, means, logits) in enumerate(
                zip(ctx.kept, last[MEANS], last[LOGITS], strict=True)
            )
        ]
        poses, activations = zip(*found, strict=True)
        return (
            torch.from_numpy(np.stack(poses)),
            torch.from_numpy(np.stack(activations)),
            None,
            None,
        )


def differentiable(
    network: MatrixNetwork, *, may_compile: bool = False
) -> MatrixNetwork:
    """Return an equivalent of `network` for gradients with respect to images.

    It has none with respect to weights. It copies them; they must not change.

    Args:
        network: stays as it is.
        may_compile: whether to route with compiled loops where Numba is installed.
    """
    fast = copy.deepcopy(network).eval().requires_grad_(False)
    for layer in fast.routed_layers:
        loops = compiled(layer) if may_compile else None
        layer.faster = loops or DifferentiableRouting(layer)
    return fast
