"""Interventions in routing: what would the network decide if this were otherwise?"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Surgery:
    """Changes to the routing of a batch, for each of its images its own.

    Attributes:
        silenced: (batch, in_caps) bool, capsules whose votes count as zero.
        uniform: (batch,) bool, images whose couplings no agreement moves.
        held: (batch, in_caps, out_caps), what c_ij is held at, in [0, 1]; NaN where it
            is left to routing. At most one for each capsule below.

    Raises:
        ValueError: `held` is of another kind.
    """

    silenced: Tensor
    uniform: Tensor
    held: Tensor

    def __post_init__(self) -> None:
        is_held = ~self.held.isnan()
        if self.held.shape[2] < 2 and is_held.any():
            raise ValueError("held needs two capsules above to share among, got 1")
        if is_held.sum(dim=2).max() > 1:
            raise ValueError("held must be one coupling a capsule, got two")
        if ((self.held < 0) | (self.held > 1)).any():
            raise ValueError(f"held must be in [0, 1], got {self.held[is_held]}")

    def heard(self, primary: Tensor) -> Tensor:
        """Return u_i (batch, in_caps, in_dim), zero where the capsule is silenced.

        A zero capsule's votes are zero: W_ij 0 = 0.
        """
        return primary.masked_fill(self.silenced[..., None], 0.0)

    def left_free(self, logits: Tensor) -> Tensor:
        """Return b_ij (batch, in_caps, out_caps), -inf where the coupling is held.

        Their softmax then has the proportions among the others.
        """
        return logits.masked_fill(~self.held.isnan(), -torch.inf)

    def completed(self, shares: Tensor) -> Tensor:
        """Return c_ij (batch, in_caps, out_caps): what is held, and shares of the rest.

        Args:
            shares: softmax of what is `left_free`; the couplings where none is held.
        """
        held = self.held.nan_to_num(0.0)
        return held + (1 - held.sum(dim=2, keepdim=True)) * shares

    def heeded(self, agreement: Tensor) -> Tensor:
        """Return what the logits grow by: nothing where couplings stay uniform."""
        return agreement.masked_fill(self.uniform[:, None, None], 0.0)
