"""Routing by agreement as slow loops over single numbers."""

import torch

from capsnet_explorer.model.layers.squash import squash


def procedure_1(votes, iterations, *, held=None, is_uniform=False):
    """The paper's Procedure 1 for one image, with c overwritten after its softmax.

    Returns b, c, v and the agreement of every iteration: b and c as it used them, v as
    it left them.
    """
    in_caps, out_caps, _ = votes.shape
    b = torch.zeros(in_caps, out_caps, dtype=votes.dtype)
    history = []
    for _ in range(iterations):
        c = torch.stack([row.exp() / row.exp().sum() for row in b])
        for (i, j), coupling in (held or {}).items():
            others = sum(c[i, k] for k in range(out_caps) if k != j)
            for k in range(out_caps):
                c[i, k] *= (1 - coupling) / others
            c[i, j] = coupling
        s = [
            sum(c[i, j] * votes[i, j] for i in range(in_caps)) for j in range(out_caps)
        ]
        v = torch.stack([squash(s_j) for s_j in s])
        agreement = torch.zeros_like(b)
        for i in range(in_caps):
            for j in range(out_caps):
                agreement[i, j] = votes[i, j] @ v[j]
        history.append((b, c, v, agreement))
        if not is_uniform:
            b = b + agreement
    return history
