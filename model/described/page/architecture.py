"""A described module behind the interface that all architectures share."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from capsnet_explorer.checks import present
from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
    NoOptions,
    OptionsError,
    Serving,
    Weights,
)
from capsnet_explorer.model.described.layers import (
    Capsules,
    Convolution,
    Dense,
    Layer,
    Routing,
)
from capsnet_explorer.model.described.network import Described, Sizes, Trace
from capsnet_explorer.model.described.page.layers import page_layers
from capsnet_explorer.model.described.page.tensors import reads_of
from capsnet_explorer.model.described.routing.matrices import matrices
from capsnet_explorer.model.layers.maps import pictured
from capsnet_explorer.model.margin_loss import MarginLoss, class_losses
from capsnet_explorer.model.settings import Settings
from capsnet_explorer.model.surgery import (
    RoutingOptions,
    checked_options,
    max_iterations,
    surgery_on,
)

LEAST_LENGTH = 1e-12  # keeps log-odds finite, as far from 1 as from 0

LARGE = 2_000  # numbers from which on a tensor travels in half precision


class DescribedServing(Serving):
    """The described module itself, with surgery in its last routing."""

    network: Described

    def __init__(self, network: Described) -> None:
        self.network = network

    def run(self, images: Tensor, options: Sequence[Any]) -> Trace:
        """Run one forward pass."""
        if not self.network.config.routed_capsules:
            return self.network(images)
        return self.network(
            images,
            iterations=options[0].iterations,
            surgery=surgery_on(options, self.network.config),
        )

    def reconstruct(self, label: int, poses: Tensor) -> Tensor:
        """Decode poses of one class to (count, channels, rows, columns)."""
        return self.network.decode(label, poses)

    def weights(self) -> Weights:
        """Return kernels and biases under the ids of the layers that have them.

        Kernels are those of what the layer's tensor `pre` holds: where batch norm
        follows a convolution, it is part of them. Those of capsules are of all their
        convolutions together.
        """
        weights: dict[str, Callable[[], Tensor]] = {}
        for layer in self.network.description.layers:
            if isinstance(layer, Convolution | Dense | Capsules):
                weights[f"{layer.id}.kernels"] = partial(self._kernels, layer)
                weights[f"{layer.id}.bias"] = partial(self._bias, layer)
            elif isinstance(layer, Routing) and self._is_attention(layer):
                weights[f"{layer.id}.transforms"] = partial(self._transforms, layer)
                weights[f"{layer.id}.prior"] = partial(self._prior, layer)
        return weights

    def _is_attention(self, layer: Layer) -> bool:
        return self.network.choices[layer.id, "way"].form == "attention"

    def _transforms(self, layer: Routing) -> Tensor:
        """Return W of the capsules in the order in which they are shown."""
        way = self.network.choices[layer.id, "way"]
        return _copy(self._sorted(layer, way.layout.of(matrices(layer))))

    def _prior(self, layer: Routing) -> Tensor:
        """Return what is added to couplings; 0 where nothing is."""
        way = self.network.choices[layer.id, "way"]
        if way.prior is None:
            transforms = self._transforms(layer)
            return transforms.new_zeros(transforms.shape[:2])
        return _copy(self._sorted(layer, way.prior.values))

    def _sorted(self, layer: Routing, of_each: Tensor) -> Tensor:
        cut = self.network.choices.get((layer.below, "cut"))
        grid = self.network.grids.get(layer.below, ())
        return of_each if cut is None or len(grid) != 3 else cut.sorted(of_each, grid)

    def _norm(self, layer: Layer) -> nn.Module | None:
        if isinstance(layer, Capsules):
            return next(iter(self.network.choices[layer.id, "cut"].between), None)
        step = self.network.choices.get((layer.id, "step"))
        return None if step is None else step.norm

    def _kernels(self, layer: Any) -> Tensor:
        """Return the kernels of all of a layer's parts, one after the other."""
        kernels = torch.cat([part.weight.detach() for part in layer.modules])
        gain, _ = _gain(self._norm(layer))
        if gain is not None:
            kernels = kernels * gain.reshape(-1, *[1] * (kernels.ndim - 1))
        first = isinstance(layer, Convolution) and layer.below is None
        return _copy(pictured(kernels) if first else kernels)

    def _bias(self, layer: Any) -> Tensor:
        bias = torch.cat(
            [
                part.weight.new_zeros(len(part.weight))
                if part.bias is None
                else part.bias
                for part in layer.modules
            ]
        )
        gain, shift = _gain(self._norm(layer))
        return _copy(bias if gain is None else bias * gain + shift)


