"""A step of training as an ONNX graph, and the augmentation before it as another.

Browsers differentiate nothing: the gradients are in the graph. Parameters, Adam's two
moments and running figures are one vector each, so that a step is one call.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import onnx
import torch
from torch import Tensor, nn

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.data.augmentation import BEND_KNOTS, drawn_distortions
from capsnet_explorer.model.exporting.feeding import with_weights
from capsnet_explorer.model.exporting.graphs import UncheckedSurgery
from capsnet_explorer.model.exporting.tracing import graph_of
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training.objective import Objective
from capsnet_explorer.model.weights import save_weights

aten = torch.ops.aten

BATCH = 16  # images of a step
STEPS = 200
MOST = 10  # classes
# What learns symbols in a page: a small Efficient-CapsNet, in a minute or less.
ARCHITECTURE = "efficient"
SIZES = MappingProxyType({"kernels": (16, 32, 32, 64), "decoder_hidden": (128, 256)})
# Few examples stand for all hands: they are changed more than thousands of images need.
RECIPE = TrainingConfig(
    epochs=1,
    batch_size=BATCH,
    learning_rate=0.002,
    schedule="cosine",
    warmup_steps=20,
    shift=1,
    rotation=10,
    scale=0.3,
    shear=0.3,
    bend=1.5,
    thickness=0.4,
)
UNIFORM = 7  # numbers for each image of it: see `drawn_distortions`
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of Adam, as torch has them
BUILT = 16  # networks, to measure how they begin
STATE = ("parameters", "means", "squares", "running")


def _without(absent: Tensor) -> Callable[..., Any]:
    """Return what has a network route as if it did not have the absent classes.

    Their couplings are held at 0, so that no share of a softmax is theirs. With
    transforms of 0 they cost nothing, and no gradient moves them.
    """

    def before(network: Any, images: tuple[Tensor], named: dict[str, Any]) -> Any:
        capsules = network.config.routed_capsules
        silenced = torch.zeros(len(images[0]), capsules, dtype=torch.bool)
        held = torch.where(absent, 0.0, torch.nan).expand(*silenced.shape, -1)
        surgery = UncheckedSurgery(silenced, silenced[:, 0], held)
        return images, {**named, "surgery": surgery}

    return before


class Step:
    """One step of Adam on a network's own objective.

    Args:
        architecture: of the network.
        network: that routes, in training mode.
        loss: an instance of `architecture.settings.loss`.
    """

    def __init__(self, architecture: Architecture, network: Network, loss: Any) -> None:
        self._objective = Objective(architecture, network, loss, bfloat16=False)
        self._network: Any = network

    def __call__(
        self,
        images: Tensor,
        labels: Tensor,
        absent: Tensor,
        parameters: Tensor,
        means: Tensor,
        squares: Tensor,
        running: Tensor,
        number: Tensor,
        rate: Tensor,
    ) -> tuple[Tensor, ...]:
        """Return the state after a step, and the objective's figures.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            labels: (batch,) int64.
            absent: (classes,) bool, those that the network is trained without.
            parameters: (parameters,), all of them in the order of the network's own.
            means: (parameters,), Adam's mean of gradients.
            squares: (parameters,), Adam's mean of their squares.
            running: (figures,), the network's buffers.
            number: () of this step, from 1.
            rate: () learning rate.

        Returns:
            The four vectors, and (4 + further,): see `Objective`.
        """
        network = self._network
        parts = _parts(parameters, network.named_parameters())
        leaves = {name: parts[name].detach().requires_grad_() for name in parts}
        parts = _parts(running, network.named_buffers())
        kept = {name: parts[name].clone() for name in parts}  # training changes them
        present = (labels[:, None] == torch.arange(len(absent))).to(images.dtype)
        named = {f"network.{name}": values for name, values in (leaves | kept).items()}
        hook = network.register_forward_pre_hook(_without(absent), with_kwargs=True)
        with hook, torch.enable_grad():
            figures = torch.func.functional_call(
                self._objective, named, (images, present)
            )
            slopes = torch.autograd.grad(figures[:3].sum(), [*leaves.values()])
        slope = torch.cat([values.reshape(-1) for values in slopes])
        first, second = BETAS
        means = first * means + (1 - first) * slope
        squares = second * squares + (1 - second) * slope * slope
        # Means of few gradients are too near to 0, where they begin.
        whole_means = means / (1 - torch.exp(number * math.log(first)))
        whole_squares = squares / (1 - torch.exp(number * math.log(second)))
        moved = parameters - rate * whole_means / (whole_squares.sqrt() + EPSILON)
        after = torch.cat([values.reshape(-1) for values in kept.values()])
        return moved, means, squares, after.detach(), figures.detach()


def _parts(vector: Tensor, like: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
    """Return a vector's parts by name, in the shapes of others."""
    shapes = {name: values.shape for name, values in like}
    parts = vector.split([shape.numel() for shape in shapes.values()])
    return {
        name: part.reshape(shape)
        for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }


