"""EM routing as one differentiable operation, with compiled loops."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from capsnet_explorer.model.layers.em import RoutingStep
from capsnet_explorer.model.matrix.compiled import kernels
from capsnet_explorer.model.matrix.config import POSE
from capsnet_explorer.model.matrix.layers import MatrixCapsules

# A type checker counts their arguments, which come in lists here.
FORWARD: Callable[..., None] = kernels.forward
BACKWARD: Callable[..., None] = kernels.backward


def compiled_routing(
    capsules: MatrixCapsules, poses: Tensor, activations: Tensor, iterations: int
) -> tuple[RoutingStep, ...]:
    """Return every iteration; only the last one's means and logits have gradients.

    Args:
        capsules: the layer above.
        poses: M_i (batch, children, 16), on the CPU, in float32.
        activations: a_i (batch, children).
        iterations: at least 1.
    """
    layer, settings, added = capsules.layer, capsules.settings, capsules.added
    transforms = capsules.slot_transforms.flatten(2)
    positions, types = layer.windows.positions, len(settings.beta_u)
    scales = torch.cat([settings.inverse_temperature_at(t) for t in range(iterations)])
    slots = layer.windows.slots
    plus = poses.new_zeros(POSE, slots) if added is None else added.T.contiguous()
    means, logits, *rest = _Routing.apply(
        poses.contiguous(),
        activations.contiguous(),
        transforms.permute(1, 2, 0).contiguous(),
        settings.beta_u,
        settings.beta_a,
        plus,
        layer.seen,
        layer.even[:, 0].contiguous(),
        scales,
        settings.variance_floor,
    )
    shape = (positions, types)
    assignments, all_means, variances, costs, all_logits = (
        each.unflatten(2, shape).unbind(1) for each in rest
    )
    steps = [
        RoutingStep(*each)
        for each in zip(
            assignments, all_means, variances, costs, all_logits, strict=True
        )
    ]
    last = RoutingStep(
        assignments[-1],
        means.unflatten(1, shape),
        variances[-1],
        costs[-1],
        logits.unflatten(1, shape),
    )
    return (*steps[:-1], last)


class _Routing(torch.autograd.Function):
    """The compiled loops, forwards and backwards."""

    @staticmethod
    def forward(
        ctx: Any,
        poses: Tensor,
        activations: Tensor,
        transforms: Tensor,
        beta_u: Tensor,
        beta_a: Tensor,
        added: Tensor,
        seen: Tensor,
        even: Tensor,
        scales: Tensor,
        floor: float,
    ) -> tuple[Tensor, ...]:
        batch, steps = len(poses), len(scales)
        above = len(seen) * len(transforms)
        found = (
            poses.new_empty(batch, steps, above, seen.shape[1]),
            poses.new_empty(batch, steps, above, POSE),
            poses.new_empty(batch, steps, above, POSE),
            poses.new_empty(batch, steps, above),
            poses.new_empty(batch, steps, above),
        )
        _, means, _, _, logits = found
        shared = _arrays(transforms, added, seen, even, beta_u, beta_a, scales)
        own = _arrays(poses, activations)
        results = _arrays(*found)

        def route(part: slice) -> None:
            FORWARD(
                *(each[part] for each in own),
                *shared,
                np.float32(floor),
                *(each[part] for each in results),
            )

        _in_parts(route, batch)
        ctx.save_for_backward(
            *(poses, activations, transforms, added, seen, even, beta_u, scales),
            *found,
        )
        ctx.floor = floor
        ctx.mark_non_differentiable(*found)
        return (means[:, -1].clone(), logits[:, -1].clone(), *found)

    @staticmethod
    def backward(ctx: Any, *changes: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
        to_means, to_logits = changes[:2]
        poses, activations, transforms, *others = ctx.saved_tensors
        added, seen, even, beta_u, scales, *found = others
        to_poses, to_activations = (
            torch.zeros_like(poses),
            torch.zeros_like(activations),
        )
        own = _arrays(poses, activations)
        shared = _arrays(transforms, added, seen, even, beta_u, scales)
        per_image = _arrays(
            *found,
            to_means.contiguous(),
            to_logits.contiguous(),
            to_poses,
            to_activations,
        )

        def route(part: slice) -> list[np.ndarray]:
            to_shared = [
                np.zeros(transforms.shape, np.float32),
                np.zeros(len(beta_u), np.float32),
                np.zeros(len(beta_u), np.float32),
            ]
            BACKWARD(
                *(each[part] for each in own),
                *shared,
                np.float32(ctx.floor),
                *(each[part] for each in per_image),
                *to_shared,
            )
            return to_shared

        parts = _in_parts(route, len(poses))
        totals = [torch.from_numpy(sum(each)) for each in zip(*parts, strict=True)]
        return (to_poses, to_activations, *totals, *[None] * 5)


def _arrays(*tensors: Tensor) -> list[np.ndarray]:
    return [each.detach().numpy() for each in tensors]


def _in_parts(job: Callable[[slice], Any], count: int) -> list[Any]:
    """Divide a batch among as many threads as torch uses, and wait for all."""
    threads = min(torch.get_num_threads(), count)
    if threads == 1:
        return [job(slice(0, count))]
    edges = [round(part * count / threads) for part in range(threads + 1)]
    parts: Sequence[slice] = [slice(*each) for each in pairwise(edges)]
    return list(_pool(threads).map(job, parts))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="routing")
