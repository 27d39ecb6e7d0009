"""A layer of matrix capsules: it votes, and routes its votes (section 3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import torch
from torch import Tensor, nn

from capsnet_explorer.model.layers.em import Layer, RoutingStep, Settings, em_routing
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.layers.windows import Windows
from capsnet_explorer.model.matrix.config import POSE

# Maps poses (batch, children, 16), activations (batch, children), iterations and
# interventions.
Routing = Callable[[Tensor, Tensor, int, Surgery | None], tuple[RoutingStep, ...]]

SIDE = 4  # of a pose matrix
TRANSFORM_STD = 0.3  # of the noise that is added to the identity in W_ij at first
DEVIATION = 0.3  # of the votes for a capsule, to which a fit scales W_ij
# A fit puts β_u this far below -log σ. With β_u + log σ above 0, every vote would cost
# a capsule something, and the one that no vote is assigned to would win.
MARGIN = 0.3
HOTTEST = 0.5  # the largest λ of a fit


@dataclass(frozen=True, slots=True)
class Capsules:
    """The capsules of one layer. Batch first.

    Attributes:
        poses: M (batch, types, rows, columns, 16), row by row.
        activations: a (batch, types, rows, columns) in [0, 1].
    """

    poses: Tensor
    activations: Tensor


@dataclass(frozen=True)
class Routed:
    """A layer's capsules, and how they came about. Batch first.

    Attributes:
        steps: every iteration of routing, the first one first.
        layer: which capsules see which.
        form_votes: returns V_ij (batch, positions, types, slots, 16).
    """

    steps: Sequence[RoutingStep]
    layer: Layer
    form_votes: Callable[[], Tensor]

    @cached_property
    def votes(self) -> Tensor:
        """V_ij (batch, positions, types, slots, 16)."""
        return self.form_votes()

    @cached_property
    def capsules(self) -> Capsules:
        """The capsules after the last iteration."""
        last = self.steps[-1]
        return Capsules(self.on_grid(last.means), self.on_grid(last.activations))

    def on_grid(self, values: Tensor) -> Tensor:
        """Arrange (batch, positions, types, ...) by (types, rows, columns)."""
        return values.unflatten(1, self.layer.windows.above).movedim(3, 1)


class PrimaryCapsules(nn.Module):
    """A pose and an activation of each type at each place of the maps (section 4).

    Args:
        maps: number of maps below.
        types: number of capsule types.
    """

    def __init__(self, maps: int, types: int) -> None:
        super().__init__()
        self.types = types
        self.poses = nn.Conv2d(maps, types * POSE, 1)
        self.activations = nn.Conv2d(maps, types, 1)

    def forward(self, maps: Tensor) -> Capsules:
        """Map (batch, maps, rows, columns) to capsules on the same grid."""
        # Channels 16 t to 16 t + 15 hold the pose of type t.
        poses = self.poses(maps).unflatten(1, (self.types, POSE)).movedim(2, 4)
        dtype = self.poses.weight.dtype  # autocast computes convolutions in another
        activations = self.activations(maps).to(dtype).sigmoid()
        return Capsules(poses.to(dtype), activations)


class MatrixCapsules(nn.Module):
    """Capsules above others: V_ij = M_i W_ij, then EM routing.

    Convolutional capsules share W_ij over the positions above. Class capsules share it
    over all positions below, and coordinate addition tells their votes apart.

    Args:
        windows: onto the capsules below.
        types: capsule types above.
        iterations: of routing, in training.
        variance_floor: added to every variance.
        coordinates: whether W_ij is shared over a window's places, and each child's
            scaled coordinates are added to its votes (section 3.1).
    """

    members: Tensor
    places: Tensor
    entries: Tensor
    even: Tensor
    inverse_temperature: Tensor
    added: Tensor | None

    def __init__(
        self,
        windows: Windows,
        types: int,
        *,
        iterations: int,
        variance_floor: float,
        coordinates: bool = False,
    ) -> None:
        super().__init__()
        self.windows = windows
        self.types = types
        self.iterations = iterations
        self.variance_floor = variance_floor
        kernel = (1, 1) if coordinates else windows.kernel
        shape = (windows.grid[0], *kernel, types, SIDE, SIDE)
        noise = TRANSFORM_STD * torch.randn(shape)
        self.transforms = nn.Parameter(torch.eye(SIDE) + noise)
        self.faster: Routing | None = None  # in place of the readable loop
        self.beta_u = nn.Parameter(torch.full((types,), -MARGIN))
        self.beta_a = nn.Parameter(torch.full((types,), -POSE * MARGIN))
        self.register_buffer("inverse_temperature", torch.full((1,), HOTTEST))
        added = _coordinates(windows) if coordinates else None
        self.register_buffer("added", added, persistent=False)
        self.register_buffer("members", windows.members(), persistent=False)
        self.register_buffer("places", windows.places(), persistent=False)
        self.register_buffer("entries", windows.entries(), persistent=False)
        self.register_buffer("even", windows.even(types), persistent=False)

    @property
    def layer(self) -> Layer:
        """Which capsules see which."""
        return Layer(self.windows, self.members, self.places, self.entries, self.even)

    @property
    def settings(self) -> Settings:
        """What routing depends on besides the votes."""
        return Settings(
            self.beta_u,
            self.beta_a,
            self.inverse_temperature,
            self.iterations,
            self.variance_floor,
        )

    @property
    def slot_transforms(self) -> Tensor:
        """W_ij of each slot of a window: (slots, types, 4, 4)."""
        types, kernel = self.windows.grid[0], self.windows.kernel
        shape = (types, *kernel, *self.transforms.shape[3:])
        return self.transforms.expand(shape).flatten(0, 2)

    def votes(self, poses: Tensor) -> Tensor:
        """Return V_ij = M_i W_ij, coordinates added.

        Args:
            poses: M_i (batch, types, rows, columns, 16) of the capsules below.

        Returns:
            (batch, positions, types, slots, 16).
        """
        positions, slots = self.members.shape
        below = poses.flatten(1, 3).index_select(1, self.members.flatten())
        matrices = below.unflatten(1, (positions, slots)).unflatten(3, (SIDE, SIDE))
        # One product for each slot: every row of M_i with the W_ij of all types.
        rows = matrices.permute(2, 0, 1, 3, 4).flatten(1, 3)
        products = rows @ self.slot_transforms.transpose(1, 2).flatten(2)
        votes = products.unflatten(1, (len(poses), positions, SIDE))
        votes = votes.unflatten(4, (self.types, SIDE))
        votes = votes.permute(1, 2, 4, 0, 3, 5).flatten(4)
        return votes if self.added is None else votes + self.added

    def forward(
        self,
        below: Capsules,
        *,
        iterations: int | None = None,
        surgery: Surgery | None = None,
        through_all: bool = True,
    ) -> Routed:
        """Route the capsules below.

        Args:
            below: on the grid of `windows`.
            iterations: None takes the number in training.
            surgery: interventions in routing.
            through_all: whether gradients flow through every iteration of routing.
        """
        if iterations is None:
            iterations = self.iterations
        activations = below.activations.flatten(1)
        layer = self.layer
        if self.faster and through_all:
            poses = below.poses.flatten(1, 3)
            steps = self.faster(poses, activations, iterations, surgery)
            return Routed(steps, layer, partial(self.votes, below.poses))
        votes = self.votes(below.poses)
        steps = em_routing(
            votes,
            activations,
            layer,
            self.settings,
            iterations,
            surgery,
            through_all=through_all,
        )
        return Routed(tuple(steps), layer, lambda: votes)

    @torch.no_grad()
    def fit(self, below: Capsules) -> Routed:
        """Set W, β_u, β_a and λ so that routing starts undecided on some images.

        Votes get a deviation of 0.3, β_u lies 0.3 below the -log σ that follows, the
        mean logit is 0, and λ times the costs' deviation is at most 0.5.

        Returns:
            The layer's results with the new numbers.
        """
        even = self(below, iterations=1).steps[0].variances - self.variance_floor
        self.transforms.div_(even.mean().sqrt() / DEVIATION)
        first = self(below, iterations=1).steps[0]
        self.beta_u.fill_(-0.5 * first.variances.log().mean() - MARGIN)
        costs = self(below).steps[-1].costs
        self.inverse_temperature.fill_(min(HOTTEST, 0.5 / float(costs.std())))
        self.beta_a.copy_(self(below).steps[-1].costs.mean())
        return self(below)


def _coordinates(windows: Windows) -> Tensor:
    """Return what coordinate addition adds to the votes in each slot: (slots, 16).

    The scaled coordinates of a child's centre, row and column in [0, 1], are added to
    the first two elements of the right-hand column of its vote matrix (section 3.1).
    """
    types, rows, columns = windows.grid
    added = torch.zeros(types, rows, columns, SIDE, SIDE)
    added[..., 0, 3] = ((torch.arange(rows) + 0.5) / rows)[:, None]
    added[..., 1, 3] = (torch.arange(columns) + 0.5) / columns
    return added.flatten(0, 2).flatten(1)
