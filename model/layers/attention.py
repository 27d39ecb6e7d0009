"""Self-attention routing (Mazzia, Salvetti & Chiaberge 2021, section 3.2)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet_explorer.model.layers.squash import squash_exponentially
from capsnet_explorer.model.layers.surgery import Surgery


@dataclass(frozen=True, slots=True)
class AttentionStep:
    """How attention routed the votes. Batch first.

    Attributes:
        votes: û_n (batch, in_caps, out_caps, dim).
        agreement: (batch, in_caps, out_caps), each vote's dot product with the sum of
            all votes for the same capsule, over √d: the sum of `attention` over its
            second axis.
        shares: (batch, in_caps, out_caps), softmax of the agreement over out_caps.
        couplings: the same plus the log prior; what weighs the votes.
        capsules: v (batch, out_caps, dim), each shorter than 1.
        scale: √d, the square root of a primary capsule's numbers.
    """

    votes: Tensor
    agreement: Tensor
    shares: Tensor
    couplings: Tensor
    capsules: Tensor
    scale: float

    @property
    def total_input(self) -> Tensor:
        """s_n = Σ_i (c_in + b_in) û_in (eq. 7), before squash: as `capsules`."""
        return (self.votes * self.couplings[..., None]).sum(dim=1)

    @property
    def attention(self) -> Tensor:
        """A (eq. 5): û_in · û_jn / √d, as (batch, in_caps, in_caps, out_caps)."""
        by_capsule = self.votes.transpose(1, 2)
        return (by_capsule @ by_capsule.mT).movedim(1, 3) / self.scale


def attend(
    votes: Tensor, prior: Tensor, scale: float, surgery: Surgery | None = None
) -> AttentionStep:
    """Route votes by the attention that each receives from all votes.

    Args:
        votes: û_n (batch, in_caps, out_caps, dim).
        prior: b_in (in_caps, out_caps), learned, added to the shares.
        scale: √d, the square root of the numbers of a capsule that votes.
        surgery: uniform couplings ignore agreement and keep the prior; a held coupling
            is held as it is, without the prior. Silenced capsules are already zero in
            `votes`.
    """
    # Eq. 5 and the sum in eq. 6: Σ_j û_in · û_jn = û_in · Σ_j û_jn.
    agreement = (votes * votes.sum(dim=1, keepdim=True)).sum(dim=3) / scale
    shares, couplings = _couplings(agreement, prior, surgery)
    # s_n = Σ_i (c_in + b_in) û_in (eq. 7)
    capsules = squash_exponentially((votes * couplings[..., None]).sum(dim=1))
    return AttentionStep(votes, agreement, shares, couplings, capsules, scale)


def _couplings(
    agreement: Tensor, prior: Tensor, surgery: Surgery | None
) -> tuple[Tensor, Tensor]:
    """Return the softmax over out_caps (eq. 6), and the same plus the prior."""
    if surgery is None:
        shares = agreement.softmax(dim=2)
        return shares, shares + prior
    free = surgery.mask_held(surgery.logit_gain(agreement)).softmax(dim=2)
    shares = surgery.insert_held(free)
    is_held = ~surgery.held.isnan()
    return shares, torch.where(is_held, shares, shares + prior)
