"""How legible a CapsNet is: how many capsules share in a digit, and similar figures.

A digit's length is a sum: each primary capsule contributes c·(û·v)/‖v‖ to ‖s‖, and
these contributions add up to it exactly. Long training concentrates the sum on a few
capsules, some of which contribute as much to an empty image. Such a network is no less
accurate, but its routing shows little. The figures here measure how far that went.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.capsnet.network import CapsNet, Trace
from model.capsnet.routing import EPSILON, RoutingStep, Votes

SATURATED = 0.95  # a primary capsule longer than this can hardly grow
BRIGHT = 0.02  # a Conv1 value above this is visible on the page
MEDIANS = 5  # of the figures of an image, these come first


@dataclass(frozen=True, slots=True)
class Legibility:
    """The figures of one network on one set of images.

    The first five are medians over the images, for the predicted class and the last
    iteration of routing. `w` is a primary capsule's contribution to the length of that
    class, or 0 where it is negative. The last three are means over the images.

    Attributes:
        voters: effective number of primary capsules that contribute: (Σw)² / Σw², which
            is n if n capsules contribute equally.
        types: the same for the types of primary capsules, each with its sum of `w`.
        largest_share: largest w / Σw, in [0, 1].
        heard_coupling: the couplings' mean weighted by `w`; 1/classes if routing
            decides nothing.
        blank_share: share of Σw, in [0, 1], that the capsules of an empty image would
            contribute as well, through the same couplings.
        empty_length: length of the longest digit capsule of an empty image.
        saturated: share of primary capsules longer than 0.95.
        conv1_alive: share of Conv1's maps that have a value above 0.02.
        conv1_bright: share of Conv1's values above 0.02.
    """

    voters: float
    types: float
    largest_share: float
    heard_coupling: float
    blank_share: float
    empty_length: float
    saturated: float
    conv1_alive: float
    conv1_bright: float


def contributions(
    votes: Votes, couplings: Tensor, capsules: Tensor, classes: Tensor
) -> Tensor:
    """Return each primary capsule's part of one class's total input, c·(û·v)/‖v‖.

    The votes are not materialised: û·v is computed as u·(Wᵀ v).

    Args:
        votes: of the primary capsules.
        couplings: c_ij (batch, in_caps, out_caps).
        capsules: v_j (batch, out_caps, out_dim).
        classes: (batch,) int64, the class j of each image.

    Returns:
        (batch, in_caps); an image's contributions add up to ‖s_j‖.
    """
    in_caps, out_caps, _, in_dim = votes.transforms.shape
    length = (capsules.square().sum(dim=2, keepdim=True) + EPSILON).sqrt()
    is_asked = classes[:, None] == torch.arange(out_caps, device=classes.device)
    directions = (capsules / length * is_asked[..., None]).flatten(1)
    rows = votes.transforms.permute(1, 2, 0, 3).flatten(2).flatten(0, 1)
    pulled = (directions @ rows).unflatten(1, (in_caps, in_dim))
    return couplings_to(couplings, classes) * (votes.primary * pulled).sum(dim=2)


def couplings_to(couplings: Tensor, classes: Tensor) -> Tensor:
    """Return c_ij of one class j for each image.

    Args:
        couplings: (batch, in_caps, out_caps).
        classes: (batch,) int64.

    Returns:
        (batch, in_caps).
    """
    return couplings.gather(
        2, classes[:, None, None].expand(-1, couplings.shape[1], 1)
    )[..., 0]


def effective_number(weights: Tensor) -> Tensor:
    """Return (Σw)² / Σw² over the last axis, 0 where all weights are 0.

    Args:
        weights: (..., count), none negative.
    """
    return weights.sum(dim=-1).square() / (weights.square().sum(dim=-1) + EPSILON**2)


class LegibilityMeter:
    """Measures legibility from the traces of an evaluation.

    Args:
        network: the network that computes the traces.
    """

    def __init__(self, network: CapsNet) -> None:
        shape = (1, *network.config.image_shape)
        with torch.no_grad():
            self._empty = network(network.conv1.weight.new_zeros(shape))
        self._rows: list[Tensor] = []

    @torch.no_grad()
    def add(self, trace: Trace) -> None:
        """Measure the images of one more batch."""
        self._rows.append(_of_each_image(trace, self._empty.votes))

    @property
    def figures(self) -> Legibility:
        """The figures over all batches so far, of which there is at least one."""
        each = torch.cat(self._rows).double()
        voters, types, largest, coupling, blank = (
            each[:, :MEDIANS].quantile(0.5, dim=0).tolist()
        )
        saturated, alive, bright = each[:, MEDIANS:].mean(dim=0).tolist()
        return Legibility(
            voters=voters,
            types=types,
            largest_share=largest,
            heard_coupling=coupling,
            blank_share=blank,
            empty_length=float(self._empty.lengths.max()),
            saturated=saturated,
            conv1_alive=alive,
            conv1_bright=bright,
        )


def _of_each_image(trace: Trace, empty: Votes) -> Tensor:
    """Return the figures of each image of a batch: (batch, 8), the medians first."""
    step: RoutingStep = trace.steps[-1]
    classes = trace.lengths.argmax(dim=1)

    def positive_part(votes: Votes) -> Tensor:
        return contributions(votes, step.couplings, step.capsules, classes).relu()

    own = positive_part(trace.votes)
    total = own.sum(dim=1) + EPSILON
    blank = Votes(empty.primary.expand_as(trace.votes.primary), empty.transforms)
    by_type = own.unflatten(1, trace.primary_pre.shape[1:4]).sum((2, 3))
    is_bright = trace.conv1_relu.flatten(2) > BRIGHT
    return torch.stack(
        [
            effective_number(own),
            effective_number(by_type),
            own.amax(dim=1) / total,
            (own * couplings_to(step.couplings, classes)).sum(dim=1) / total,
            own.minimum(positive_part(blank)).sum(dim=1) / total,
            (trace.primary_capsules.norm(dim=4) > SATURATED).float().mean((1, 2, 3)),
            is_bright.any(dim=2).float().mean(dim=1),
            is_bright.float().mean((1, 2)),
        ],
        dim=1,
    ).cpu()
