"""EM routing (Hinton, Sabour & Frosst 2018, section 3 and Procedure 1).

One loop serves training and the laboratory. Means, variances and log densities of the
votes are products with the votes and their squares, so that no difference V - μ is
ever stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from capsnet_explorer.model.layers.dynamic import constant
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.layers.windows import Windows

EPSILON = 1e-8  # a capsule that no vote is assigned to has mass 0
# The least share of a child whose assignments are operated on: where one is held, the
# others may all have come out as 0, and still have the rest to share.
LEAST_SHARE = 1e-30
HEATING = 0.95  # the paper's code: λ_t is proportional to 1 - 0.95^(t+1)


@dataclass(frozen=True, slots=True)
class RoutingStep:
    """One iteration: an M-step, and the assignments that it used. Batch first.

    Attributes:
        assignments: R_ij (batch, positions, types, slots): a child's sum to 1 over all
            capsules above that see it, of every type and position.
        means: μ_j (batch, positions, types, numbers).
        variances: σ_j² (batch, positions, types, numbers), the floor included.
        costs: (batch, positions, types), summed over the numbers of a pose.
        logits: λ_t (β_a - cost), (batch, positions, types).
    """

    assignments: Tensor
    means: Tensor
    variances: Tensor
    costs: Tensor
    logits: Tensor

    @property
    def deviations(self) -> Tensor:
        """σ_j (batch, positions, types, numbers)."""
        return self.variances.sqrt()

    @property
    def activations(self) -> Tensor:
        """a_j, the logistic function of the logits: (batch, positions, types)."""
        return self.logits.sigmoid()


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of a layer that routing depends on besides its votes.

    Attributes:
        beta_u: β_u (types,), the cost of describing a number with no density.
        beta_a: β_a (types,), the cost at which a capsule is as likely active as not.
        inverse_temperature: λ (1,), that of the last iteration that training ran.
        trained_iterations: the number of iterations that training ran.
        variance_floor: added to every variance.
    """

    beta_u: Tensor
    beta_a: Tensor
    inverse_temperature: Tensor
    trained_iterations: int
    variance_floor: float


def heat(iteration: int, trained_iterations: int) -> float:
    """Return λ_t of iteration 0, 1, ... as a share of the last trained iteration's."""
    return (1 - HEATING ** (iteration + 1)) / (1 - HEATING**trained_iterations)


@dataclass(frozen=True, slots=True)
class Layer:
    """The windows of one layer, as the tensors that routing uses.

    Attributes:
        windows: of the layer.
        members: `windows.members()`.
        places: `windows.places()`.
        entries: `windows.entries()`.
        even: `windows.even(types)`.
    """

    windows: Windows
    members: Tensor
    places: Tensor
    entries: Tensor
    even: Tensor

    def to_slots(self, values: Tensor) -> Tensor:
        """Spread values of children (batch, children) to (batch, positions, slots)."""
        slots = values.index_select(1, self.members.flatten())
        return slots.unflatten(1, self.members.shape)


class Moments:
    """The votes V_ij and their squares side by side, which every iteration multiplies.

    Autograd would write a gradient of their size for each product and add these up,
    which takes longer than the products themselves. Each gradient is an outer product,
    so that one product of all their factors gives the sum.

    Args:
        votes: V_ij (batch, positions, types, slots, numbers).
    """

    def __init__(self, votes: Tensor) -> None:
        self._values = torch.cat([votes, votes.square()], dim=4)
        self._factors: list[tuple[Tensor, Tensor]] = []
        self._is_training = (
            self._values.requires_grad and not torch.compiler.is_compiling()
        )
        if self._is_training:
            self._values = _GradientOfFactors.apply(self._values, self._factors)

    def over_slots(self, weights: Tensor) -> Tensor:
        """Sum over children with weights (..., slots): (..., 2 numbers)."""
        return self._sum_over(weights, over_slots=True)

    def over_numbers(self, weights: Tensor) -> Tensor:
        """Sum over V and V² with weights (..., 2 numbers): (..., slots)."""
        return self._sum_over(weights, over_slots=False)

    def _sum_over(self, weights: Tensor, *, over_slots: bool) -> Tensor:
        if self._is_training:
            return _Sum.apply(weights, self._values, self._factors, over_slots)
        return _sum(weights, self._values if over_slots else self._values.mT)


class _GradientOfFactors(Function):
    """Passes moments on; their gradient is the sum of outer products of factors."""

    @staticmethod
    def forward(ctx: Any, moments: Tensor, factors: list[Any]) -> Tensor:
        ctx.factors = factors
        ctx.set_materialize_grads(False)  # none arrives: the factors have it all
        return moments.view_as(moments)

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, _: None
    ) -> tuple[Tensor, None]:
        slots = torch.stack([slots for slots, _ in ctx.factors], dim=-2)
        numbers = torch.stack([numbers for _, numbers in ctx.factors], dim=-2)
        ctx.factors.clear()
        return slots.mT @ numbers, None


class _Sum(Function):
    """A weighted sum of moments, which leaves their gradient's factors in a list."""

    @staticmethod
    def forward(
        ctx: Any, weights: Tensor, moments: Tensor, factors: list[Any], over_slots: bool
    ) -> Tensor:
        ctx.save_for_backward(weights, moments)
        ctx.factors, ctx.over_slots = factors, over_slots
        return _sum(weights, moments if over_slots else moments.mT)

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, gradient: Tensor
    ) -> tuple[Tensor, None, None, None]:
        weights, moments = ctx.saved_tensors
        if ctx.over_slots:
            ctx.factors.append((weights, gradient))
            return _sum(gradient, moments.mT), None, None, None
        ctx.factors.append((gradient, weights))
        return _sum(gradient, moments), None, None, None


