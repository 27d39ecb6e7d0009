"""How legible capsules are: how many of them share in a class, and similar figures.

The input s of a class capsule is a sum: each capsule below contributes c·(û·v)/‖v‖ to
its length, and these contributions add up to ‖s‖ exactly. Long training concentrates
the sum on a few capsules, some of which contribute as much to an empty image. Such a
network is no less accurate, but its routing shows little. The figures here measure how
far that went.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import Network

EPSILON = 1e-8
SATURATED = 0.95  # a primary capsule longer than this can hardly grow
BRIGHT = 0.02  # a Conv1 value above this is visible on the page
MEDIANS = 5  # of the figures of an image, these come first


class Voters(ABC):
    """How a network's capsules vote, as its traces tell."""

    @abstractmethod
    def contributions(self, trace: Any, classes: Tensor, voting: Any) -> Tensor:
        """Return what each capsule contributes to one class of each image, c·(û·v)/‖v‖.

        Args:
            trace: of a batch; its couplings c and class capsules v are taken.
            classes: (batch,) int64.
            voting: the trace whose votes û are taken: the same one, or that of one
                image that votes in place of each.

        Returns:
            (batch, in_caps); of a trace's own votes, these add up to ‖s‖.
        """

    @abstractmethod
    def couplings(self, trace: Any) -> Tensor:
        """Return the couplings: (batch, in_caps, classes)."""

    @abstractmethod
    def capsules(self, trace: Any) -> Tensor:
        """Return the capsules that vote: (batch, types, rows, columns, dim)."""

    @abstractmethod
    def first_maps(self, trace: Any) -> Tensor:
        """Return the first layer's maps after ReLU: (batch, maps, rows, columns)."""


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
        heard_coupling: the couplings' mean weighted by `w`; if routing decides nothing,
            1/classes, or 1/(classes + 1) where one is none of the above.
        blank_share: share of Σw, in [0, 1], that the capsules of an empty image would
            contribute as well, through the same couplings.
        empty_length: length of the longest class capsule of an empty image.
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


def couplings_to(couplings: Tensor, classes: Tensor) -> Tensor:
    """Return c_ij of one class j for each image.

    Args:
        couplings: (batch, in_caps, classes).
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
        voters: how its capsules vote.
    """

    def __init__(self, network: Network, voters: Voters) -> None:
        self._voters = voters
        image = next(network.parameters()).new_zeros(1, *network.config.image_shape)
        with torch.no_grad():
            self._empty = network(image)
        self._rows: list[Tensor] = []

    @torch.no_grad()
    def add(self, trace: Any) -> None:
        """Measure the images of one more batch."""
        self._rows.append(_of_each_image(trace, self._empty, self._voters))

    @property
    def figures(self) -> Legibility:
        """The figures over all batches so far, of which there is at least one."""
        rows = torch.cat(self._rows).double()
        medians = rows[:, :MEDIANS].quantile(0.5, dim=0).tolist()
        means = rows[:, MEDIANS:].mean(dim=0).tolist()
        return Legibility(*(*medians, float(self._empty.scores.max()), *means))


def _of_each_image(trace: Any, empty: Any, voters: Voters) -> Tensor:
    """Return the figures of each image of a batch: (batch, 8), the medians first."""
    classes = trace.scores.argmax(dim=1)
    capsules = voters.capsules(trace)
    shares = voters.contributions(trace, classes, trace).relu()
    blank = voters.contributions(trace, classes, empty).relu()
    total = shares.sum(dim=1) + EPSILON
    by_type = shares.unflatten(1, capsules.shape[1:4]).sum((2, 3))
    heard = couplings_to(voters.couplings(trace), classes)
    is_bright = voters.first_maps(trace).flatten(2) > BRIGHT
    return torch.stack(
        [
            effective_number(shares),
            effective_number(by_type),
            shares.amax(dim=1) / total,
            (shares * heard).sum(dim=1) / total,
            shares.minimum(blank).sum(dim=1) / total,
            (capsules.norm(dim=4) > SATURATED).float().mean((1, 2, 3)),
            is_bright.any(dim=2).float().mean(dim=1),
            is_bright.float().mean((1, 2)),
        ],
        dim=1,
    ).cpu()
