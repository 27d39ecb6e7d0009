"""The network in plain eager PyTorch, with our weights."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from capsnet_explorer.app.engines.protocol import Array
from capsnet_explorer.model.capsnet.network import CapsNet


class PlainNetwork:
    """A forward pass of one image, layer by layer, with all votes materialised.

    Args:
        network: provides the weights.
    """

    def __init__(self, network: CapsNet) -> None:
        self.network = network

    @torch.no_grad()
    def trace(self, image: Array, iterations: int) -> dict[str, Array]:
        """Return every tensor of the engine's trace except the votes, as NumPy."""
        network = self.network
        tensors: dict[str, Tensor] = {}
        maps = network.conv1(torch.tensor(image)[None])
        tensors["conv1.pre"], tensors["conv1.relu"] = maps, F.relu(maps)
        tensors["primary.pre"] = network.primary(tensors["conv1.relu"])
        tensors["primary.capsules"] = squash(tensors["primary.pre"])
        tensors["primary.lengths"] = tensors["primary.capsules"].norm(dim=-1)
        tensors |= self._route(tensors["primary.capsules"], iterations)
        capsules = tensors["routing.capsules"][-1:]
        tensors["digits.capsules"] = capsules
        tensors["digits.lengths"] = capsules.norm(dim=-1)
        longest = tensors["digits.lengths"].argmax(dim=1)
        tensors["reconstruction"] = self.draw(capsules, longest)
        return {
            name: np.ascontiguousarray(
                (tensor if name.startswith("routing") else tensor[0]).numpy()
            )
            for name, tensor in tensors.items()
        }

    def _route(self, capsules: Tensor, iterations: int) -> dict[str, Tensor]:
        votes = torch.einsum(
            "ijdp,bip->bijd", self.network.digits.transforms, capsules.flatten(1, 3)
        )
        logits = torch.zeros_like(votes[..., 0])
        steps: dict[str, list[Tensor]] = {
            name: [] for name in ("logits", "couplings", "capsules", "agreement")
        }
        for _ in range(iterations):
            couplings = logits.softmax(dim=2)
            above = squash((couplings[..., None] * votes).sum(dim=1))
            agreement = (votes * above[:, None]).sum(dim=-1)
            for name, tensor in zip(
                steps, (logits, couplings, above, agreement), strict=True
            ):
                steps[name].append(tensor[0])
            logits = logits + agreement
        grid = capsules.shape[1:4]
        return {
            f"routing.{name}": torch.stack(tensors)
            if name == "capsules"
            else torch.stack(tensors).unflatten(1, grid)
            for name, tensors in steps.items()
        }

    @torch.no_grad()
    def draw(self, capsules: Tensor, keep: Tensor) -> Tensor:
        """Decode one capsule of each image (batch, classes, digit_dim)."""
        mask = F.one_hot(keep, capsules.shape[1])
        pixels = self.network.decoder.layers((capsules * mask[..., None]).flatten(1))
        return pixels.reshape(-1, *self.network.config.image_shape)


def squash(vectors: Tensor) -> Tensor:
    """Shrink each vector's length into [0, 1), exactly as in equation 1."""
    length = vectors.norm(dim=-1, keepdim=True)
    return length**2 / (1 + length**2) * vectors / length
