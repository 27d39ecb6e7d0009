"""What a request can name of a described network's pass, layer by layer."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from capsnet_explorer.checks import present
from capsnet_explorer.model.described.layers import (
    APART,
    Capsules,
    Convolution,
    Couplings,
    Dense,
    Layer,
    Pooling,
    Routing,
    Values,
)
from capsnet_explorer.model.described.network import Described, Trace
from capsnet_explorer.model.layers.maps import pictured, strongest
from capsnet_explorer.model.layers.pooling import winners

Reads = dict[str, tuple[str, Callable[[Trace, int], Tensor], bool]]


def reads_of(network: Described, example: Trace) -> Reads:
    """Name every tensor: title, how it is read, and whether only a view needs it."""
    reads: Reads = {}
    for layer in network.description.layers:
        reads |= _of_layer(layer, network, example)
    for name in ("logits", "lengths"):
        if name in example.values:
            reads[name] = f"{name} of the classes", partial(_value, name=name), False
    reads["scores"] = "score of each class", lambda t, k: t.scores[k], False
    if example.poses is not None:
        reads["poses"] = "capsules of the classes", _poses, False
    if network.drawing is not None:
        words = "image decoded from the capsule of the best class"
        reads["reconstruction"] = words, _reconstruction, False
    return reads


def _of_layer(layer: Layer, network: Described, example: Trace) -> Reads:
    if isinstance(layer, Values):
        is_made = f"{layer.id}.capsules" in example.values
        reads = _values(layer.id, out=f"values of {layer.name}")
        return reads | (_of_made(layer) if is_made else {})
    if not isinstance(layer, Routing):
        return _TENSORS.get(type(layer), lambda _layer: {})(layer)
    if layer.kernel is not None:
        return _of_windows(layer)
    if layer.form in APART:
        return _of_apart(layer)
    is_attention = network.choices[layer.id, "way"].form == "attention"
    of_form = (_of_attention if is_attention else _of_agreement)(layer)
    return _of_routing(layer) | of_form | _votes_for(layer, example)


def _value(trace: Trace, image: int, *, name: str) -> Tensor:
    return trace.values[name][image]


def _poses(trace: Trace, image: int) -> Tensor:
    return present(trace.poses, "capsules of the classes")[image]


def _reconstruction(trace: Trace, image: int) -> Tensor:
    return pictured(present(trace.reconstruction, "a decoder's picture")[image])


def _glimpse(trace: Trace, image: int, *, name: str) -> Tensor:
    maps = trace.values[name][image]
    return maps[strongest(maps)]


def _winners(trace: Trace, image: int, *, layer: Pooling) -> Tensor:
    below = trace.values[f"{layer.below}.out"][image]
    return winners(below, layer.size).float()


def _of_steps(trace: Trace, image: int, *, id: str, name: str) -> Tensor:
    return torch.stack([getattr(x, name)[image].cpu() for x in trace.routed[id].steps])


def _over_iterations(trace: Trace, image: int, *, id: str, name: str) -> Tensor:
    steps = _of_steps(trace, image, id=id, name=name)
    return steps.unflatten(1, trace.routed[id].grid)


def _types(trace: Trace, image: int, *, id: str) -> Tensor:
    couplings = _over_iterations(trace, image, id=id, name="couplings")[-1]
    return couplings.mean(dim=(1, 2)) if couplings.ndim == 4 else couplings


def _votes(trace: Trace, image: int, *, id: str) -> Tensor:
    routed = trace.routed[id]
    return routed.votes.formed[image].cpu().unflatten(0, routed.grid)


def _votes_of(trace: Trace, image: int, *, id: str, end: int) -> Tensor:
    return _votes(trace, image, id=id)[..., end, :]


def _values(id: str, **words: str) -> Reads:
    """Name values of a layer as they are, each with what it is."""
    names = {name: f"{id}.{name}" for name in words}
    return {
        names[name]: (title, partial(_value, name=names[name]), False)
        for name, title in words.items()
    }


def _glimpses(layer: Layer) -> Reads:
    words = f"the {layer.name} maps with the most energy, in order of number"
    read = partial(_glimpse, name=f"{layer.id}.out")
    return {f"{layer.id}.glimpse": (words, read, True)}


def _of_sums(layer: Convolution | Dense) -> Reads:
    return _values(
        layer.id,
        pre=f"{layer.name} before its activation",
        out=f"{layer.name} after its activation",
    )


def _of_pooling(layer: Pooling) -> Reads:
    words = "place that pooling took in each window, row by row, from 0"
    return {
        **_values(layer.id, out=f"{layer.name}, after pooling"),
        f"{layer.id}.winners": (words, partial(_winners, layer=layer), False),
        **_glimpses(layer),
    }


def _of_capsules(layer: Capsules) -> Reads:
    name = layer.name
    return _values(
        layer.id,
        pre=f"{name} before squash",
        capsules=f"{name} after squash",
        lengths=f"{name} lengths",
    )


def _of_routing(layer: Routing) -> Reads:
    id, name = layer.id, layer.name
    votes = "votes of each capsule below for each above"
    return {
        f"{id}.capsules": (
            f"capsules of {name} after each iteration",
            partial(_of_steps, id=id, name="capsules"),
            False,
        ),
        **_values(
            id,
            poses=f"capsules of {name} after the last iteration",
            lengths=f"lengths of the capsules of {name}",
        ),
        f"{id}.votes": (votes, partial(_votes, id=id), True),
    }


def _of_agreement(layer: Routing) -> Reads:
    id, name = layer.id, layer.name
    reads: Reads = {
        f"{id}.{what}": (
            f"{what} of {name} in each iteration",
            partial(_over_iterations, id=id, name=what),
            False,
        )
        for what in ("logits", "couplings", "agreement")
    }
    words = "mean coupling of each capsule type in the last iteration"
    return {**reads, f"{id}.types": (words, partial(_types, id=id), True)}


def _of_attention(layer: Routing) -> Reads:
    """Name what attention routing computes, which has one step."""
    id = layer.id
    reads: dict[str, tuple[str, Callable[..., Tensor]]] = {
        "votes": ("votes of each capsule below for each above", _all_votes),
        "voters": ("capsules that vote", _voters),
        "voting": ("lengths of the capsules that vote", _voting),
    }
    steps = {
        "attention": "dot product of each vote with every capsule's vote for the same "
        "class, over √d",
        "agreement": "sum of each vote's attention",
        "shares": "softmax of the agreement",
        "couplings": "couplings: the softmax plus the prior",
    }
    words = "what each capsule adds to the length of the weighted sum of each class"
    return {
        f"{id}.capsules": (
            f"capsules of {layer.name}",
            partial(_value, name=f"{id}.poses"),
            False,
        ),
        **{
            f"{id}.{name}": (words, partial(read, id=id), False)
            for name, (words, read) in reads.items()
        },
        f"{id}.contributions": (words, partial(_contributions, id=id), True),
        **{
            f"{id}.{name}": (words, partial(_of_step, id=id, name=name), False)
            for name, words in steps.items()
        },
    }


def _of_windows(layer: Routing) -> Reads:
    """Name what convolutional capsules show: nothing of their single iterations."""
    name = "activations" if layer.form in APART else "lengths"
    return _values(
        layer.id,
        couplings=f"couplings of {layer.name} in the last iteration",
        poses=f"capsules of {layer.name}",
        capsules=f"capsules of {layer.name}, as the next layer reads them",
        **{name: f"{name} of the capsules of {layer.name}"},
    )


def _of_apart(layer: Routing) -> Reads:
    """Name what routing shows that makes activations of the classes, and no lengths."""
    shares, capsules = {
        "em": ("assignments in the last iteration", "poses of the capsules above"),
        "self": ("couplings", "activations of the capsules above"),
    }[layer.form]
    return _values(
        layer.id, couplings=f"{shares} of {layer.name}", capsules=f"{capsules} of it"
    )


def _of_step(trace: Trace, image: int, *, id: str, name: str) -> Tensor:
    return _of_steps(trace, image, id=id, name=name)[0]


def _all_votes(trace: Trace, image: int, *, id: str) -> Tensor:
    return trace.routed[id].votes.formed[image].cpu()


def _voters(trace: Trace, image: int, *, id: str) -> Tensor:
    return trace.routed[id].votes.primary[image].cpu()


def _voting(trace: Trace, image: int, *, id: str) -> Tensor:
    return torch.linalg.vector_norm(_voters(trace, image, id=id), dim=-1)


def _contributions(trace: Trace, image: int, *, id: str) -> Tensor:
    """Return c û·s/‖s‖, which adds up to ‖s‖ over the capsules."""
    step: Any = trace.routed[id].steps[0]
    weighted = step.votes[image] * step.couplings[image, :, :, None]
    direction = F.normalize(weighted.sum(dim=0), dim=-1)
    return (weighted * direction).sum(dim=-1).cpu()


def _of_made(layer: Values) -> Reads:
    return _values(
        layer.id,
        capsules=f"capsules of {layer.name}",
        lengths=f"lengths of {layer.name}",
    )


def _votes_for(layer: Routing, example: Trace) -> Reads:
    ends = example.routed[layer.id].steps[0].capsules.shape[1]
    return {
        f"{layer.id}.votes.{end}": (
            f"votes of each capsule below for capsule {end} above",
            partial(_votes_of, id=layer.id, end=end),
            True,
        )
        for end in range(ends)
    }


_TENSORS: dict[type, Callable[[Any], Reads]] = {
    Couplings: lambda layer: _values(
        layer.id, out=f"softmaxes of {layer.name}, seen, not recomputed"
    ),
    Convolution: lambda layer: {**_of_sums(layer), **_glimpses(layer)},
    Pooling: _of_pooling,
    Dense: _of_sums,
    Capsules: _of_capsules,
}
