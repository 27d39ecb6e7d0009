"""Interventions in routing: silenced capsules, uniform couplings, held couplings."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Surgery:
    """Changes to the routing of a batch, separate for each image.

    Attributes:
        silenced: (batch, in_caps) bool, capsules whose votes are set to zero.
        uniform: (batch,) bool, images whose couplings ignore agreement.
        held: (batch, in_caps, out_caps), the value in [0, 1] at which c_ij is held; NaN
            where routing decides. At most one for each input capsule.

    Raises:
        ValueError: `held` breaks one of these rules.
    """

    silenced: Tensor
    uniform: Tensor
    held: Tensor

    def __post_init__(self) -> None:
        is_held = ~self.held.isnan()
        if self.held.shape[2] < 2 and is_held.any():
            raise ValueError("held needs at least two output capsules, got 1")
        if is_held.sum(dim=2).max() > 1:
            raise ValueError("held must be at most one coupling a capsule, got two")
        if ((self.held < 0) | (self.held > 1)).any():
            raise ValueError(f"held must be in [0, 1], got {self.held[is_held]}")

    def to(self, device: torch.device) -> "Surgery":
        """Return the same changes, on another device."""
        return Surgery(
            self.silenced.to(device), self.uniform.to(device), self.held.to(device)
        )

    def silence(self, primary: Tensor) -> Tensor:
        """Return u_i (batch, in_caps, in_dim) with silenced capsules set to zero.

        Their votes are then zero too: W_ij 0 = 0.
        """
        return primary.masked_fill(self.silenced[..., None], 0.0)

    def mask_held(self, logits: Tensor) -> Tensor:
        """Return b_ij (batch, in_caps, out_caps) with held couplings set to -inf.

        The softmax then divides a capsule among its free couplings alone.
        """
        return logits.masked_fill(~self.held.isnan(), -torch.inf)

    def insert_held(self, shares: Tensor) -> Tensor:
        """Return c_ij (batch, in_caps, out_caps): held values, and shares of the rest.

        Args:
            shares: softmax of the logits from `mask_held`. Where a capsule has no held
                coupling, they are its couplings already.
        """
        held = self.held.nan_to_num(0.0)
        return held + (1 - held.sum(dim=2, keepdim=True)) * shares

    def logit_gain(self, agreement: Tensor) -> Tensor:
        """Return the increase of the logits: zero where couplings stay uniform."""
        return agreement.masked_fill(self.uniform[:, None, None], 0.0)
