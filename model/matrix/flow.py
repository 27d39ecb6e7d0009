"""Who supplies what the classes of a matrix capsule network get.

A capsule above gets its votes from the capsules that it sees, in shares of R_ij a_i:
how much of capsule i is assigned to it, times how active i is. Shares are multiplied
from the classes down, beginning with a class's activation, so that what passes through
each layer adds up to it. They say who supplied the votes, and not what would happen
without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet_explorer.model.matrix.layers import Capsules, Routed

LEAST = 1e-12  # a capsule that nothing is assigned to gets nothing


@dataclass(frozen=True, slots=True)
class Flow:
    """What flows to the classes in each iteration. Batch first.

    Attributes:
        layers: from the bottom up, what capsules of a type give to those of a type
            above of what these pass on to a class: (batch, iterations, types, types
            above, classes). In the last layer, the types above are the classes.
        places: what each primary capsule gives to each class: (batch, iterations,
            types, rows, columns, classes).
    """

    layers: tuple[Tensor, ...]
    places: Tensor


def flow_to_classes(below: Sequence[Capsules], routed: Sequence[Routed]) -> Flow:
    """Follow what the classes get down to the lowest capsules.

    Args:
        below: the capsules that each layer routes, from the bottom up.
        routed: the layers that route them; the last one's are the classes.
    """
    steps = [step.activations[:, 0] for step in routed[-1].steps]
    # What passes through each capsule above on its way to each class:
    # (batch, iterations, positions, types, classes).
    passed = torch.diag_embed(torch.stack(steps, dim=1))[:, :, None]
    layers: list[Tensor] = []
    for capsules, above in zip(reversed(below), reversed(routed), strict=True):
        slots = above.layer.members
        types = above.layer.windows.grid[0]
        activations = capsules.activations.flatten(1)[:, slots][:, None, :, None]
        assigned = torch.stack([step.assignments for step in above.steps], dim=1)
        mass = assigned * activations
        shares = mass / mass.sum(dim=4, keepdim=True).clamp(min=LEAST)
        # Slots run over the types below, and for each over the places of a window.
        by_type = shares.unflatten(4, (types, -1)).sum(dim=5)
        layers.insert(0, torch.einsum("bsput,bspuj->bstuj", by_type, passed))
        gifts = torch.einsum("bspuk,bspuj->bspkj", shares, passed).flatten(2, 3)
        children = above.layer.windows.children
        down = gifts.new_zeros(*gifts.shape[:2], children, gifts.shape[3])
        down.index_add_(2, slots.flatten(), gifts)
        passed = down.unflatten(2, (types, -1)).transpose(2, 3)
    grid = below[0].activations.shape[2:]
    return Flow(tuple(layers), passed.transpose(2, 3).unflatten(3, grid))