def step_of(architecture: Architecture, network: Network, loss: Any) -> onnx.ModelProto:
    """Return the graph of a step: inputs and outputs as `Step` has them.

    Args:
        architecture: of the network.
        network: with buffers, in training mode; its values are no part of the graph.
        loss: an instance of `architecture.settings.loss`.
    """
    shape = (BATCH, *network.config.image_shape)
    size = sum(tensor.numel() for tensor in network.parameters())
    running = torch.cat([tensor.reshape(-1) for tensor in network.buffers()])
    inputs = {
        "images": torch.rand(shape),
        "labels": torch.arange(BATCH) % network.config.classes,
        "absent": torch.zeros(network.config.classes, dtype=torch.bool),
        "parameters": torch.cat(
            [tensor.detach().reshape(-1) for tensor in network.parameters()]
        ),
        "means": torch.zeros(size),
        "squares": torch.zeros(size),
        "running": running.clone(),
        "number": torch.tensor(1.0),
        "rate": torch.tensor(1e-3),
    }
    outputs = [*(f"{name}.after" for name in STATE), "figures"]
    step = Step(architecture, network, loss)
    return with_weights(graph_of(step, inputs, outputs, backward=DIFFERENTIABLE))


class Warp(nn.Module):
    """The augmentation of a recipe, with its chance from outside."""

    def __init__(self, recipe: TrainingConfig) -> None:
        super().__init__()
        self._recipe = recipe

    def forward(self, images: Tensor, uniform: Tensor, normal: Tensor) -> Tensor:
        """Return the images distorted.

        Args:
            images: (batch, channels, rows, columns) in [0, 1].
            uniform: (`UNIFORM`, batch) in [0, 1), used in the order of their drawing.
            normal: (batch, 2, BEND_KNOTS, BEND_KNOTS).
        """
        left = [*uniform]

        def rand(count: int, *shape: int, **_generator: Any) -> Tensor:
            taken = [left.pop(0) for _ in range(math.prod(shape))]
            return torch.stack(taken, dim=1).reshape(count, *shape)

        with (
            mock.patch.object(torch, "rand", rand),
            mock.patch.object(torch, "randn", return_value=normal),
        ):
            drawn = drawn_distortions(len(images), self._recipe, torch.Generator())
        return drawn.apply(images)


def warp_of(recipe: TrainingConfig, image_shape: Sequence[int]) -> onnx.ModelProto:
    """Return the graph of a recipe's distortions: see `Warp`, `warped` comes out."""
    inputs = {
        "images": torch.rand(BATCH, *image_shape),
        "uniform": torch.rand(UNIFORM, BATCH),
        "normal": torch.randn(BATCH, 2, BEND_KNOTS, BEND_KNOTS),
    }
    return with_weights(graph_of(Warp(recipe), inputs, ["warped"]))


