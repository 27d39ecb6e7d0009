"""How capsules are routed to the next ones: all the ways that are tried."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import torch
from torch import Tensor, nn

from capsnet_explorer.model.described.capsules.squashes import OTHERS, PAPER, Curve
from capsnet_explorer.model.described.layers import Routing
from capsnet_explorer.model.described.routing.em import Em
from capsnet_explorer.model.described.routing.matrices import Layout, matrices
from capsnet_explorer.model.described.routing.windows import First, Window, by_grid
from capsnet_explorer.model.layers.attention import AttentionStep
from capsnet_explorer.model.layers.dynamic import (
    RoutingStep,
    Votes,
    routing_steps,
    shares_among_capsules,
    shares_beside_none,
    shares_of_each,
)
from capsnet_explorer.model.layers.surgery import Surgery

MOST_ITERATIONS = 5  # that are tried

# What squash shrinks: the axes of (batch, classes, size) that it sums over.
SQUASHES: dict[str, tuple[int, ...]] = {"capsule": (2,), "classes": (1,), "number": ()}

# What the softmax of the logits runs over.
Axis = Literal["classes", "capsules", "classes and none"]
SHARES: dict[Axis, Callable[[Tensor], Tensor]] = {
    "classes": shares_of_each,
    "capsules": shares_among_capsules,
    "classes and none": shares_beside_none,
}

SHARINGS = ("no", "mean", "sum")

# What attention divides dot products by, of the numbers of a capsule below and above.
SCALES: dict[str, Callable[[int, int], float]] = {
    "√ in size": lambda below, _above: math.sqrt(below),
    "√ out size": lambda _below, above: math.sqrt(above),
    "1": lambda _below, _above: 1.0,
}


AS_HERE = Layout()


@dataclass(frozen=True)
class Prior:
    """Logits that routing begins with.

    Attributes:
        name: of the parameter, as the module's code has it; `given` if the user did.
        values: (in, out).
    """

    name: str
    values: Tensor = field(compare=False)


@dataclass(frozen=True)
class Bias:
    """What is added to the weighted sum of the votes.

    Attributes:
        name: of the parameter, as the module's code has it; `given` if the user did.
        values: (out, out size).
        when: in `each` iteration, or in the `last`.
    """

    name: str
    values: Tensor = field(compare=False)
    when: Literal["each", "last"] = "each"


@dataclass(frozen=True)
class Way:
    """A way to route.

    Attributes:
        layout: of the module's W.
        form: `dynamic`, `attention`, `em` or `self`.
        axis: the softmax runs over the `classes`, as in the paper, over the `capsules`,
            or over `classes and none`: one more, which takes what no class claims.
        squash: what is shrunk to a length below 1, one of `SQUASHES`.
        curve: how a length is shortened.
        prior: logits to begin with; None begins with 0. Of attention, what is added to
            the couplings; of self-routing, to its logits.
        bias: added to the weighted sum; None adds nothing.
        shared: whether all images of a batch have the same logits, which add up the
            `mean` or the `sum` of all agreements.
        scale: of attention, one of `SCALES`.
        iterations: how many; attention has one.
        em: how EM routes; of this form, nothing else is said but the iterations.
        window: the places that capsules read; None reads all.
        votes: of self-routing in windows, the layout of the W that makes votes.
    """

    layout: Layout = AS_HERE
    form: Literal["dynamic", "attention", "em", "self"] = "dynamic"
    axis: Axis = "classes"
    squash: str = "capsule"
    curve: Curve = PAPER
    prior: Prior | None = None
    bias: Bias | None = None
    shared: str = "no"
    scale: str = "√ in size"
    iterations: int = 3
    em: Em | None = None
    window: Window | None = None
    votes: Layout = AS_HERE

    @property
    def oddities(self) -> int:
        """How many settings are not the paper's, but for the number of iterations."""
        odd = (self.axis != "classes") + (self.squash != "capsule")
        odd += (self.bias is not None) + (self.shared != "no")
        if self.form == "attention":
            return odd + (self.scale != "√ in size")
        usual = self.curve.name in ("paper", "own")
        return odd + (self.prior is not None) + (not usual)

    def shrink(self, sums: Tensor, *, is_last: bool) -> Tensor:
        """Return capsules (batch, out, out size) of weighted sums of votes."""
        if self.bias is not None and (is_last or self.bias.when == "each"):
            sums = sums + self.bias.values.to(sums)
        return self.curve(sums, SQUASHES[self.squash])

    def is_certain(self, layer: Routing) -> bool:
        """Return whether each coupling is 1, as there is one capsule above."""
        if self.form != "dynamic" or self.axis != "classes":
            return False
        return self.layout.of(matrices(layer)).shape[1] == 1

    @property
    def again(self) -> Callable[[Tensor], Tensor] | None:
        """Squash, of capsules (batch, out, out size); None where there is none."""
        if self.em is not None or self.form == "self" or self.curve.name == "none":
            return None
        return lambda capsules: self.curve(capsules, (2,))

    def steps(
        self,
        votes: Votes,
        iterations: int,
        surgery: Surgery | None = None,
        *,
        prior: Tensor | None = None,
        shared: str | None = None,
        through_all: bool = False,
    ) -> Iterator[RoutingStep]:
        """Route votes by agreement, yielding every iteration.

        Args:
            votes: of capsules in the order of `prior`'s rows.
            iterations: how many.
            surgery: interventions in routing.
            prior: logits to begin with, in that order; None takes the own.
            shared: whether images share logits; None takes the own way.
            through_all: whether gradients flow through every iteration.
        """
        if prior is None and self.prior is not None:
            prior = self.prior.values.to(votes.primary)
        done = 0

        def shrink(sums: Tensor) -> Tensor:
            nonlocal done
            done += 1
            return self.shrink(sums, is_last=done == iterations)

        return routing_steps(
            votes,
            iterations,
            surgery,
            through_all=through_all,
            shares=SHARES[self.axis],
            prior=prior,
            shrink=shrink,
            gain=_GAINS[self.shared if shared is None else shared],
        )

    def after(self, steps: list[RoutingStep], votes: Votes, count: int) -> Tensor:
        """Return the capsules after fewer iterations than were run."""
        step = steps[count - 1]
        if self.bias is None or self.bias.when == "each" or count == len(steps):
            return step.capsules
        return self.shrink(votes.weighted_sum(step.couplings), is_last=True)

    def attend(
        self,
        votes: Tensor,
        below: int,
        *,
        prior: Tensor | None = None,
        surgery: Surgery | None = None,
    ) -> AttentionStep:
        """Route votes by the attention that each receives from all.

        Args:
            votes: (batch, in, out, out size).
            below: numbers of a capsule that votes.
            prior: added to the couplings, (in, out); None takes the own.
            surgery: interventions; a silenced capsule's votes are zero already.
        """
        if prior is None and self.prior is not None:
            prior = self.prior.values.to(votes)
        scale = SCALES[self.scale](below, votes.shape[3])
        agreement = (votes * votes.sum(dim=1, keepdim=True)).sum(dim=3) / scale
        over = 2 if self.axis == "classes" else 1
        added = votes.new_zeros(agreement.shape[1:]) if prior is None else prior
        if surgery is None:
            shares = agreement.softmax(dim=over)
            couplings = shares + added
        else:
            free = surgery.mask_held(surgery.logit_gain(agreement)).softmax(dim=over)
            shares = surgery.insert_held(free)
            couplings = torch.where(surgery.held.isnan(), shares + added, shares)
        sums = (votes * couplings[..., None]).sum(dim=1)
        capsules = self.shrink(sums, is_last=True)
        return AttentionStep(votes, agreement, shares, couplings, capsules, scale)

    def alone(
        self, votes: Tensor, active: Tensor, prior: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return couplings that each capsule makes of itself, and class activations.

        They are the softmax over the classes, (batch, in, out), and its mean over the
        capsules, weighted by what is active: (batch, out).

        Args:
            votes: a number of each capsule for each class, (batch, in, out, 1).
            active: activations of the capsules below, (batch, in).
            prior: added to the votes, (in, out); None takes the own.
        """
        if prior is None and self.prior is not None:
            prior = self.prior.values.to(votes)
        logits = votes[..., 0] if prior is None else votes[..., 0] + prior
        couplings = logits.softmax(dim=2)
        sums = (couplings * active[..., None]).sum(dim=1)
        return couplings, sums / active.sum(dim=1, keepdim=True)


def posed(couplings: Tensor, active: Tensor, votes: Tensor) -> Tensor:
    """Return the mean of the votes for each capsule above: (batch, out, size).

    Args:
        couplings: (batch, in, out), which weigh them.
        active: activations of the capsules below, which do, too: (batch, in).
        votes: (batch, in, out, size).
    """
    heard = couplings * active[..., None]
    sums = torch.einsum("bio,biod->bod", heard, votes)
    return sums / heard.sum(dim=1)[..., None]


def active_in(
    layer: Routing,
    capsules: Tensor,
    beside: Tensor | None,
    grids: Sequence[tuple[tuple[int, int, int], First]] = (),
) -> Tensor:
    """Return the activations of the capsules that self-routing reads, (batch, in).

    Args:
        layer: the routing, for messages.
        capsules: (batch, in, size).
        beside: what a part of the module returns; None takes the capsules' lengths.
        grids: types, rows and columns of the capsules, and which is listed first.

    Raises:
        Different: they are not as many as the capsules.
    """
    if beside is None:
        return torch.linalg.vector_norm(capsules, dim=-1)
    if beside[0].numel() != capsules.shape[1]:
        raise layer.differs(
            f"activations must be as many as the {capsules.shape[1]} "
            f"capsules below, got {tuple(beside.shape)}"
        )
    return by_grid(beside, *grids[0]) if grids else beside.flatten(1)


_GAINS = {
    "no": None,
    "mean": lambda agreement: agreement.mean(dim=0, keepdim=True).expand_as(agreement),
    "sum": lambda agreement: agreement.sum(dim=0, keepdim=True).expand_as(agreement),
}


def priors(
    module: nn.Module, layer: Routing, capsules: int, classes: int
) -> list[Prior | None]:
    """Return the logits that routing may begin with: none, or what fits.

    Args:
        module: whose parameters and buffers are looked through.
        layer: says them, or leaves them to be found.
        capsules: number of those below.
        classes: number of those above.

    Raises:
        Different: those that the layer says do not fit.
    """
    if layer.prior is not None:
        return [Prior("given", _stated_table(layer, "prior", capsules, classes))]
    return [None, *(Prior(*table) for table in _tables(module, capsules, classes))]


def biases(
    module: nn.Module, layer: Routing, classes: int, size: int
) -> list[Bias | None]:
    """Return what may be added to the weighted sums: nothing, or what fits.

    Args:
        module: whose parameters and buffers are looked through.
        layer: says it, or leaves it to be found.
        classes: number of capsules above.
        size: numbers of each.

    Raises:
        Different: that which the layer says does not fit.
    """
    times: tuple[Literal["each", "last"], ...] = ("each", "last")
    if layer.bias is not None:
        values = _stated_table(layer, "bias", classes, size)
        return [Bias("given", values, when) for when in times]
    tables = _tables(module, classes, size)
    return [None, *(Bias(*table, when) for table in tables for when in times)]


def _stated_table(layer: Routing, name: str, rows: int, columns: int) -> Tensor:
    table: Any = getattr(layer, name)
    table = table() if callable(table) else table
    values = _table(table.detach(), rows, columns)
    if values is None:
        raise layer.differs(
            f"{name} must be ({rows}, {columns}), got {tuple(table.shape)}"
        )
    return values


def _tables(module: nn.Module, rows: int, columns: int) -> Iterator[tuple[str, Tensor]]:
    """Yield what a module has of so many rows and columns, where it is not 0."""
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        values = _table(tensor.detach(), rows, columns)
        if values is not None and values.is_floating_point() and values.any():
            yield name, values


def _table(tensor: Tensor, rows: int, columns: int) -> Tensor | None:
    """Return a tensor as (rows, columns), if its axes longer than 1 are these."""
    if tensor.numel() != rows * columns:
        return None
    axes = [length for length in tensor.shape if length > 1]
    if axes == [length for length in (rows, columns) if length > 1]:
        return tensor.reshape(rows, columns)
    if axes == [columns, rows]:
        return tensor.reshape(columns, rows).mT
    return None


def ways(
    layout: Layout,
    beginnings: list[Prior | None],
    curve: Curve,
    *,
    several: bool,
    form: Literal["dynamic", "attention"] = "dynamic",
) -> Iterator[Way]:
    """Yield every way, but for the number of iterations; the paper's first.

    Args:
        layout: of W.
        beginnings: the logits to begin with to try.
        curve: how a length is shortened.
        several: whether a batch has several images, which might share logits.
        form: of the routing.
    """
    squashes = [*SQUASHES] if curve.name not in ("none", "own") else ["capsule"]
    axes: tuple[Axis, ...] = ("classes", "capsules")
    if form == "attention":
        for scale in SCALES:
            # One that is there is used, as in the paper.
            for prior in reversed(beginnings):
                for axis in axes:
                    settings = {"prior": prior, "scale": scale, "iterations": 1}
                    yield Way(layout, form, axis, curve=curve, **settings)
        return
    for shared in SHARINGS if several else SHARINGS[:1]:
        for prior in beginnings:
            for name in squashes:
                for axis in axes:
                    yield Way(layout, form, axis, name, curve, prior, None, shared)
    for prior in beginnings:
        yield Way(layout, form, "classes and none", curve=curve, prior=prior)


def curves_of(layer: Routing) -> tuple[Curve, ...]:
    """Return how lengths may be shortened, the form's own first."""
    if layer.squash is not None:
        return (Curve("own", function=layer.squash),)
    if layer.form == "attention":
        first = Curve("exponential")
        return (first, PAPER, *(curve for curve in OTHERS if curve != first))
    return (PAPER, *OTHERS)


def beside(
    way: Way, module: nn.Module, layer: Routing, shape: tuple[int, int, int, int]
) -> Iterator[Way]:
    """Yield ways that differ from one in one setting, and that one."""
    capsules, classes, size, _ = shape
    settings: dict[str, Iterable[Any]] = {
        "axis": SHARES,
        "squash": SQUASHES if way.curve.name not in ("none", "own") else (),
        "prior": priors(module, layer, capsules, classes),
        "bias": biases(module, layer, classes, size),
    }
    if layer.squash is None:
        constants = way.curve.constants
        curves = [curve.with_constants(constants) for curve in (PAPER, *OTHERS)]
        settings["curve"] = curves
    if way.form == "attention":
        settings |= {"axis": ("classes", "capsules"), "scale": SCALES}
    else:
        settings["shared"] = SHARINGS
        if layer.iterations is None:
            settings["iterations"] = range(1, MOST_ITERATIONS + 1)
    for name, values in settings.items():
        for value in values:
            yield replace(way, **{name: value})
