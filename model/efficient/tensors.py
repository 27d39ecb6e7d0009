"""The named tensors of a trace: title, shape, and how to read each."""

from functools import partial

import torch
from torch import Tensor

from capsnet_explorer.model.efficient.config import EfficientConfig
from capsnet_explorer.model.efficient.network import Trace
from capsnet_explorer.model.layers.maps import (
    answer_tensors,
    map_tensors,
    primary_tensors,
)
from capsnet_explorer.model.layers.tensors import NamedTensor
from capsnet_explorer.model.settings import Shape


def named_tensors(config: EfficientConfig) -> dict[str, NamedTensor]:
    """Return every tensor that a trace of such a network offers."""
    capsules = (config.primary_capsules,)
    of_maps: dict[str, NamedTensor] = {}
    for layer, shape in enumerate(config.maps):
        of_maps |= _of_convolution(layer, shape)
    return {
        **of_maps,
        **primary_tensors(capsules, config.primary_dim, is_large=False),
        **_of_routing(config),
        **_of_classes(config),
    }


def _of_convolution(layer: int, shape: Shape) -> dict[str, NamedTensor]:
    name = f"conv{layer + 1}"
    return {
        **map_tensors(name, name.capitalize(), shape, lambda t: t.convolutions[layer]),
        f"{name}.out": NamedTensor(
            f"{name.capitalize()} maps after ReLU and batch norm",
            shape,
            lambda t, k: t.convolutions[layer].out[k],
        ),
    }


def _of_routing(config: EfficientConfig) -> dict[str, NamedTensor]:
    below, classes = config.primary_capsules, config.classes

    def step(title: str, field: str) -> NamedTensor:
        return NamedTensor(
            title, (below, classes), partial(_of_step, field=field), is_large=False
        )

    return {
        "votes": NamedTensor(
            "votes û of each primary capsule for each class",
            (below, classes, config.class_dim),
            partial(_of_step, field="votes"),
            is_large=False,
        ),
        "routing.attention": NamedTensor(
            "dot product of each vote with every capsule's vote for the same class, "
            "over √d",
            (below, below, classes),
            partial(_of_step, field="attention"),
            is_large=False,
        ),
        "routing.agreement": step(
            "sum of each vote's attention: its dot product with the sum of all votes "
            "for the class, over √d",
            "agreement",
        ),
        "routing.shares": step(
            "softmax of the agreement over the classes; sums to 1", "shares"
        ),
        "routing.couplings": step(
            "couplings: the softmax plus the learned prior", "couplings"
        ),
        "routing.contributions": NamedTensor(
            "what each primary capsule adds to the length of the weighted sum s of "
            "each class: coupling times the vote along s",
            (below, classes),
            _contributions,
            is_large=False,
            is_optional=True,
        ),
        "routing.given": NamedTensor(
            "what each primary capsule adds to the weighted sum s of each class: its "
            "vote û times its coupling",
            (below, classes, config.class_dim),
            _weigh_votes,
            is_optional=True,
        ),
    }


def _of_classes(config: EfficientConfig) -> dict[str, NamedTensor]:
    return {
        "classes.capsules": NamedTensor(
            "class capsules v, the output",
            (config.classes, config.class_dim),
            lambda t, k: t.poses[k],
            is_large=False,
        ),
        **answer_tensors(config, "the length of its capsule", "longest class capsule"),
    }


def _of_step(trace: Trace, image: int, *, field: str) -> Tensor:
    return getattr(trace.routing, field)[image]


def _weigh_votes(trace: Trace, image: int) -> Tensor:
    step = trace.routing
    return step.votes[image] * step.couplings[image, :, :, None]


def _contributions(trace: Trace, image: int) -> Tensor:
    """Return c û·s/‖s‖, which adds up to ‖s‖ over the primary capsules."""
    weighted = _weigh_votes(trace, image)
    direction = torch.nn.functional.normalize(weighted.sum(dim=0), dim=-1)
    return (weighted * direction).sum(dim=-1)