class DescribedArchitecture(Architecture):
    """One described module.

    Args:
        name: names it in addresses and on its card.
        title: for people.
        network: the module, as the explorer runs it.
        example: (1, channels, rows, columns), whose trace tells the shapes of tensors.
    """

    settings = Settings(sizes=Sizes, loss=MarginLoss)

    def __init__(
        self, name: str, title: str, network: Described, example: Tensor
    ) -> None:
        self._network = network
        with torch.no_grad():
            self._example = network(example)
        answers = network.choices.get(("", "answers"), "lengths")
        can = Abilities(
            reconstruct=network.drawing is not None,
            route=network.config.routed_capsules > 0,
            gradient=_has_gradient(network, example),
        )
        scores = _SCORES.get(answers, "score")
        if scores == "length" and not network.are_short:
            scores = "score"  # longer than 1, as nothing shortens them
        first = network.description.layers[0]
        kernels = ()
        if isinstance(first, Convolution):
            kernels = (f"{first.id}.kernels", f"{first.id}.bias")
        # Of this one, where other architectures have them once for all their networks.
        vars(self).update(
            name=name, title=title, scores=scores, can=can, kernels=kernels
        )

    def build(self, config: Any) -> Network:
        """Return the one network of this architecture."""
        return self._network

    def layers(self, config: Any) -> list[dict[str, Any]]:
        """Describe the layers from the image up, as the page shows them."""
        shapes = {name: tensor.shape for name, tensor in self.tensors(config).items()}
        return page_layers(self._network, shapes)

    def class_loss(self, trace: Trace, present: Tensor, loss: MarginLoss) -> Tensor:
        """Return margin loss of lengths, or cross entropy: (batch,)."""
        if trace.poses is not None:
            lengths = torch.linalg.vector_norm(trace.poses, dim=-1)
            return class_losses(lengths, present, loss)
        logits = trace.values.get("logits", trace.scores)
        return F.cross_entropy(logits, present, reduction="none")

    def evidence(self, trace: Trace) -> Tensor:
        """Return logits, or the log-odds of lengths, as both scores saturate.

        Whatever squash made lengths of at most 1, log-odds order them alike and go on
        growing; longer ones were not squashed, and stand as they are.
        """
        if "logits" in trace.values:
            return trace.values["logits"]
        lengths = trace.values.get("lengths", trace.scores)
        is_long = ((lengths > 1) | (lengths < 0)).any(dim=1, keepdim=True)
        return torch.where(is_long, lengths, lengths.double().logit(eps=LEAST_LENGTH))

    def trace_with_gradient(
        self, network: Network, images: Tensor, *, through_all: bool
    ) -> Trace:
        """Run a forward pass that can be differentiated with respect to its images."""
        return network(images, through_all=through_all)

    def serving(self, network: Network) -> Serving:
        """Return the network as it is: its owner made it as fast as it is."""
        return DescribedServing(self._network)

    def options(self, config: Sizes, query: Mapping[str, Any]) -> Any:
        """Check a request's routing options."""
        if not config.routed_capsules:
            super().options(config, query)
            return NoOptions()
        if self._is_attention and (iterations := query.get("iterations", 1)) != 1:
            raise OptionsError(
                "iterations must be 1, since attention routes in one step, "
                f"got {iterations}",
                field="iterations",
            )
        return checked_options(config, query)

    def pass_key(self, options: Any) -> Hashable:
        """Return the iterations: images may share a pass despite different surgery."""
        return options.iterations if isinstance(options, RoutingOptions) else None

    def details(self, config: Sizes) -> dict[str, int | None]:
        """Return the size of a pose and the iterations, where there are any."""
        poses = self._example.poses
        if poses is None:
            return super().details(config)
        return {
            "primary_capsules": config.routed_capsules,
            "pose_dim": poses.shape[-1],
            "routing_iterations": config.routing_iterations,
            "max_routing_iterations": (
                1 if self._is_attention else max_iterations(config)
            ),
        }

    @property
    def _is_attention(self) -> bool:
        last = self._network.description.layer(Routing)
        if last is None:
            return False
        return self._network.choices[last.id, "way"].form == "attention"

    def tensors(self, config: Any) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name."""
        tensors = {}
        reads = reads_of(self._network, self._example)
        for name, (title, read, is_optional) in reads.items():
            example = read(self._example, 0)
            sizes = {"is_large": example.numel() > LARGE, "is_optional": is_optional}
            tensors[name] = NamedTensor(title, tuple(example.shape), read, **sizes)
        return tensors


_SCORES = {
    "lengths": "length",
    "capsules": "length",
    "softmax of lengths": "probability",
    "log softmax of lengths": "probability",
    "lengths over their sum": "probability",
    "logits": "probability",
    "probabilities": "probability",
    "log probabilities": "probability",
}


def _copy(tensor: Tensor) -> Tensor:
    """Return a copy in single precision, on the CPU."""
    return tensor.detach().to("cpu", torch.float32, copy=True).contiguous()


def _gain(norm: nn.Module | None) -> tuple[Tensor | None, Tensor]:
    """Return by what batch norm multiplies each map, and what it adds.

    Both are of its running mean and variance; None without batch norm.
    """
    if not isinstance(norm, nn.BatchNorm2d | nn.BatchNorm1d):
        return None, torch.zeros(())
    mean = present(norm.running_mean, "a running mean")
    gain = (present(norm.running_var, "a running variance") + norm.eps).rsqrt()
    if norm.affine:
        gain = gain * norm.weight
    shift = -mean * gain
    return gain.detach(), (shift + norm.bias if norm.affine else shift).detach()


def _has_gradient(network: Described, example: Tensor) -> bool:
    """Return whether an image's scores can be differentiated."""
    pixels = example.detach().clone().requires_grad_()
    try:
        with torch.enable_grad():
            (slope,) = torch.autograd.grad(network(pixels).scores.sum(), pixels)
    except RuntimeError:  # the module detaches, or runs without gradients
        return False
    return bool(slope.isfinite().all())
