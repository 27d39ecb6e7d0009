"""A CapsNet's first weights from a network for smaller images, or of more kernels.

Convolutions do not depend on the size of an image. A digit may stand anywhere on a
larger grid of primary capsules, so each W_ij begins as the mean of those that the digit
would have there. Of kernels, types and hidden units, those of the largest weights stay.
"""

from itertools import product

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import require_size
from capsnet_explorer.model.capsnet.config import CapsNetConfig
from capsnet_explorer.model.capsnet.mistakes import capsnet
from capsnet_explorer.model.capsnet.network import CapsNet

SAME = (
    *("image_channels", "classes", "kernel_size"),
    *("primary_dim", "primary_stride", "digit_dim"),
)
AT_LEAST = ("conv1_kernels", "primary_types", "decoder_hidden")
AT_MOST = ("image_rows", "image_columns")


@torch.no_grad()
def begun_from(start: CapsNet, config: CapsNetConfig) -> CapsNet:
    """Return a CapsNet of these sizes that begins with another's weights.

    Args:
        start: for images of at most that size, with at least as many kernels, types of
            primary capsules and hidden units; all else is of the same size.
        config: the sizes of the new network.

    Raises:
        ValueError: it does not fit; names the size at fault.
    """
    _require_fit(start.config, config)
    network = capsnet(config)
    primary, wide = start.primary, start.digits.transforms
    by_type = wide.unflatten(0, start.config.primary_grid)
    types = _largest(_norms(by_type), config.primary_types)
    capsules = primary.convolution.weight.unflatten(0, (primary.types, primary.dim))
    capsules = capsules[types]
    kernels = _largest(
        _norms(start.conv1.weight) * _norms(capsules.transpose(0, 2)),
        config.conv1_kernels,
    )
    biases = start.get_parameter("primary.convolution.bias").unflatten(
        0, (primary.types, primary.dim)
    )
    network.load_state_dict(
        {
            "conv1.weight": start.conv1.weight[kernels],
            "conv1.bias": start.get_parameter("conv1.bias")[kernels],
            "primary.convolution.weight": capsules[:, :, kernels].flatten(0, 1),
            "primary.convolution.bias": biases[types].flatten(),
            "digits.transforms": averaged(by_type[types], config).flatten(0, 2),
            **_decoder(start, config),
        }
    )
    return network


def averaged(transforms: Tensor, config: CapsNetConfig) -> Tensor:
    """Spread the transforms of a grid over a larger one.

    Each place of the smaller grid within the larger one is a place of a digit. A
    transform is the mean over all places; where a place does not cover it, it is 0.

    Args:
        transforms: (types, rows, columns, ...).
        config: the sizes with the larger grid.

    Returns:
        (types, more rows, more columns, ...).
    """
    _, more_rows, more_columns = config.primary_grid
    types, rows, columns, *rest = transforms.shape
    total = transforms.new_zeros(types, more_rows, more_columns, *rest)
    places = list(
        product(range(more_rows - rows + 1), range(more_columns - columns + 1))
    )
    for down, right in places:
        total[:, down : down + rows, right : right + columns] += transforms
    return total / len(places)


def _decoder(start: CapsNet, config: CapsNetConfig) -> dict[str, Tensor]:
    """Return the decoder's weights by name; its picture stays in the middle.

    A pixel around it begins with the weights of the nearest pixel in it.
    """
    layers = [f"layers.{number}" for number in (0, 2, 4)]
    of = start.decoder.get_parameter
    weights: list[Tensor] = [of(f"{layer}.weight") for layer in layers]
    biases: list[Tensor] = [of(f"{layer}.bias") for layer in layers]
    for layer, units in enumerate(config.decoder_hidden):
        above = weights[layer + 1]
        kept = _largest(_norms(weights[layer]) * _norms(above.T), units)
        weights[layer], biases[layer] = weights[layer][kept], biases[layer][kept]
        weights[layer + 1] = above[:, kept]
    old, new = start.config.image_shape, config.image_shape
    rows, columns = (
        (torch.arange(new[axis]) - (new[axis] - old[axis]) // 2).clamp(0, old[axis] - 1)
        for axis in (1, 2)
    )
    for values in (weights, biases):
        pixels = values[2].unflatten(0, old)[:, rows][:, :, columns]
        values[2] = pixels.flatten(0, 2)
    return {
        f"decoder.{layer}.{kind}": value
        for kind, values in (("weight", weights), ("bias", biases))
        for layer, value in zip(layers, values, strict=True)
    }


def _norms(weights: Tensor) -> Tensor:
    """Return the norm of each entry along the first axis."""
    return weights.flatten(1).norm(dim=1)


def _largest(values: Tensor, count: int) -> Tensor:
    """Return the indices of the largest values, in their order."""
    return values.topk(count).indices.sort().values


def _require_fit(start: CapsNetConfig, config: CapsNetConfig) -> None:
    for name in SAME:
        require_size(name, start, config)
    for name, word, larger, smaller in (
        *((name, "at least", start, config) for name in AT_LEAST),
        *((name, "at most", config, start) for name in AT_MOST),
    ):
        more, less = getattr(larger, name), getattr(smaller, name)
        pairs = (
            zip(more, less, strict=True) if name == "decoder_hidden" else [(more, less)]
        )
        if any(one < other for one, other in pairs):
            raise ValueError(
                f"must be a network with {word} {name} {getattr(config, name)}, "
                f"got {getattr(start, name)}"
            )
