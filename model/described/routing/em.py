"""EM routing (Hinton, Sabour & Frosst 2018), as modules differ in it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.model.described.layers import Routing
from capsnet_explorer.model.described.routing.windows import (
    Active,
    First,
    Window,
    by_grid,
)
from capsnet_explorer.model.described.running.limiting import require_time
from capsnet_explorer.model.device import single_thread

TEMPERATURES = (0.0005, 0.001, 0.01, 0.05, 0.1, 0.5, 1.0)  # constants that are tried
LEAST = (1e-8, 0.0, 1e-12, 1e-10, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)  # of a variance
NEAR = 1e-5  # of the largest activation: what such numbers may be off by
EXACT = 1e-10  # of the largest activation: in double precision, nothing else is left
EXPLAINING = 1e6  # times what is left, iterations change more
MOST_COSTS = 4  # parameters that may be the costs β

# How λ depends on the iteration t, counted from 0, of so many.
SCHEDULES: dict[str, Callable[[int, int], float]] = {
    "constant": lambda _t, _count: 1.0,
    "1 − 0.95^(t + 1)": lambda t, _count: 1 - 0.95 ** (t + 1),
    "t + 1": lambda t, _count: t + 1.0,
}


@dataclass(frozen=True)
class Em:
    """How votes are formed and routed by EM.

    Attributes:
        votes: products of a pose M and W, one of `PRODUCTS`; `vector` where W has a row
            for each number.
        axes: of W, those that are in, out and its matrices' rows and columns.
        places: how many capsules share W; 1 where none do.
        coordinates: what is added to a pose's first two numbers: `no`, or where its
            capsule stands, from the `edge` or the `middle` of its place, 0 to 1.
        beta_u, beta_a: names of the costs β among the module's parameters; None is 0.
        schedule: of the inverse temperature λ, one of `SCHEDULES`.
        temperature: what that is multiplied by.
        is_shared: whether what activations leave of a capsule's shares sums to 1 again.
        least: added to masses and variances.
    """

    votes: str
    axes: tuple[int, ...]
    places: int = 1
    coordinates: str = "no"
    beta_u: str | None = None
    beta_a: str | None = None
    schedule: str = "constant"
    temperature: float = 0.01
    is_shared: bool = False
    least: float = 1e-8

    @property
    def words(self) -> dict[str, str]:
        """What was found, by name."""
        rises = "" if self.schedule == "constant" else f" · ({self.schedule})"
        costs = [
            f"{beta} {name}"
            for beta, name in (("β_u", self.beta_u), ("β_a", self.beta_a))
            if name is not None
        ]
        words = {
            "votes": "votes by rows of W"
            if self.votes == "vector"
            else f"votes {self.votes}",
            "temperature": f"λ {self.temperature:g}{rises}",
            "costs": " and ".join(costs) or "no costs β",
        }
        if self.places > 1:
            words["W"] = "shared by the places of a type"
        if self.coordinates != "no":
            words["coordinates"] = f"coordinates from the {self.coordinates} of a place"
        if self.is_shared:
            words["shares"] = "shares of 1 again after activations"
        return words


PRODUCTS = ("M·W", "W·M", "M·Wᵀ", "Wᵀ·M", "vector")


@dataclass(frozen=True)
class EmStep:
    """One iteration. Batch first.

    Attributes:
        couplings: R (batch, in, out), which sum to 1 over the capsules above.
        means: (batch, out, size).
        activations: (batch, out).
    """

    couplings: Tensor
    means: Tensor
    activations: Tensor


def below_of(layer: Routing, poses: Tensor, activations: Tensor | None) -> Active:
    """Return the capsules that a part returns, or two parts.

    Args:
        layer: the routing, for messages.
        poses: (batch, capsules, size), or (batch, rows, columns, types, size), where a
            pose may be a matrix; without activations, (batch, rows, columns, types ·
            (size + 1)), first all poses and then all activations.
        activations: (batch, …), as many as poses; None where they stand beside these.

    Raises:
        Different: their shapes are others.
    """
    if activations is None and poses.ndim == 4 and poses.shape[-1] % 17 == 0:
        types = poses.shape[-1] // 17
        poses, activations = poses.split((16 * types, types), dim=3)
        poses = poses.unflatten(3, (types, 16))
    if activations is not None and poses.ndim > 2:
        count = activations[0].numel()
        size = poses[0].numel() // max(1, count)
        is_grid = poses.ndim > 4 or activations.ndim > 3
        grid = (poses.shape[1], poses.shape[2]) if is_grid else None
        ends = poses.shape[-1] == size or poses.shape[-2:].numel() == size
        if size * count == poses[0].numel() and ends:
            listed = poses.reshape(len(poses), count, size)
            if grid is None:
                return Active(listed, activations.flatten(1))
            types = count // (grid[0] * grid[1])
            ordered = by_grid(activations, (types, *grid), "places")
            return Active(listed, ordered, grid)
    raise layer.differs(
        "below must be Values whose part returns poses (batch, capsules, "
        "size) or (batch, rows, columns, types, size), and activations= the id of "
        "Values whose part returns as many activations; or one part both side by side, "
        f"(batch, rows, columns, types · 17); got {tuple(poses.shape)}"
        + ("" if activations is None else f" and {tuple(activations.shape)}")
    )


def window_of(layer: Routing, below: Active, slots: First) -> Window:
    """Return the windows of a routing, of capsules listed by places.

    Args:
        layer: the routing.
        below: the capsules that vote.
        slots: what changes slowest among the capsules of a window, as in W.

    Raises:
        Different: the capsules stand at no places, or at too few.
    """
    kernel, grid = layer.kernel or 1, below.grid
    if grid is None or min(grid) + 2 * layer.padding < kernel:
        raise layer.differs(
            f"with a kernel of {kernel}, {layer.below} must have poses at "
            "rows and columns, (batch, rows, columns, types, size), at least as many "
            f"as that, got {grid or 'a list'}"
        )
    types = below.poses.shape[1] // (grid[0] * grid[1])
    around = (kernel, layer.stride, layer.padding)
    return Window(*around, (types, *grid), "places", slots, "places")


def costs_in(module: nn.Module, classes: int) -> dict[str | None, Tensor | float]:
    """Return what the costs β may be: 0, or a number for each class, or one for all."""
    costs: dict[str | None, Tensor | float] = {None: 0.0}
    for name, parameter in module.named_parameters():
        if parameter.numel() in (1, classes) and parameter.any() and parameter.ndim:
            costs[name] = parameter.detach().flatten()
    return costs


def _pairs(
    module: nn.Module, classes: int, part: str
) -> Iterator[tuple[str | None, str | None]]:
    names = [name for name in costs_in(module, classes) if name is not None]
    inside = [name for name in names if name.startswith(f"{part}.")]
    names = inside or names
    # Named as in the paper, they are found at once.
    like = [name for name in names if "beta" in name.lower() or "cost" in name.lower()]
    names = (like or names)[:MOST_COSTS]
    yield from permutations(names, 2)
    yield from ((name, None) for name in names)
    yield from ((None, name) for name in names)
    if not names:
        yield None, None


def _numbers_in(module: nn.Module) -> list[float]:
    """Return the numbers that a module's parts keep, which may be λ."""
    numbers = [
        float(value)
        for part in module.modules()
        for value in vars(part).values()
        if isinstance(value, float) and 0 < value <= 10
    ]
    numbers += [float(buffer) for buffer in module.buffers() if buffer.numel() == 1]
    return [number for number in dict.fromkeys(numbers) if number >= 1e-5]


