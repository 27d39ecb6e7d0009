"""How capsules are routed to the next ones: all the ways that are tried."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal

from torch import Tensor, nn

from capsnet_explorer.model.described.errors import Different
from capsnet_explorer.model.described.layers import Routing
from capsnet_explorer.model.layers.dynamic import (
    RoutingStep,
    Votes,
    routing_steps,
    shares_among_capsules,
    shares_of_each,
)
from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.layers.surgery import Surgery

MOST_ITERATIONS = 5  # that are tried

# What squash shrinks: the axes of (batch, classes, size) that it sums over.
SQUASHES: dict[str, tuple[int, ...]] = {"capsule": (2,), "classes": (1,), "number": ()}

SHARINGS = ("no", "mean", "sum")


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
class Way:
    """A way to route.

    Attributes:
        axes: of the module's W, those that are in, out, out size and in size.
        axis: the softmax runs over the `classes`, as in the paper, or the `capsules`.
        squash: what is shrunk to a length below 1, one of `SQUASHES`.
        prior: logits to begin with; None begins with 0.
        shared: whether all images of a batch have the same logits, which add up the
            `mean` or the `sum` of all agreements.
        iterations: how many.
    """

    axes: tuple[int, ...] = (0, 1, 2, 3)
    axis: Literal["classes", "capsules"] = "classes"
    squash: str = "capsule"
    prior: Prior | None = None
    shared: str = "no"
    iterations: int = 3

    @property
    def oddities(self) -> int:
        """How many settings are not the paper's, but for the number of iterations."""
        odd = (self.axis == "capsules") + (self.squash != "capsule")
        return odd + (self.prior is not None) + (self.shared != "no")

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
        """Route votes, yielding every iteration.

        Args:
            votes: of capsules in the order of `prior`'s rows.
            iterations: how many.
            surgery: interventions in routing.
            prior: logits to begin with, in that order; None takes the own.
            shared: whether images share logits; None takes the own way.
            through_all: whether gradients flow through every iteration.
        """
        if prior is None and self.prior is not None:
            prior = self.prior.values
        gain = _GAINS[self.shared if shared is None else shared]
        return routing_steps(
            votes,
            iterations,
            surgery,
            through_all=through_all,
            shares=shares_among_capsules if self.axis == "capsules" else shares_of_each,
            prior=prior,
            shrink=lambda sums: squash(sums, SQUASHES[self.squash]),
            gain=gain,
        )


_GAINS = {
    "no": None,
    "mean": lambda agreement: agreement.mean(dim=0, keepdim=True).expand_as(agreement),
    "sum": lambda agreement: agreement.sum(dim=0, keepdim=True).expand_as(agreement),
}


def matrices(layer: Routing) -> Tensor:
    """Return the module's W as it is now, without axes of length 1 before the others.

    Raises:
        Different: it is no tensor of four axes.
    """
    try:
        given = layer.transforms() if callable(layer.transforms) else layer.transforms
    except Exception as error:
        raise Different(
            f"{layer.id}: transforms raised {type(error).__name__}: {error}; it must "
            "return the module's W, such as lambda: net.W",
            layer=layer.id,
        ) from error
    if not isinstance(given, Tensor):
        raise Different(
            f"{layer.id}: transforms must return the tensor W of shape (in, out, out "
            f"size, in size), got a {type(given).__name__}",
            layer=layer.id,
        )
    found = given.detach() if not given.requires_grad else given
    while found.ndim > 4 and 1 in found.shape:
        found = found.squeeze(found.shape.index(1))
    if found.ndim != 4:
        raise Different(
            f"{layer.id}: W must be (in, out, out size, in size), got "
            f"{tuple(given.shape)}",
            layer=layer.id,
        )
    return found


def orders(
    layer: Routing,
    shape: tuple[int, ...],
    capsules: int,
    size: int,
    classes: int | None,
) -> list[tuple[int, ...]]:
    """Return the orders of W's axes that fit, the contract's first.

    Args:
        layer: the routing, for messages.
        shape: of W.
        capsules: number of those below.
        size: numbers of each.
        classes: how many there are; None if the layer above is not that of the classes.

    Raises:
        Different: none fits.
    """
    fitting = [
        axes
        for axes in permutations(range(4))
        if shape[axes[0]] == capsules
        and shape[axes[3]] == size
        and classes in (None, shape[axes[1]])
    ]
    if not fitting:
        out = "out" if classes is None else f"{classes} classes"
        raise Different(
            f"{layer.id}: W must be ({capsules} capsules, {out}, out size, {size} "
            f"numbers of a capsule), in any order, to fit {layer.below}, got {shape}",
            layer=layer.id,
        )
    return fitting


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
        given = layer.prior() if callable(layer.prior) else layer.prior
        values = _table(given, capsules, classes)
        if values is None:
            raise Different(
                f"{layer.id}: prior must be ({capsules}, {classes}), got "
                f"{tuple(given.shape)}",
                layer=layer.id,
            )
        return [Prior("given", values)]
    found: list[Prior | None] = [None]
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        values = _table(tensor.detach(), capsules, classes)
        if values is not None and values.is_floating_point() and values.any():
            found.append(Prior(name, values))
    return found


def _table(tensor: Tensor, capsules: int, classes: int) -> Tensor | None:
    """Return a tensor as (capsules, classes), if its axes longer than 1 are these."""
    if tensor.numel() != capsules * classes:
        return None
    axes = [length for length in tensor.shape if length > 1]
    if axes == [length for length in (capsules, classes) if length > 1]:
        return tensor.reshape(capsules, classes)
    if axes == [classes, capsules]:
        return tensor.reshape(classes, capsules).mT
    return None


def ways(
    axes: list[tuple[int, ...]], found: list[Prior | None], *, several: bool
) -> Iterator[Way]:
    """Yield every way, but for the number of iterations; the paper's first.

    Args:
        axes: the orders of W's axes to try.
        found: the logits to begin with to try.
        several: whether a batch has several images, which might share logits.
    """
    for order in axes:
        for shared in SHARINGS if several else SHARINGS[:1]:
            for prior in found:
                for name in SQUASHES:
                    for axis in ("classes", "capsules"):
                        yield Way(order, axis, name, prior, shared)
