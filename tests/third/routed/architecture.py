"""The same behind the interface that all architectures share, with its layers."""

from functools import partial
from typing import Any

import torch

from capsnet_explorer.model.architecture import Abilities, Architecture
from capsnet_explorer.model.layers.maps import map_tensors, picture_shape, pictured
from capsnet_explorer.model.layers.pooling import winners
from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.margin_loss import class_losses, reconstruction_loss

from .config import SETTINGS, RoutedConfig
from .network import RoutedNetwork, Trace


class RoutedArchitecture(Architecture):
    """Two padded convolutions, pooling, and capsules routed twice."""

    name = "routed"
    title = "Twice-routed network"
    scores = "length"
    can = Abilities(reconstruct=True, route=False, gradient=True)
    settings = SETTINGS

    def build(self, config):
        """Return a network with random weights."""
        return RoutedNetwork(config)

    def tensors(self, config):
        """Return every tensor that a request can name."""
        return named_tensors(config)

    def layers(self, config: RoutedConfig) -> list[dict[str, Any]]:
        """Describe the layers from the image up."""
        return described(config)

    def class_loss(self, trace, present, loss):
        """Return the margin loss of each image."""
        return class_losses(trace.scores, present, loss)

    def reconstruction_loss(self, trace, images, loss):
        """Return the weighted sum of squared pixel differences."""
        return reconstruction_loss(
            trace.reconstruction, images, loss.reconstruction_weight
        )

    def trace_with_gradient(self, network, images, *, through_all):
        """Run a forward pass that can be differentiated."""
        return network(images, through_all=through_all)

    def details(self, config):
        """Return the size of a class's pose."""
        return super().details(config) | {"pose_dim": config.class_dim}