def ways_of_voting(layer: Routing, weights: Tensor, below: Active) -> Iterator[Em]:
    """Yield how W and poses may be multiplied.

    Raises:
        Different: W fits no poses.
    """
    _, count, size = below.poses.shape
    side = round(size**0.5)
    spots = 1 if below.grid is None else below.grid[0] * below.grid[1]
    fits = False
    for axes in permutations(range(4)):
        inputs, _, rows, columns = (weights.shape[axis] for axis in axes)
        if inputs not in (count, count // spots) or axes[2] > axes[3]:
            continue
        if (rows, columns) == (side, side) and side**2 == size:
            named = PRODUCTS[:4]
        elif size in (rows, columns):
            named = ("vector",)
            axes = axes if columns == size else (*axes[:2], axes[3], axes[2])
        else:
            continue
        places = 1 if inputs == count else spots
        for name, where in product(named, ("no", "edge", "middle")):
            if where == "no" or below.grid is not None:
                fits = True
                yield Em(name, axes, places, where)
    if not fits:
        raise layer.differs(
            f"W must be (capsules, classes, {side}, {side}), for {count} "
            f"poses of {size} numbers, got {tuple(weights.shape)}"
        )


def votes_of(em: Em, weights: Tensor, below: Active) -> Tensor:
    """Return V (batch, in, out, size)."""
    transforms = weights.permute(em.axes).to(below.poses)
    transforms = transforms.repeat(em.places, 1, 1, 1)  # types are listed last
    if em.votes == "vector":
        votes = torch.einsum("bip,iodp->biod", below.poses, transforms)
    else:
        side = transforms.shape[2]
        poses = below.poses.unflatten(2, (side, side))
        transforms = transforms.mT if "ᵀ" in em.votes else transforms
        both = (poses[:, :, None], transforms)
        first, second = both if em.votes[0] == "M" else both[::-1]
        votes = (first @ second).flatten(3)
    if em.coordinates == "no" or below.grid is None:
        return votes
    rows, columns = below.grid
    half = 0.5 if em.coordinates == "middle" else 0.0
    down, right = ((torch.arange(n).to(votes) + half) / n for n in (rows, columns))
    types = votes.shape[1] // (rows * columns)
    votes = votes.clone()
    votes[..., 0] += down.repeat_interleave(columns * types)[:, None]
    votes[..., 1] += right.repeat_interleave(types).repeat(rows)[:, None]
    return votes


def em_steps(
    em: Em, votes: Tensor, below: Active, costs: dict[Any, Any], iterations: int
) -> Iterator[EmStep]:
    """Route votes by EM (Procedure 1), yielding every iteration.

    Args:
        em: how.
        votes: (batch, in, out, size).
        below: whose activations weigh them.
        costs: what each β is, by name.
        iterations: how many.
    """
    beta_u, beta_a = (
        beta.to(votes) if isinstance(beta, Tensor) else beta
        for beta in (costs[em.beta_u], costs[em.beta_a])
    )
    shares = votes.new_full(votes.shape[:3], 1 / votes.shape[2])
    for t in range(iterations):
        heard = shares * below.activations[..., None]
        if em.is_shared:
            heard = heard / (heard.sum(dim=2, keepdim=True) + em.least)
        mass = heard.sum(dim=1)
        weights = (heard / (mass[:, None] + em.least)).transpose(1, 2)[:, :, None]
        means = (weights @ votes.transpose(1, 2))[:, :, 0]
        squares = (votes - means[:, None]).square()
        variances = (weights @ squares.transpose(1, 2))[:, :, 0] + em.least
        log_spread = variances.clamp(min=1e-30).log().sum(dim=2) / 2
        cost = mass * (log_spread + votes.shape[3] * beta_u)
        scale = em.temperature * SCHEDULES[em.schedule](t, iterations)
        logits = scale * (beta_a - cost)
        yield EmStep(shares, means, logits.sigmoid())
        off = (squares * (0.5 / variances)[:, None]).sum(dim=3)
        shares = (F.logsigmoid(logits) - log_spread)[:, None] - off
        shares = shares.softmax(dim=2)


@dataclass(frozen=True)
class EmFit:
    """One way to route that was tried.

    Attributes:
        em: the way.
        iterations: how many.
        off: by how much its activations differ from the answer.
        effect: by how much the number of iterations changes them.
    """

    em: Em
    iterations: int
    off: float = field(compare=False)
    effect: float = field(compare=False)

    def is_exact(self, answer: Tensor) -> bool:
        """Return whether nothing is left of the answer, in double precision."""
        limit = EXACT * answer.abs().max().item()
        is_precise = answer.dtype == torch.float64
        return is_precise and self.off <= min(limit, self.effect / EXPLAINING)


@single_thread()
def fit_em(
    layer: Routing,
    module: nn.Module,
    weights: Tensor,
    below: Active,
    answer: Tensor,
    part: str = "",
) -> list[EmFit]:
    """Return all ways that were tried, those nearest to the answer first.

    Once one is exact, only those are tried that differ from it in one setting.

    Args:
        layer: the routing.
        module: whose parameters may be its costs β.
        weights: W.
        below: the capsules that vote.
        answer: the answer, (batch, classes).
        part: name of the part that returns it, whose costs are tried first.
    """
    fitting = _Fitting(layer, module, weights, below, answer)
    pairs = [*_pairs(module, answer.shape[1], part)]
    heats = [layer.temperature]
    if layer.temperature is None:
        heats = [*dict.fromkeys([*_numbers_in(module), *TEMPERATURES])]
    votings = [
        voting
        for voting in ways_of_voting(layer, weights, below)
        if weights.shape[voting.axes[1]] == answer.shape[1]
    ]
    settings: dict[str, list[Any]] = {
        "costs": pairs,
        "schedule": [*SCHEDULES],
        "temperature": heats,
        "is_shared": [False, True],
    }
    every = (
        _with(voting, dict(zip(settings, chosen, strict=True)))
        for voting in votings
        for chosen in product(*settings.values())
    )
    for em in every:
        if (exact := fitting.exact(em)) is not None:
            for other in votings:
                names = ("votes", "axes", "places", "coordinates")
                same = {name: getattr(other, name) for name in names}
                fitting.tried(replace(exact.em, **same))
            for name, values in settings.items():
                for value in values:
                    fitting.tried(_with(exact.em, {name: value}))
            break
    else:
        for fit in sorted(fitting.fits, key=lambda fit: fit.off)[:3]:
            fitting.refined(fit)
    return sorted(fitting.fits, key=lambda fit: fit.off)


def _with(em: Em, changed: dict[str, Any]) -> Em:
    if "costs" in changed:
        beta_u, beta_a = changed.pop("costs")
        changed |= {"beta_u": beta_u, "beta_a": beta_a}
    return replace(em, **changed)


class _Fitting:
    """Ways of EM routing, tried.

    Attributes:
        fits: what was, and how near it comes.
    """

    def __init__(
        self,
        layer: Routing,
        module: nn.Module,
        weights: Tensor,
        below: Active,
        answer: Tensor,
    ) -> None:
        self.fits: list[EmFit] = []
        self._weights, self._below, self._answer = weights, below, answer
        self._costs = costs_in(module, answer.shape[1])
        self._counts = (layer.iterations,) if layer.iterations else range(1, 6)
        self._size = answer.abs().max().item() if answer.dtype == torch.float64 else 0.0
        self._votes: dict[Em, Tensor] = {}

    def tried(self, em: Em) -> EmFit | None:
        """Try one, with each number of iterations; return the nearest."""
        require_time()
        key = Em(em.votes, em.axes, em.places, em.coordinates)
        if key not in self._votes:
            self._votes = {key: votes_of(key, self._weights, self._below)}
        most = max(3, *self._counts)
        steps = em_steps(em, self._votes[key], self._below, self._costs, most)
        activations = torch.stack([step.activations for step in steps])
        offs = (activations - self._answer).abs().flatten(1).amax(1).tolist()
        fits = []
        for count in self._counts:
            effect = (activations - activations[count - 1]).abs().max().item()
            if not math.isnan(effect):
                fits.append(EmFit(em, count, offs[count - 1], effect))
        self.fits += fits
        return min(fits, key=lambda fit: fit.off, default=None)

    def refined(self, fit: EmFit) -> EmFit:
        """Return what comes nearest with other numbers added to masses."""
        others = (self.tried(replace(fit.em, least=least)) for least in LEAST[1:])
        return min([fit, *filter(None, others)], key=lambda fit: fit.off)

    def exact(self, em: Em) -> EmFit | None:
        """Return one that is exact in double precision, of one that is tried."""
        fit = self.tried(em)
        if fit is None or fit.off > NEAR * self._size:
            return None
        fit = fit if fit.is_exact(self._answer) else self.refined(fit)
        return fit if fit.is_exact(self._answer) else None
