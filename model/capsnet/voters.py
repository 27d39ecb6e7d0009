"""How the primary capsules of a CapsNet vote, for its figures on legibility."""

import torch
from torch import Tensor

from capsnet_explorer.model.capsnet.network import Trace
from capsnet_explorer.model.layers.dynamic import Votes
from capsnet_explorer.model.layers.squash import EPSILON
from capsnet_explorer.model.legibility import Voters, couplings_to


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
    # Autocast leaves capsules in half precision, and W as it is.
    pulled = (directions.to(rows.dtype) @ rows).unflatten(1, (in_caps, in_dim))
    return couplings_to(couplings, classes) * (votes.primary * pulled).sum(dim=2)


class PrimaryVoters(Voters):
    """The primary capsules, in the last iteration of routing."""

    def contributions(self, trace: Trace, classes: Tensor, voting: Trace) -> Tensor:
        """Return what each capsule contributes to one class of each image."""
        step = trace.steps[-1]
        return contributions(voting.votes, step.couplings, step.capsules, classes)

    def couplings(self, trace: Trace) -> Tensor:
        """Return the couplings of the last iteration."""
        return trace.steps[-1].couplings

    def capsules(self, trace: Trace) -> Tensor:
        """Return the primary capsules."""
        return trace.primary_capsules

    def first_maps(self, trace: Trace) -> Tensor:
        """Return Conv1's maps after ReLU."""
        return trace.conv1_relu
