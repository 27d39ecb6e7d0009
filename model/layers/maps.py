"""The named tensors that networks share: a convolution, capsules, the answer."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.settings import ImageSizes, Shape

GLIMPSE = 16  # maps that fit into a thumbnail


def pictured(images: Tensor) -> Tensor:
    """Return images, or kernels, without the axis of a single channel.

    Args:
        images: (..., channels, rows, columns).
    """
    return images[..., 0, :, :] if images.shape[-3] == 1 else images


def first_weights(convolution: nn.Conv2d) -> dict[str, Tensor]:
    """Return the kernels and biases of a network's first convolution, by name.

    Kernels are (kernels, rows, columns), with an axis of channels after the first if
    there are several; biases (kernels,).
    """
    bias = convolution.get_parameter("bias")
    return {
        "conv1.kernels": pictured(convolution.weight).detach(),
        "conv1.bias": bias.detach(),
    }


def picture_shape(shape: Shape) -> tuple[int, ...]:
    """Return the shape of an image after `pictured`."""
    return shape[1:] if shape[0] == 1 else shape


def energy_of(maps: Tensor) -> Tensor:
    """Return the sum of each map's squares: (maps,)."""
    return maps.square().sum(dim=(1, 2))


def strongest(maps: Tensor) -> Tensor:
    """Return the indices of the 16 maps with the most energy, in ascending order.

    Ties go to the lower index, so that a blank image has 16 maps as well.

    Args:
        maps: (maps, rows, columns).

    Returns:
        (16,) int64; shorter where there are fewer maps.
    """
    order = energy_of(maps).argsort(descending=True, stable=True)
    return order[:GLIMPSE].sort().values


def map_roles(name: str) -> dict[str, str]:
    """Return the tensors of a convolution that the page shows, by their roles."""
    return {role: f"{name}.{role}" for role in ("pre", "glimpse", "energy")}


def map_tensors(
    name: str, title: str, shape: Shape, of: Callable[[Any], Any] | None = None
) -> dict[str, NamedTensor]:
    """Return a layer's maps before and after ReLU, and those that a thumbnail shows.

    Args:
        name: of the layer.
        title: of the layer, for people.
        shape: (maps, rows, columns).
        of: reads the layer from a trace, with `pre` and `relu` (batch, maps, rows,
            columns); None reads the trace's fields `NAME_pre` and `NAME_relu`.
    """

    def read(trace: Any, image: int, moment: str) -> Tensor:
        if of is None:
            return getattr(trace, f"{name}_{moment}")[image]
        return getattr(of(trace), moment)[image]

    def glimpse(trace: Any, image: int) -> Tensor:
        maps = read(trace, image, "relu")
        return maps[strongest(maps)]

    return {
        f"{name}.pre": NamedTensor(
            f"{title} maps before ReLU", shape, partial(read, moment="pre")
        ),
        f"{name}.relu": NamedTensor(
            f"{title} maps after ReLU", shape, partial(read, moment="relu")
        ),
        f"{name}.glimpse": NamedTensor(
            f"the {title} maps with the most energy after ReLU, in order of number",
            (min(GLIMPSE, shape[0]), *shape[1:]),
            glimpse,
            is_optional=True,
        ),
        f"{name}.energy": NamedTensor(
            f"energy of each {title} map: the sum of its squares after ReLU",
            shape[:1],
            lambda t, k: energy_of(read(t, k, "relu")),
            is_large=False,
            is_optional=True,
        ),
    }


def primary_tensors(
    grid: tuple[int, ...], dim: int, *, is_large: bool = True
) -> dict[str, NamedTensor]:
    """Return the primary capsules before and after squash, and their lengths.

    Args:
        grid: of the capsules.
        dim: numbers of a capsule.
        is_large: whether they have thousands of numbers.
    """

    def lengths(trace: Any, image: int) -> Tensor:
        return torch.linalg.vector_norm(trace.primary_capsules[image], dim=-1)

    poses = (*grid, dim)
    return {
        "primary.pre": NamedTensor(
            "primary capsules before squash",
            poses,
            lambda t, k: t.primary_pre[k],
            is_large,
        ),
        "primary.capsules": NamedTensor(
            "primary capsules u, after squash",
            poses,
            lambda t, k: t.primary_capsules[k],
            is_large,
        ),
        "primary.lengths": NamedTensor(
            "lengths of the primary capsules", grid, lengths, is_large
        ),
    }


def answer_tensors(
    config: ImageSizes, score: str, source: str
) -> dict[str, NamedTensor]:
    """Return the scores, and the image that a capsule's pose is decoded to.

    Args:
        config: the network's sizes.
        score: what a class's score is, for people.
        source: the capsule, for people.
    """
    return {
        "scores": NamedTensor(
            f"score of each class: {score}",
            (config.classes,),
            lambda t, k: t.scores[k],
            is_large=False,
        ),
        "reconstruction": NamedTensor(
            f"image decoded from the {source}",
            picture_shape(config.image_shape),
            lambda t, k: pictured(t.reconstruction[k]),
            is_large=False,
        ),
    }
