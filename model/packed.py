"""A network whose weights lie in memory as inference reads them: the same, sooner.

For one image, a pass is bound by how its weights are read: PyTorch rearranges those of
a convolution at every call, and multiplies a single vector by way of matrices. The
network's code stays the one that was trained; three of its layers are replaced by what
computes the same from weights in another order.
"""

import copy
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from model.capsnet import CapsNet
from model.layers import Decoder, DigitCapsules
from model.packed_convolution import packed_convolution, product_with
from model.pose_decoder import PoseDecoder
from model.routing import Votes

TOLERANCE = 1e-4  # of the largest value: between two orders of summation in float32


class PackedVotes(Votes):
    """The votes of a few images, formed at once, the capsules below side by side.

    So every sum of routing runs along memory: over the capsules below for s_j, beside
    each other for the agreements. NumPy takes them where they are, on the thread that
    calls: they are too small to be shared among threads, and torch's products of single
    vectors take several times as long.
    """

    @cached_property
    def _by_number(self) -> Tensor:
        """Every vote (batch, out_caps, out_dim, in_caps)."""
        numbers = self.primary.permute(2, 0, 1).contiguous()[:, :, None, None]
        transforms = self.transforms.permute(3, 1, 2, 0)  # as they lie in memory
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
    """Digit capsules whose transforms lie in memory as `PackedVotes` reads them."""

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
        """Let (batch, in_caps, in_dim) primary capsules vote."""
        return PackedVotes(primary, self.transforms)


class PackedDecoder(nn.Module):
    """A decoder that draws a single image by vectors, several by matrix products."""

    def __init__(self, decoder: Decoder, classes: int) -> None:
        super().__init__()
        self.draw_one = PoseDecoder(decoder, classes).draw
        self.products = [
            product_with(layer.weight.detach(), layer.bias.detach())
            for layer in decoder.layers
            if isinstance(layer, nn.Linear)
        ]
        self.image_size = decoder.image_size

    def forward(self, capsules: Tensor, keep: Tensor) -> Tensor:
        """Draw one capsule of each image, as `Decoder` does."""
        if len(keep) == 1:
            digit = int(keep)
            return torch.from_numpy(self.draw_one(digit, capsules[0, digit].numpy()))[
                None
            ]
        values = torch.zeros_like(capsules)
        rows = torch.arange(len(keep))
        values[rows, keep] = capsules[rows, keep]
        values = values.flatten(1)
        for layer, product in enumerate(self.products):
            values = product(values.relu() if layer else values)
        return values.sigmoid().unflatten(1, (self.image_size, self.image_size))


def packed(network: CapsNet) -> CapsNet:
    """Return a network that answers as `network`, for inference only.

    It takes no gradient, and has copies of all weights but the decoder's, which must
    not change.
    """
    fast = copy.deepcopy(network).eval().requires_grad_(False)
    convolution = packed_convolution(network.primary.convolution, network.config)
    fast.primary.add_module("convolution", convolution)
    fast.add_module("digits", PackedDigitCapsules(network.digits))
    fast.add_module("decoder", PackedDecoder(network.decoder, network.config.classes))
    return fast


@torch.inference_mode()
def answer_alike(one: CapsNet, other: CapsNet) -> bool:
    """Tell whether two networks of the same sizes find the same in images.

    In two together and in one alone, which a packed network decodes otherwise. Compared
    is what it does otherwise: primary capsules, votes, routing, decoder.
    """
    size = one.config.image_size
    images = torch.rand(2, size, size, generator=torch.Generator().manual_seed(0))
    return all(_answer_alike(one, other, some) for some in (images, images[:1]))


def _answer_alike(one: CapsNet, other: CapsNet, images: Tensor) -> bool:
    traces = [network(images, iterations=2) for network in (one, other)]
    found = [
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
        for first, second in zip(*found, strict=True)
    )
