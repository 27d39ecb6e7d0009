"""Routing by agreement (Sabour, Frosst & Hinton 2017, section 2 and Procedure 1)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from capsnet_explorer.model.layers.squash import squash
from capsnet_explorer.model.layers.surgery import Surgery

# Largest batch, in images, whose votes are computed and kept: 24 MB. In training they
# never are, because gradients would need that much again for each use.
FORMED_UP_TO = 32


class Votes:
    """The votes û_j|i = W_ij u_i (eq. 2), stored as their two factors.

    Routing needs two results from the votes: a weighted sum and an agreement. Both are
    linear in the votes, so a training batch never holds the votes in memory. For each
    image they are 1152 x 10 x 16 numbers, twenty times the capsules they come from. For
    a few images the votes are small compared with W, and are computed once.

    Args:
        primary: u_i (batch, in_caps, in_dim).
        transforms: W_ij (in_caps, out_caps, out_dim, in_dim).

    Raises:
        ValueError: the two shapes do not match.
    """

    def __init__(self, primary: Tensor, transforms: Tensor) -> None:
        in_caps, _, _, in_dim = transforms.shape
        if primary.shape[1:] != (in_caps, in_dim):
            raise ValueError(
                f"primary must be (batch, {in_caps}, {in_dim}), "
                f"got {tuple(primary.shape)}"
            )
        self.primary = primary
        self.transforms = transforms
        self._are_trained = torch.is_grad_enabled() and transforms.requires_grad
        self._parts: tuple[Tensor, tuple[Tensor, ...]] | None = None

    @cached_property
    def formed(self) -> Tensor:
        """Every vote (batch, in_caps, out_caps, out_dim), computed when first read."""
        all_above = self.transforms.flatten(1, 2).mT  # W_ij of every j, side by side
        votes = (self.primary.transpose(0, 1) @ all_above).unflatten(
            2, self.transforms.shape[1:3]
        )
        return votes.transpose(0, 1)

    # Taking one output capsule at a time, with the components of all images side by
    # side, keeps intermediate results in the processor's cache.

    def _by_capsule(self) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Return u_i as (in_dim, batch, in_caps), and W_ij of each output capsule.

        Those are (in_dim, in_caps, out_dim) each. Kept without a lock, which would
        divide what torch.compile sees.
        """
        if self._parts is None:
            numbers = self.primary.permute(2, 0, 1).contiguous()
            transforms = self.transforms.permute(1, 3, 0, 2).contiguous()
            self._parts = numbers, transforms.unbind(0)
        return self._parts

    @property
    def _are_few(self) -> bool:
        return len(self.primary) <= FORMED_UP_TO and not self._are_trained

    def weighted_sum(self, couplings: Tensor) -> Tensor:
        """Return s_j = Σ_i c_ij û_j|i (eq. 2), for large batches Σ_i W_ij (c_ij u_i).

        Args:
            couplings: c_ij (batch, in_caps, out_caps).

        Returns:
            (batch, out_caps, out_dim).
        """
        if self._are_few:
            return (couplings.mT[:, :, None] @ self.formed.transpose(1, 2))[:, :, 0]
        numbers, transforms = self._by_capsule()
        above = zip(couplings.permute(2, 0, 1).contiguous(), transforms, strict=True)
        return torch.stack(
            [(shares * numbers @ into).sum(dim=0) for shares, into in above], dim=1
        )

    def agreement(self, capsules: Tensor) -> Tensor:
        """Return û_j|i · v_j, for large batches as u_i · (W_ijᵀ v_j).

        Args:
            capsules: v_j (batch, out_caps, out_dim).

        Returns:
            (batch, in_caps, out_caps).
        """
        if self._are_few:
            by_capsule = capsules[:, :, None] @ self.formed.permute(0, 2, 3, 1)
            return by_capsule[:, :, 0].mT
        numbers, transforms = self._by_capsule()
        above = zip(capsules.unbind(1), transforms, strict=True)
        return torch.stack(
            [(pose @ into.mT * numbers).sum(dim=0) for pose, into in above]
        ).permute(1, 2, 0)

    def detached(self) -> "Votes":
        """Return the same votes, detached from the gradient."""
        if not torch.is_grad_enabled():
            return self  # shares the votes computed so far
        votes = Votes(constant(self.primary), constant(self.transforms))
        votes._are_trained = self._are_trained
        return votes


