"""What an attack raises, and its gradient, as one graph.

PyTorch's own autograd is run once and written down operator by operator: ONNX has no
gradients, but all that they are made of.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any, get_args
from unittest import mock

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.layers import dynamic, em
from capsnet_explorer.model.slopes import loss_of
from capsnet_explorer.perturbations.attack import Loss

LOSSES: tuple[Loss, ...] = get_args(Loss)
OUTPUTS = ("value", "gradient")

aten = torch.ops.aten


def gradient_of(
    architecture: Architecture, network: Network, trained: Any
) -> tuple[Callable[..., tuple[Tensor, Tensor]], dict[str, Tensor]]:
    """Return a function of tensors alone, and inputs by name to trace it with.

    Inputs: `image` (channels, rows, columns), `label` () int64, `loss` () int64, the
    place in `LOSSES`, and `every` () bool, whether the gradient goes through every
    iteration of routing or the last alone. Outputs: the loss, (), and its gradient, of
    the image's shape.

    Args:
        architecture: of the network.
        network: in evaluation mode, with no parameter that requires a gradient.
        trained: an instance of `settings.loss`.
    """

    def slope(
        image: Tensor, label: Tensor, loss: Tensor, every: Tensor
    ) -> tuple[Tensor, Tensor]:
        pixels = image.detach().clone()[None].requires_grad_()
        with torch.enable_grad(), mock.patch.object(F, "one_hot", _one_hot):
            with _through(every):
                trace = architecture.trace_with_gradient(
                    network, pixels, through_all=False
                )
            labels = label[None]
            losses = [  # as doubles, which some are: ONNX stacks numbers of one type
                loss_of(architecture, trace, labels, of, trained).double()
                for of in LOSSES
            ]
            chosen = torch.arange(len(LOSSES)) == loss
            value = (torch.stack(losses).flatten() * chosen).sum()
            (gradient,) = torch.autograd.grad(value, pixels)
        return value.detach().to(image.dtype), gradient[0]

    inputs = {
        "image": torch.rand(network.config.image_shape),
        "label": torch.tensor(1),
        "loss": torch.tensor(0),
        "every": torch.tensor(True),
    }
    return slope, inputs


def _one_hot(labels: Tensor, classes: int) -> Tensor:
    """Return what PyTorch does, which looks at the labels' values first."""
    return (labels[..., None] == torch.arange(classes)).long()


@contextlib.contextmanager
def _through(every: Tensor) -> Iterator[None]:
    """Have routing multiply the gradient that it leaves out by 1, or by 0."""

    def constant(values: Tensor) -> Tensor:
        if not values.requires_grad:
            return values
        held = values.detach()
        return held + every.to(values.dtype) * (values - held)

    with contextlib.ExitStack() as stack:
        for routing in (dynamic, em):
            stack.enter_context(mock.patch.object(routing, "constant", constant))
        yield


def _convolution_backward(
    slopes: Tensor,
    images: Tensor,
    weight: Tensor,
    _bias_sizes: Any,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    transposed: bool,
    _output_padding: list[int],
    groups: int,
    _wanted: list[bool],
) -> tuple[Tensor, None, None]:
    """Return the gradient of a convolution's images, by the same weights."""
    sizes = zip(
        *(images.shape[2:], weight.shape[2:], stride, padding, dilation), strict=True
    )
    left = [  # rows and columns that no window reaches
        0 if transposed else (length + 2 * pad - apart * (size - 1) - 1) % step
        for length, size, step, pad, apart in sizes
    ]
    back = (stride, padding, dilation, not transposed, left, groups)
    return aten.convolution(slopes, weight, None, *back), None, None


def _mean_pool_backward(
    slopes: Tensor,
    images: Tensor,
    size: list[int],
    stride: list[int],
    padding: list[int],
    ceil: bool,
    counts_padding: bool,
    divisor: int | None,
) -> Tensor:
    """Return the gradient of means over windows: that of a convolution by equals."""
    if ceil or (any(padding) and not counts_padding):
        raise NotImplementedError("means over windows of several sizes")
    channels = images.shape[1]
    share = 1 / (divisor or math.prod(size))
    weight = images.new_full((channels, 1, *size), share)
    steps = (list(stride or size), padding, [1, 1], False, [0, 0], channels)
    return _convolution_backward(slopes, images, weight, None, *steps, [])[0]


def _max_pool_backward(
    slopes: Tensor,
    images: Tensor,
    size: list[int],
    stride: list[int],
    padding: list[int],
    _dilation: list[int],
    _ceil: bool,
    indices: Tensor,
) -> Tensor:
    """Return the gradient of what a pool reads: the first of equals has all of it."""
    batch, channels, rows, columns = images.shape
    if list(size) != [2, 2] or list(stride or size) != [2, 2] or any(padding):
        flat = images.new_zeros(batch, channels, rows * columns)
        flat = flat.scatter_add(2, indices.flatten(2), slopes.flatten(2))
        return flat.reshape(images.shape)
    # Windows side by side need no scattering, which runtimes are slow at.
    down, across = slopes.shape[2:]
    quads = images[:, :, : 2 * down, : 2 * across]
    quads = quads.reshape(batch, channels, down, 2, across, 2)
    quads = quads.transpose(3, 4).flatten(4)
    is_first = quads.argmax(-1, keepdim=True) == torch.arange(4)
    spread = is_first.to(slopes.dtype) * slopes[..., None]
    spread = spread.unflatten(4, (2, 2)).transpose(3, 4)
    spread = spread.reshape(batch, channels, 2 * down, 2 * across)
    return F.pad(spread, (0, columns - 2 * across, 0, rows - 2 * down))


BACKWARD: dict[Any, Callable[..., Any]] = {
    aten.convolution_backward.default: _convolution_backward,
    aten.avg_pool2d_backward.default: _mean_pool_backward,
    aten.max_pool2d_with_indices_backward.default: _max_pool_backward,
}
