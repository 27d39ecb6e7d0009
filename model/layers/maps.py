"""The named tensors of a convolution with ReLU, which every network has."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from torch import Tensor

from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.settings import Shape

GLIMPSE = 16  # maps that fit into a thumbnail


class Maps(Protocol):
    """What a convolution computes, each (batch, maps, rows, columns)."""

    @property
    def pre(self) -> Tensor:
        """Before ReLU."""
        ...

    @property
    def relu(self) -> Tensor:
        """After ReLU."""
        ...


def pictured(images: Tensor) -> Tensor:
    """Return images, or kernels, without the axis of a single channel.

    Args:
        images: (..., channels, rows, columns).
    """
    return images[..., 0, :, :] if images.shape[-3] == 1 else images


def picture_shape(shape: Shape) -> tuple[int, ...]:
    """Return the shape of an image after `pictured`."""
    return shape[1:] if shape[0] == 1 else shape


def energy_of(maps: Tensor) -> Tensor:
    """Return the sum of each map's squares: (maps,)."""
    return maps.square().sum(dim=(1, 2))


def strongest(maps: Tensor) -> Tensor:
    """Return the indices of the 16 maps with the most energy, in ascending order.

    Ties go to the lower index, so that a blank
    image has 16 maps as well.

    Args:
        maps: (maps, rows, columns).

    Returns:
        (16,) int64; shorter where there are fewer maps.
    """
    order = energy_of(maps).argsort(descending=True, stable=True)
    return order[:GLIMPSE].sort().values


def map_tensors(
    name: str, title: str, shape: Shape, of: Callable[[Any], Maps] | None = None
) -> dict[str, NamedTensor]:
    """Return a layer's maps before and after ReLU, and those that a thumbnail shows.

    Args:
        name: of the layer.
        title: of the layer, for people.
        shape: (maps, rows, columns).
        of: reads the layer from a trace; None reads its fields `NAME_pre` and
            `NAME_relu`.
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