def _convolution_backward(
    slope: Tensor,
    images: Tensor,
    kernels: Tensor,
    _biases: Any,
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    _transposed: bool,
    _output_padding: Any,
    groups: int,
    mask: Sequence[bool],
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """Differentiate a convolution by operators that ONNX has.

    The gradient of the kernels is one product of matrices over all images and places,
    which takes a browser half the time of a convolution with a step.
    """
    of_images, of_kernels, of_bias = None, None, None
    sides, places = kernels.shape[2:], slope.shape[2:]
    if mask[0]:
        rest = [
            (
                images.shape[2 + axis]
                + 2 * padding[axis]
                - dilation[axis] * (side - 1)
                - 1
            )
            % strides[axis]
            for axis, side in enumerate(sides)
        ]
        of_images = aten.convolution(
            slope, kernels, None, strides, padding, dilation, True, rest, groups
        )
    if mask[1]:
        if any(padding) or groups != 1 or any(step != 1 for step in dilation):
            raise ValueError(
                "a step of training needs convolutions without padding, groups or "
                f"dilation, got {padding}, {groups} and {dilation}"
            )
        ends = [
            (count - 1) * step + 1 for count, step in zip(places, strides, strict=True)
        ]
        rows = [
            images[:, :, down : down + ends[0] : strides[0]] for down in range(sides[0])
        ]
        windows = torch.stack(
            [
                row[..., right : right + ends[1] : strides[1]]
                for row in rows
                for right in range(sides[1])
            ],
            2,
        )  # (images, channels, window, rows, columns)
        patches = windows.permute(1, 2, 0, 3, 4).flatten(2).flatten(0, 1)
        of_kernels = (slope.movedim(1, 0).flatten(1) @ patches.T).reshape(kernels.shape)
    if mask[2]:
        of_bias = slope.sum((0, 2, 3))
    return of_images, of_kernels, of_bias


def _batch_norm(
    maps: Tensor,
    gain: Tensor,
    shift: Tensor,
    mean: Tensor,
    variance: Tensor,
    _is_training: bool,
    momentum: float,
    epsilon: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalise maps by their batch, and move the running figures towards it.

    The exporter takes torch's own operator for that of a trained network.
    """
    count = maps.numel() // maps.shape[1]
    average = maps.mean((0, 2, 3))
    apart = maps - average[:, None, None]
    spread = (apart * apart).mean((0, 2, 3))
    mean.copy_(mean + momentum * (average - mean))
    variance.copy_(variance + momentum * (spread * (count / (count - 1)) - variance))
    scale = (spread + epsilon).rsqrt()
    normal = apart * (gain * scale)[:, None, None] + shift[:, None, None]
    return normal, average, scale


def fills_of(build: Callable[[], Network]) -> list[dict[str, Any]]:
    """Measure how each tensor of a network begins: parameters, then buffers.

    Args:
        build: makes one with random weights.

    Returns:
        Of each its `shape`, and `kind` and `scale`: `constant`, all of them `scale`;
        `uniform` between -`scale` and `scale`; `normal`, with that deviation.
    """
    built = [build() for _ in range(BUILT)]
    all_of = [[*network.parameters(), *network.buffers()] for network in built]
    fills = []
    for tensors in zip(*all_of, strict=True):
        numbers = torch.stack(tensors).detach()
        most, spread = float(numbers.abs().max()), float(numbers.std())
        kind, scale = "normal", spread
        if spread == 0:
            kind, scale = "constant", float(numbers.flatten()[0])
        elif most < 2 * spread:  # √3 times it, where all are as likely
            kind, scale = "uniform", most
        fills.append({"shape": [*numbers.shape[1:]], "kind": kind, "scale": scale})
    return fills


def network_of(classes: int) -> Network:
    """Return the network that learns so many symbols, with random weights."""
    architecture = architecture_named(ARCHITECTURE)
    return architecture.build(architecture.settings.sizes(classes=classes, **SIZES))


def write_example(file: Path, classes: int) -> None:
    """Write such a network as a weight file, with its card.

    Every number is another one, so that whatever is told of the network tells of which
    of its tensors it was taken.
    """
    architecture = architecture_named(ARCHITECTURE)
    network = network_of(classes)
    chance = torch.Generator().manual_seed(0)
    for tensor in network.state_dict().values():
        tensor.uniform_(0.1, 1, generator=chance)
    card = {
        "title": architecture.title,
        "dataset": "symbols",
        "training": asdict(RECIPE),
        "loss": asdict(architecture.settings.loss()),
    }
    save_weights(file, architecture, network, card)


def lesson() -> tuple[dict[str, onnx.ModelProto], dict[str, Any]]:
    """Return the graphs that teach a network symbols, and what goes with them.

    Returns:
        `step` and `warp`; and what `Plan` of `site/worker/learning.js` has.
    """
    torch.manual_seed(0)
    architecture = architecture_named(ARCHITECTURE)
    network = network_of(MOST).train()
    image = network.config.image_shape
    graphs = {
        "step": step_of(architecture, network, architecture.settings.loss()),
        "warp": warp_of(RECIPE, image),
    }
    shapes = {
        part: [{"name": name, "shape": [*tensor.shape]} for name, tensor in named]
        for part, named in (
            ("parameters", network.named_parameters()),
            ("running", network.named_buffers()),
        )
    }
    return graphs, {
        "classes": MOST,
        "batch": BATCH,
        "steps": STEPS,
        "images": STEPS * BATCH,
        "learning_rate": RECIPE.learning_rate,
        "warmup_steps": RECIPE.warmup_steps,
        "uniform": UNIFORM,
        "normal": [BATCH, 2, BEND_KNOTS, BEND_KNOTS],
        "image": [*image],
        "settings": asdict(RECIPE)
        | asdict(network.config)
        | asdict(architecture.settings.loss()),
        **shapes,
        "sizes": {
            str(count): fills_of(partial(network_of, count))
            for count in range(2, MOST + 1)
        },
    }


DIFFERENTIABLE = {
    aten.convolution_backward.default: _convolution_backward,
    aten.native_batch_norm.default: _batch_norm,
}