def constant(values: Tensor) -> Tensor:
    """Return values that the gradient leaves out."""
    return values.detach()


@dataclass(eq=False)
class RoutingStep:
    """The state of one routing iteration.

    Attributes:
        votes: û_j|i.
        logits: b_ij (batch, in_caps, out_caps) at the start of this iteration.
        couplings: c_ij (batch, in_caps, out_caps), sums to 1 over out_caps, or to less
            where none of the above takes the rest.
        total_input: s_j (batch, out_caps, out_dim), before squash.
        capsules: v_j, of the same shape, each shorter than 1.
    """

    votes: Votes
    logits: Tensor
    couplings: Tensor
    total_input: Tensor
    capsules: Tensor
    _agreement: Tensor | None = None

    @property
    def agreement(self) -> Tensor:
        """û_j|i · v_j (batch, in_caps, out_caps), added to the next logits.

        Computed when first read: training never reads the last iteration's.
        """
        if self._agreement is None:
            self._agreement = self.votes.agreement(self.capsules)
        return self._agreement


def routing_steps(
    votes: Votes,
    iterations: int,
    surgery: Surgery | None = None,
    *,
    through_all: bool = False,
    shares: Callable[[Tensor], Tensor] | None = None,
    prior: Tensor | None = None,
    shrink: Callable[[Tensor], Tensor] = squash,
    gain: Callable[[Tensor], Tensor] | None = None,
) -> Iterator[RoutingStep]:
    """Route `votes` to the output capsules, yielding every iteration (Procedure 1).

    Training needs the last step, the visualizer needs all of them; both run this one
    loop. In training, gradients flow through the last iteration alone. The couplings
    then count as constants, which is faster and no less accurate.

    Args:
        votes: of each input capsule for each output capsule.
        iterations: number of iterations, at least 1.
        surgery: interventions in the couplings. Silenced capsules are already zero in
            `votes`.
        through_all: whether gradients flow through every iteration.
        shares: returns c_ij from b_ij; None takes `shares_of_each`.
        prior: b_ij to begin with, (in_caps, out_caps); None begins with 0.
        shrink: returns v_j (batch, out_caps, out_dim) from s_j.
        gain: returns what is added to b_ij, of the agreement; None adds it all.

    Raises:
        ValueError: `iterations` is below 1.
    """
    if iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    batch, in_caps, _ = votes.primary.shape
    out_caps = votes.transforms.shape[1]
    logits = votes.primary.new_zeros(out_caps, batch, in_caps).permute(1, 2, 0)
    if prior is not None:
        logits = logits + prior
    inner_votes = votes if through_all else votes.detached()
    shares = shares or shares_of_each
    for iteration in range(1, iterations + 1):
        is_last = iteration == iterations
        if surgery is None:
            couplings = shares(logits)
        else:
            couplings = surgery.insert_held(shares(surgery.mask_held(logits)))
        readable = votes if is_last else inner_votes
        total_input = readable.weighted_sum(couplings)
        step = RoutingStep(
            readable, logits, couplings, total_input, shrink(total_input)
        )
        yield step
        if not is_last:
            added = step.agreement if gain is None else gain(step.agreement)
            logits = logits + (surgery.logit_gain(added) if surgery else added)


def shares_of_each(logits: Tensor) -> Tensor:
    """Return c_ij, the softmax of b_ij over j.

    The softmax runs over the output capsules, so each input capsule divides itself
    among them. Their axis is the outermost in memory: a softmax over ten adjacent
    numbers takes fifteen times as long as one over ten rows.
    """
    return logits.permute(2, 0, 1).softmax(dim=0).permute(1, 2, 0)


def shares_beside_none(logits: Tensor) -> Tensor:
    """Return c_ij where a further class, none of the above, takes what no class claims.

    Its logit is 0, where every logit begins, and no agreement ever changes it. So the
    couplings of an input capsule sum to less than 1, and the rest reaches no output
    capsule. Section 7 of the paper names the category for CIFAR-10, but no formula.
    """
    none = logits.new_zeros(1).expand(*logits.shape[:2], 1)
    return shares_of_each(torch.cat([logits, none], dim=2))[..., :-1]


def shares_among_capsules(logits: Tensor) -> Tensor:
    """Return the softmax of b_ij over i: the capsules compete, and not the classes.

    A mistake that many implementations make.
    """
    return logits.softmax(dim=1)
