"""EM routing for inference: the readable loop's results, computed by NumPy.

A layer's votes are small: 1.8 MB with their squares in the largest. Torch computes each
of some forty steps for a whole batch at once and divides it among threads, which costs
more than the step. Here one thread takes an image through all steps, so that its votes
stay in the processor's cache, with the slots of a window innermost in memory.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from capsnet_explorer.model.layers.em import EPSILON, LEAST_SHARE, RoutingStep, heat
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.matrix.config import POSE
from capsnet_explorer.model.matrix.layers import SIDE, MatrixCapsules

Array = np.ndarray


class Step(NamedTuple):
    """The fields of a `RoutingStep`, batch first or without a batch."""

    assignments: Array
    means: Array
    variances: Array
    costs: Array
    logits: Array


class Cut(NamedTuple):
    """Surgery on the routing of one image, for a layer with one position.

    Attributes:
        silenced: (children,) bool.
        is_uniform: whether assignments stay even.
        held: (types, children), the value at which R_ij is held; NaN where it is not.
    """

    silenced: Array
    is_uniform: bool
    held: Array

    def assign(self, assignments: Array) -> None:
        """Hold in assignments (1, types, children) what is held, as `operate` does.

        A child's other assignments share the rest in proportion.
        """
        is_held = ~np.isnan(self.held)
        children = is_held.any(axis=0)
        held = np.where(is_held, self.held, 0)[:, children]
        free = np.maximum(assignments[0][:, children], LEAST_SHARE)
        free[is_held[:, children]] = 0
        rest = 1 - held.sum(axis=0)
        assignments[0][:, children] = held + rest * free / free.sum(axis=0)


class PackedRouting:
    """Routes the capsules below one layer; takes the place of its readable loop.

    Args:
        layer: whose weights are copied; they must not change from then on.
    """

    def __init__(self, layer: MatrixCapsules) -> None:
        windows = layer.windows
        self.shape = (windows.positions, layer.types, windows.slots)
        self.variance_floor = layer.variance_floor
        self.trained_iterations = layer.iterations
        self.inverse_temperature = float(layer.inverse_temperature)
        self.beta_u = layer.beta_u.detach().numpy().copy()
        self.beta_a = layer.beta_a.detach().numpy().copy()
        self.members = layer.members.numpy()
        self.places = layer.places.T.contiguous().numpy()
        self.even = layer.even[:, 0].numpy()
        self.added = None if layer.added is None else layer.added.T.contiguous().numpy()
        self.transforms = _on_whole_poses(layer)

    def __call__(
        self,
        poses: torch.Tensor,
        activations: torch.Tensor,
        iterations: int,
        surgery: Surgery | None = None,
    ) -> tuple[RoutingStep, ...]:
        """Return every iteration, as `em_routing` does.

        Args:
            poses: M_i (batch, children, 16), on the CPU, in float32.
            activations: a_i (batch, children).
            iterations: at least 1.
            surgery: interventions; for a layer with one position.

        Raises:
            ValueError: iterations are below 1.
        """
        if iterations < 1:
            raise ValueError(f"iterations must be at least 1, got {iterations}")
        cuts = [None] * len(poses) if surgery is None else _cuts(surgery)
        steps = [self._empty(len(poses)) for _ in range(iterations)]
        images = zip(poses.numpy(), activations.numpy(), cuts, strict=True)
        for index, (below, active, cut) in enumerate(images):
            of_image = [Step(*(array[index] for array in step)) for step in steps]
            self._route(below, active, of_image, cut)
        return tuple(
            RoutingStep(*(torch.from_numpy(array) for array in step)) for step in steps
        )

    def _empty(self, batch: int) -> Step:
        """Return room for one iteration of every image."""
        positions, types, slots = self.shape
        above = (batch, positions, types)
        shapes = ((*above, slots), (*above, POSE), (*above, POSE), above, above)
        return Step(*(np.empty(shape, np.float32) for shape in shapes))

    def _route(
        self,
        poses: Array,
        activations: Array,
        steps: Sequence[Step],
        cut: Cut | None,
    ) -> None:
        """Route the capsules of one image into `steps`."""
        moments = self._moments(poses)
        if cut is not None:
            activations = np.where(cut.silenced, np.float32(0), activations)
        presence = activations[self.members]
        even_mass = (self.even * presence).sum(axis=1, keepdims=True) + EPSILON
        for iteration, step in enumerate(steps):
            if iteration == 0 or (cut is not None and cut.is_uniform):
                step.assignments[:] = self.even[:, None]
            else:
                self._e_step(steps[iteration - 1], moments, step.assignments)
            if cut is not None:
                cut.assign(step.assignments)
            self._m_step(moments, presence, even_mass, step, iteration)

    def _moments(self, poses: Array) -> Array:
        """Return V_ij and its squares: (positions, types, 32, slots)."""
        positions, types, slots = self.shape
        below = poses[self.members.T]
        votes = (below @ self.transforms).reshape(slots, -1).T  # slots innermost
        moments = np.empty((positions, types, 2 * POSE, slots), np.float32)
        kept = moments[:, :, :POSE]
        kept[:] = votes.reshape(kept.shape)
        if self.added is not None:
            kept += self.added
        np.square(kept, out=moments[:, :, POSE:])
        return moments

    def _m_step(
        self,
        moments: Array,
        presence: Array,
        even_mass: Array,
        step: Step,
        iteration: int,
    ) -> None:
        """Fit each capsule above to the votes assigned to it, as `m_step` does."""
        weights = step.assignments * presence[:, None]
        mass = weights.sum(axis=2)
        summed = (moments @ weights[..., None])[..., 0]
        summed /= (mass + EPSILON)[..., None]
        means, squares = summed[..., :POSE], summed[..., POSE:]
        floor = self.variance_floor
        step.means[:] = means
        np.maximum(squares - means * means + floor, floor, out=step.variances)
        unit_costs = POSE * self.beta_u + np.log(step.variances).sum(axis=2) / 2
        np.multiply(mass / even_mass, unit_costs, out=step.costs)
        scale = self.inverse_temperature * heat(iteration, self.trained_iterations)
        np.multiply(scale, self.beta_a - step.costs, out=step.logits)

    def _e_step(self, last: Step, moments: Array, assignments: Array) -> None:
        """Assign each child to the capsules above, as `e_step` does."""
        halves = 0.5 / last.variances
        slopes = 2 * last.means * halves
        constants = (last.means * slopes + np.log(last.variances)).sum(axis=2) / 2
        joint = -np.logaddexp(0, -last.logits) - constants
        weights = np.concatenate([slopes, -halves], axis=2)
        logits = (weights[:, :, None] @ moments)[:, :, 0]
        np.add(joint[..., None], logits, out=assignments)
        self._softmax_over_parents(assignments)

    def _softmax_over_parents(self, logits: Array) -> None:
        """Replace logits (positions, types, slots) by their softmax over each child.

        A child that fewer windows see than another has places behind the last slot.
        """
        largest = np.append(logits.max(axis=1), np.float32(-np.inf))
        logits -= largest[self.places].max(axis=0)[self.members][:, None]
        np.exp(logits, out=logits)
        sums = np.append(logits.sum(axis=1), np.float32(0))
        logits /= sums[self.places].sum(axis=0)[self.members][:, None]


def _cuts(surgery: Surgery) -> list[Cut]:
    """Return what is changed in the routing of each image."""
    silenced, uniform = surgery.silenced.numpy(), surgery.uniform.tolist()
    return list(map(Cut, silenced, uniform, surgery.held.mT.numpy()))


def _on_whole_poses(layer: MatrixCapsules) -> Array:
    """Return W_ij as matrices that map a whole pose: (slots, 16, types * 16).

    Each has W_ij four times on its diagonal, once for each row of a pose. One product
    with such a matrix takes a quarter of the time of four times as many small ones.
    """
    rows = torch.eye(SIDE)
    transforms = layer.slot_transforms.detach()
    whole = torch.einsum("stbc,ae->sabtec", transforms, rows)
    slots, types = transforms.shape[:2]
    return whole.reshape(slots, POSE, types * POSE).contiguous().numpy()