def _sum(weights: Tensor, values: Tensor) -> Tensor:
    """Sum values (..., n, m) over their rows, with weights (..., n)."""
    return (weights[..., None, :] @ values)[..., 0, :]


def em_routing(
    votes: Tensor,
    activations: Tensor,
    layer: Layer,
    settings: Settings,
    iterations: int,
    surgery: Surgery | None = None,
    *,
    through_all: bool = True,
) -> Iterator[RoutingStep]:
    """Yield every iteration of routing, the first one first (Procedure 1).

    Args:
        votes: V_ij (batch, positions, types, slots, numbers).
        activations: a_i of the children, (batch, children) in [0, 1].
        layer: which capsules see which.
        settings: β_u, β_a, λ and the floor.
        iterations: at least 1.
        surgery: interventions; for a layer with one position, such as the classes.
        through_all: whether gradients flow through every iteration, as in training;
            otherwise assignments count as constants.

    Raises:
        ValueError: iterations are below 1.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    moments = Moments(votes)
    if surgery is not None:
        activations = activations.masked_fill(surgery.silenced, 0.0)
    presence = layer.to_slots(activations)[:, :, None]
    even_mass = (layer.even * presence).sum(dim=3) + EPSILON
    even = layer.even.expand(*votes.shape[:4])
    assignments = even if surgery is None else operate(even, surgery)
    step = m_step(moments, assignments, presence, even_mass, settings, 0)
    yield step
    for iteration in range(1, iterations):
        assignments = e_step(step, moments, layer)
        if surgery is not None:
            uniform = surgery.uniform[:, None, None, None]
            chosen = torch.where(uniform, even, assignments)
            assignments = operate(chosen, surgery)
        if not through_all:
            assignments = constant(assignments)
        step = m_step(moments, assignments, presence, even_mass, settings, iteration)
        yield step


def m_step(
    moments: Moments,
    assignments: Tensor,
    presence: Tensor,
    even_mass: Tensor,
    settings: Settings,
    iteration: int,
) -> RoutingStep:
    """Fit each capsule above to the votes assigned to it (Procedure 1, M-step).

    The cost is divided by the mass that even assignments would give, so that it does
    not grow with the number of children.

    Args:
        moments: of the votes.
        assignments: R_ij (batch, positions, types, slots).
        presence: a_i (batch, positions, 1, slots).
        even_mass: Σ_i R_ij a_i of even assignments (batch, positions, 1).
        settings: β_u, β_a, λ and the floor.
        iteration: counted from 0; λ depends on it.
    """
    weights = assignments * presence  # line 2: R_ij a_i
    mass = weights.sum(dim=3)
    summed = moments.over_slots(weights) / (mass + EPSILON)[..., None]
    means, squares = summed.chunk(2, dim=-1)  # line 3, and the second moments
    # line 4; rounding can make the difference of moments slightly negative
    floor = settings.variance_floor
    variances = (squares - means.square() + floor).clamp(min=floor)
    log_deviations = variances.log().sum(dim=-1) / 2
    unit_costs = means.shape[-1] * settings.beta_u + log_deviations
    costs = mass / even_mass * unit_costs  # line 5
    scale = settings.inverse_temperature * heat(iteration, settings.trained_iterations)
    logits = scale * (settings.beta_a - costs)  # line 6
    return RoutingStep(assignments, means, variances, costs, logits)


def e_step(step: RoutingStep, moments: Moments, layer: Layer) -> Tensor:
    """Assign each child to the capsules above (Procedure 1, E-step), in logarithms.

    Log densities lack a multiple of log 2π, which is the same for all capsules above.

    Returns:
        R_ij (batch, positions, types, slots).
    """
    halves = 0.5 / step.variances
    slopes = 2 * step.means * halves
    constants = (step.means * slopes + step.variances.log()).sum(dim=-1) / 2
    joint = F.logsigmoid(step.logits) - constants  # log a_j - what no vote changes
    weights = torch.cat([slopes, -halves], dim=-1)  # V μ / σ² - V² / 2 σ²
    logits = joint[..., None] + moments.over_numbers(weights)
    return softmax_over_parents(logits, layer)


def softmax_over_parents(logits: Tensor, layer: Layer) -> Tensor:
    """Return the softmax over every capsule above that sees a child.

    Those are of all types, and at all positions whose windows hold the child.

    Args:
        logits: (batch, positions, types, slots).
        layer: which capsules see which.

    Returns:
        The same shape.
    """
    positions, slots = layer.members.shape
    if positions == 1:
        return logits.softmax(dim=2)
    batch, types = len(logits), logits.shape[2]
    rows = logits.transpose(2, 3).flatten(1, 2)  # a row of types for each slot
    nowhere = rows.new_full((batch, 1, types), -torch.inf)
    padded = torch.cat([rows, nowhere], dim=1)
    by_child = padded.index_select(1, layer.places.flatten())
    shares = by_child.view(batch, len(layer.places), -1).softmax(dim=2)
    back = shares.view(batch, -1, types).index_select(1, layer.entries.flatten())
    return back.unflatten(1, (positions, slots)).transpose(2, 3)


def operate(assignments: Tensor, surgery: Surgery) -> Tensor:
    """Hold the assignments that surgery holds; (batch, 1, classes, children)."""
    logits = assignments.clamp(min=LEAST_SHARE).log()
    free = surgery.mask_held(logits[:, 0].mT)
    return surgery.insert_held(free.softmax(dim=2)).mT[:, None]
