"""How the primary capsules of an Efficient-CapsNet vote, for figures on legibility."""

import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.efficient.network import Trace
from capsnet_explorer.model.legibility import Voters, couplings_to


class PrimaryVoters(Voters):
    """Sixteen capsules, each of a type of its own, at one place."""

    def contributions(self, trace: Trace, classes: Tensor, voting: Trace) -> Tensor:
        """Return what each capsule contributes to one class of each image."""
        step = trace.routing
        is_asked = F.one_hot(classes, step.capsules.shape[1])[..., None]
        directions = F.normalize(step.capsules, dim=2) * is_asked
        pulled = (voting.routing.votes * directions[:, None]).sum(dim=(2, 3))
        return couplings_to(step.couplings, classes) * pulled

    def couplings(self, trace: Trace) -> Tensor:
        """Return the couplings, with the prior."""
        return trace.routing.couplings

    def capsules(self, trace: Trace) -> Tensor:
        """Return the primary capsules, on a grid of one place."""
        return trace.primary_capsules[:, :, None, None]

    def first_maps(self, trace: Trace) -> Tensor:
        """Return Conv1's maps after ReLU."""
        return trace.convolutions[0].relu
