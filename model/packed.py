"""A network whose weights lie in memory as inference reads them: the same, sooner.

Nearly all of a pass is the convolution of PrimaryCaps. For one image it is the product
of a small matrix, the patches, with a large one, the kernels. PyTorch rearranges these
at every call; here that is done once. The network's code stays the one that was
trained: one layer is replaced, and the transforms W_ij are put in another order.
"""

import copy
from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.capsnet import CapsNet

TOLERANCE = 1e-4  # of the largest value: between two orders of summation in float32


class PackedConvolution(nn.Module):
    """A convolution as a matrix product: patches, flattened, times kernels.

    Args:
        convolution: without padding, dilation or groups. Its kernels are copied.
    """

    def __init__(self, convolution: nn.Conv2d) -> None:
        super().__init__()
        self.size, self.stride = convolution.kernel_size, convolution.stride
        kernels = convolution.weight.detach().permute(0, 2, 3, 1).flatten(1)
        self.multiply = _multiplier(kernels, convolution.bias)

    def forward(self, maps: Tensor) -> Tensor:
        """Map (batch, in, rows, columns) to (batch, out, rows, columns).

        With a pixel's channels side by side, a row of a patch is one run of memory.
        """
        (height, width), (down, right) = self.size, self.stride
        pixels = maps.permute(0, 2, 3, 1).contiguous()
        patches = pixels.unfold(1, height, down).unfold(2, width, right)
        places = patches.shape[:3]
        # From (..., in, height, width) to the order of the kernels.
        flat = patches.permute(0, 1, 2, 4, 5, 3).reshape(places.numel(), -1)
        return self.multiply(flat).unflatten(0, places).permute(0, 3, 1, 2)


def _multiplier(matrix: Tensor, bias: Tensor | None) -> Callable[[Tensor], Tensor]:
    """Return what maps (rows, in) to (rows, out), as `F.linear` does.

    oneDNN keeps a matrix in the order in which its product reads it: two thirds of the
    time. Its operators in torch are those that `torch.compile` calls for frozen
    weights. Where torch was built without it, the product is the plain one.

    Args:
        matrix: (out, in).
        bias: (out,).
    """
    try:
        reordered = torch.ops.mkldnn._reorder_linear_weight(matrix.contiguous())
        multiply = torch.ops.mkldnn._linear_pointwise
    except (AttributeError, RuntimeError):
        return partial(F.linear, weight=matrix.contiguous(), bias=bias)
    return lambda rows: multiply(rows, reordered, bias, "none", [], "")


def packed(network: CapsNet) -> CapsNet:
    """Return a network that answers as `network`, for inference only.

    Its weights are copies and take no gradient.
    """
    fast = copy.deepcopy(network).eval().requires_grad_(False)
    convolution = PackedConvolution(network.primary.convolution)
    fast.primary.add_module("convolution", convolution)
    # W_ij of one capsule below, for all above, becomes one matrix (in_dim, all_above).
    transforms = network.digits.transforms.detach().permute(0, 3, 1, 2).contiguous()
    fast.digits.transforms = nn.Parameter(
        transforms.permute(0, 2, 3, 1), requires_grad=False
    )
    return fast


@torch.inference_mode()
def answer_alike(one: CapsNet, other: CapsNet) -> bool:
    """Tell whether two networks of the same sizes find the same in two images.

    Compared is what a packed network does otherwise: primary capsules and votes.
    """
    size = one.config.image_size
    images = torch.rand(2, size, size, generator=torch.Generator().manual_seed(0))
    traces = [network(images, iterations=1) for network in (one, other)]
    found = [(trace.primary_pre, trace.votes.formed) for trace in traces]
    return all(
        bool((first - second).abs().max() <= TOLERANCE * second.abs().max())
        for first, second in zip(*found, strict=True)
    )
