"""The network with its weights repacked for fast inference.

For one image, reading the weights takes most of a pass: PyTorch rearranges those of a
convolution at every call, and multiplies a single vector as if it were a matrix. The
packed network runs the code that was trained, with three layers replaced by equivalents
that store their weights in another order.
"""

import copy
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from capsnet_explorer.model.capsnet.layers import DigitCapsules
from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.capsnet.serving.convolution import (
    packed_convolution,
    product_with,
)
from capsnet_explorer.model.decoder import Decoder
from capsnet_explorer.model.layers.dynamic import Votes
from capsnet_explorer.model.pose_decoder import PoseDecoder

# Share of the largest value by which results may differ: two orders of summation in
# float32 differ by less.
TOLERANCE = 1e-4


class PackedVotes(Votes):
    """The votes of a few images, with the input capsules innermost in memory.

    Every sum of routing then runs along memory: over the input capsules for s_j, and
    for all of them at once for the agreements. NumPy computes on the calling thread,
    without a copy. The sums are too small to be divided among threads, and torch takes
    several times as long for products of single vectors.
    """

    @cached_property
    def _by_number(self) -> Tensor:
        """Every vote (batch, out_caps, out_dim, in_caps)."""
        numbers = self.primary.permute(2, 0, 1).contiguous()[:, :, None, None]
        transforms = self.transforms.permute(3, 1, 2, 0)  # their order in memory
        votes = numbers[0] * transforms[0]
        for number, transform in zip(numbers[1:], transforms[1:], strict=True):
            votes.addcmul_(number, transform)
        return votes

    @cached_property
    def formed(self) -> Tensor:
        """Every vote (batch, in_caps, out_caps, out_dim)."""
        return self._by_number.permute(0, 3, 1, 2)

    def weighted_sum(self, couplings: Tensor) -> Tensor:
        """Return s_j = Σ_i c_ij û_j|i (eq. 2) as (batch, out_caps, out_dim)."""
        shares = couplings.mT[:, :, None].numpy()
        return torch.from_numpy(np.vecdot(shares, self._by_number.numpy()))

    def agreement(self, capsules: Tensor) -> Tensor:
        """Return û_j|i · v_j (batch, in_caps, out_caps)."""
        votes = self._by_number.numpy()
        return torch.from_numpy(np.einsum("bjd,bjdi->bji", capsules.numpy(), votes)).mT


class PackedDigitCapsules(DigitCapsules):
    """Digit capsules with their transforms in the order that `PackedVotes` reads."""

    def __init__(self, digits: DigitCapsules) -> None:
        nn.Module.__init__(self)
        transforms = (
            digits.transforms.detach()
            .permute(3, 1, 2, 0)
            .clone(memory_format=torch.contiguous_format)
        )
        self.transforms = nn.Parameter(
            transforms.permute(3, 1, 2, 0), requires_grad=False
        )

    def forward(self, primary: Tensor) -> Votes:
        """Return the votes of primary capsules (batch, in_caps, in_dim)."""
        return PackedVotes(primary, self.transforms)


class PackedDecoder(nn.Module):
    """A decoder: dot products for a single image, matrix products for several."""

    def __init__(self, decoder: Decoder, classes: int) -> None:
        super().__init__()
        self.draw_one = PoseDecoder(decoder, classes).draw
        self.products = [
            product_with(layer.weight.detach(), layer.bias.detach())
            for layer in decoder.layers
            if isinstance(layer, nn.Linear)
        ]
        self.image_shape = decoder.image_shape

    def forward(self, capsules: Tensor, keep: Tensor) -> Tensor:
        """Decode the capsule of one class of each image, as `Decoder` does."""
        if len(keep) == 1:
            label = int(keep)
            return torch.from_numpy(self.draw_one(label, capsules[0, label].numpy()))[
                None
            ]
        values = torch.zeros_like(capsules)
        rows = torch.arange(len(keep))
        values[rows, keep] = capsules[rows, keep]
        values = values.flatten(1)
        for layer, product in enumerate(self.products):
            values = product(values.relu() if layer else values)
        return values.sigmoid().unflatten(1, self.image_shape)


def pack(network: CapsNet) -> CapsNet:
    """Return an equivalent of `network` for inference only.

    It has no gradients. It copies all weights except some of the decoder's, which it
    shares; they must not change.
    """
    fast = copy.deepcopy(network).eval().requires_grad_(False)
    convolution = packed_convolution(network.primary.convolution, network.config)
    fast.primary.add_module("convolution", convolution)
    fast.add_module("digits", PackedDigitCapsules(network.digits))
    fast.add_module("decoder", PackedDecoder(network.decoder, network.config.classes))
    return fast


@torch.inference_mode()
def answer_alike(network: CapsNet, reference: CapsNet) -> bool:
    """Return whether two networks of the same sizes compute the same.

    Compares what a packed network computes differently: primary capsules, votes,
    routing and decoder; for two images together and for one alone, because it decodes a
    single image differently.
    """
    shape = (2, *network.config.image_shape)
    images = torch.rand(shape, generator=torch.Generator().manual_seed(0))
    return all(_answer_alike(network, reference, some) for some in (images, images[:1]))


def _answer_alike(network: CapsNet, reference: CapsNet, images: Tensor) -> bool:
    traces = [form(images, iterations=2) for form in (network, reference)]
    outputs = [
        (
            trace.primary_pre,
            trace.votes.formed,
            trace.capsules,
            trace.steps[-1].agreement,
            trace.reconstruction,
        )
        for trace in traces
    ]
    return all(
        bool((first - second).abs().max() <= TOLERANCE * second.abs().max())
        for first, second in zip(*outputs, strict=True)
    )