def named_tensors(config: RoutedConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    poses = (*config.primary, config.dim)
    return {
        **map_tensors("conv1", "Conv1", config.conv1_maps),
        "normalized": named(config.conv1_maps, lambda t, k: t.normalized[k]),
        **map_tensors("conv2", "Conv2", config.conv2_maps),
        "pool": named(config.pool_maps, lambda t, k: t.pool[k]),
        "pool.winners": named(
            config.pool_maps, lambda t, k: winners(t.conv2_relu, 2)[k].float()
        ),
        "primary.pre": named(poses, lambda t, k: t.primary_pre[k]),
        "primary.capsules": named(poses, lambda t, k: t.primary_capsules[k]),
        "primary.lengths": named(
            config.primary, lambda t, k: t.primary_capsules[k].norm(dim=-1)
        ),
        **of_routing(
            "middle", config.primary, config.middle, config.middle_dim, config
        ),
        **of_routing(
            "classes", (config.middle,), config.classes, config.class_dim, config
        ),
        "scores": named((config.classes,), lambda t, k: t.scores[k], is_large=False),
        "reconstruction": named(
            picture_shape(config.image_shape),
            lambda t, k: pictured(t.reconstruction[k]),
        ),
    }


def named(shape: tuple[int, ...], read: Any, **more: bool) -> NamedTensor:
    return NamedTensor("of this network", shape, read, **more)


def of_routing(
    name: str, below: tuple[int, ...], count: int, dim: int, config: RoutedConfig
) -> dict[str, NamedTensor]:
    """Return what one routing computes, over its iterations and in the end."""

    def over(trace: Trace, image: int, *, what: str) -> torch.Tensor:
        steps = [getattr(step, what)[image] for step in getattr(trace, name).steps]
        return torch.stack(steps).unflatten(1, below)

    def votes(trace: Trace, image: int) -> torch.Tensor:
        return getattr(trace, name).votes.formed[image].unflatten(0, below)

    routed = (config.iterations, *below, count)
    return {
        **{
            f"{name}.{what}": named(routed, partial(over, what=what))
            for what in ("logits", "couplings", "agreement")
        },
        f"{name}.course": named(
            (config.iterations, count, dim),
            lambda t, k: torch.stack(
                [step.capsules[k] for step in getattr(t, name).steps]
            ),
        ),
        f"{name}.types": named(
            (below[0], count),
            lambda t, k: (
                over(t, k, what="couplings")[-1].flatten(1, -2).mean(dim=1)
                if len(below) > 1
                else over(t, k, what="couplings")[-1]
            ),
            is_optional=True,
        ),
        f"{name}.capsules": named(
            (count, dim), lambda t, k: getattr(t, name).capsules[k]
        ),
        f"{name}.lengths": named(
            (count,), lambda t, k: getattr(t, name).capsules[k].norm(dim=-1)
        ),
        f"{name}.votes": named((*below, count, dim), votes, is_optional=True),
        **{
            f"{name}.votes.{each}": named(
                (*below, dim),
                lambda t, k, each=each: votes(t, k)[..., each, :],
                is_optional=True,
            )
            for each in range(count)
        },
    }


def window(size: Any, step: Any, first: Any) -> dict[str, Any]:
    return {"size": size, "step": step, "first": first}


def routing(id: str, title: str, below: str, name: str, **more: str) -> dict[str, Any]:
    """Describe the routing of the capsules `below` to those of a `name`."""
    roles = ("logits", "couplings", "agreement", "types", "votes")
    return {
        **{"id": id, "kind": "routing", "form": "dynamic", "title": title},
        **{"below": below, "window": None, "weights": {}},
        "tensors": {role: f"{name}.{role}" for role in roles}
        | {"lengths": f"{below}.lengths", "capsules": f"{name}.course"}
        | {"scores": f"{name}.lengths", **more},
    }


def described(config: RoutedConfig) -> list[dict[str, Any]]:
    """Return the layers from the image up."""
    is_view = config.cut == "view"
    cut = {"order": "view"} if is_view else {}
    return [
        {
            **{"id": "conv1", "kind": "convolution", "title": "First maps"},
            **{"below": None, "window": window(3, 1, -1)},
            "tensors": {"pre": "conv1.pre", "glimpse": "conv1.glimpse"},
            "weights": {"kernels": "conv1.weight", "bias": "conv1.bias"},
        },
        {
            **{"id": "normalized", "kind": "tensor", "title": "Normalised maps"},
            **{"below": "conv1", "window": window(1, 1, 0)},
            **{"tensors": {"values": "normalized"}, "weights": {}},
        },
        {
            **{"id": "conv2", "kind": "convolution", "title": "Second maps"},
            **{"below": "normalized", "window": window([3, 5], [1, 2], [-1, -2])},
            "tensors": {
                "pre": "conv2.pre",
                "glimpse": "conv2.glimpse",
                "below": "normalized",
            },
            "weights": {"kernels": "conv2.weight", "bias": "conv2.bias"},
        },
        {
            **{"id": "pool", "kind": "pooling", "title": "Pooled maps"},
            **{"below": "conv2", "window": window(2, 2, 0), "weights": {}},
            "tensors": {
                **{"below": "conv2.relu", "values": "pool"},
                **{"winners": "pool.winners", "glimpse": "pool", "scores": "scores"},
            },
        },
        {
            **{"id": "primary", "kind": "capsules", "title": "First capsules", **cut},
            **{"below": "pool", "window": window(3, 2, -1)},
            "tensors": {
                **{"below": "pool", "before": "primary.pre"},
                **{"poses": "primary.capsules", "activation": "primary.lengths"},
            },
            "weights": {"kernels": "primary.weight", "bias": "primary.bias"},
        },
        routing("to-middle", "Routing to the middle", "primary", "middle"),
        {
            **{"id": "middle", "kind": "capsules", "title": "Middle capsules"},
            **{"below": "to-middle", "window": None, "weights": {}},
            "tensors": {"poses": "middle.capsules", "activation": "middle.lengths"},
        },
        routing(
            **{"id": "to-classes", "title": "Routing to the classes"},
            **{"below": "middle", "name": "classes", "decoded": "reconstruction"},
        ),
        {
            **{"id": "classes", "kind": "classes", "title": "Class capsules"},
            **{"below": "to-classes", "window": None, "weights": {}},
            "tensors": {
                **{"scores": "scores", "poses": "classes.capsules"},
                "history": "classes.course",
            },
        },
        {
            **{"id": "reconstruction", "kind": "decoder", "title": "Reconstruction"},
            **{"below": "classes", "window": None, "weights": {}},
            "tensors": {
                **{"poses": "classes.capsules", "scores": "scores"},
                "image": "reconstruction",
            },
        },
    ]


ARCHITECTURE = RoutedArchitecture()
