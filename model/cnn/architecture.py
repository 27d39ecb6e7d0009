"""The CNN behind the interface that all architectures share."""

import copy
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
    Serving,
    Weights,
)
from capsnet_explorer.model.cnn.config import SETTINGS, CnnConfig, LossConfig
from capsnet_explorer.model.cnn.described import described_layers
from capsnet_explorer.model.cnn.loss import binary_cross_entropy, cross_entropy
from capsnet_explorer.model.cnn.network import Cnn, Trace
from capsnet_explorer.model.cnn.tensors import named_tensors
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.layers.description import Layer
from capsnet_explorer.model.layers.fields import receptive_field
from capsnet_explorer.model.layers.maps import first_weights
from capsnet_explorer.model.margin_loss import MarginLoss, margin_losses
from capsnet_explorer.model.portraits import Windows, portraits
from capsnet_explorer.model.surgery import SilenceOptions, checked_silence, silence_on


class Maps:
    """The maps of Conv2, as parts that have portraits."""

    def capsules(self, trace: Trace) -> Tensor:
        """Return the maps after ReLU: (batch, maps, rows, columns, 1)."""
        return trace.conv2_relu[..., None]

    def contributions(self, trace: Trace, classes: Tensor, voting: Trace) -> Tensor:
        """Return what Pool2's values add to one class's logit: (batch, values)."""
        by_image = [
            voting.contributions(image)[..., label].flatten()
            for image, label in enumerate(classes.tolist())
        ]
        return torch.stack(by_image)


class CnnServing(Serving):
    """The readable network, with a pixel's channels adjacent in memory.

    A pass then reads memory in order and takes two thirds of the time. Maps of Conv2
    are silenced on request.
    """

    def __init__(self, network: Cnn) -> None:
        layers = copy.deepcopy(network)
        layers.to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]
        super().__init__(layers)
        self._layers = layers

    def run(self, images: Tensor, options: Sequence[SilenceOptions]) -> Trace:
        """Run one forward pass."""
        count = self._layers.config.conv2_kernels
        return self._layers(images, silenced=silence_on(options, count))

    def weights(self) -> Weights:
        """Return the kernels of Conv1, and those of each map of Conv2.

        `conv1.kernels` is (kernels, rows, columns), with an axis of channels after the
        first if there are several, and `conv1.bias` (kernels,);
        `conv2.kernels.0`, `.1`, … are (Conv1's maps, rows, columns) each.
        """
        tensors = first_weights(self._layers.conv1)
        for number, kernels in enumerate(self._layers.conv2.weight.detach()):
            tensors[f"conv2.kernels.{number}"] = kernels
        # Copies, so that writing into a result cannot change the network.
        in_order = torch.contiguous_format
        return {
            name: partial(tensor.clone, memory_format=in_order)
            for name, tensor in tensors.items()
        }


class CnnArchitecture(Architecture):
    """A convolutional network with max-pooling (LeCun 1998; Krizhevsky 2012)."""

    name = "cnn"
    title = "CNN"
    scores = "probability"
    can = Abilities(reconstruct=False, route=False, gradient=True)
    settings = SETTINGS
    kernels = ("conv1.kernels", "conv1.bias")
    embedding = "hidden"
    embedding_map = "hidden"

    def build(self, config: CnnConfig) -> Cnn:
        """Return a CNN of these sizes with random weights."""
        return Cnn(config)

    def tensors(self, config: CnnConfig) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name."""
        return named_tensors(config)

    def layers(self, config: CnnConfig) -> tuple[Layer, ...]:
        """Describe the layers from the image up, as the page shows them."""
        return described_layers(config)

    def class_loss(self, trace: Trace, present: Tensor, loss: LossConfig) -> Tensor:
        """Return the cross entropy of each image, or its margin loss: (batch,)."""
        if loss.class_loss == "margin":
            return margin_losses(trace.scores, present, MarginLoss())
        entropy = (
            cross_entropy if trace.probabilities == "softmax" else binary_cross_entropy
        )
        return entropy(trace.logits, present, loss)

    def evidence(self, trace: Trace) -> Tensor:
        """Return the logits: probabilities saturate, and their gradient vanishes."""
        return trace.logits

    def options(self, config: CnnConfig, query: Mapping[str, Any]) -> SilenceOptions:
        """Check which maps of Conv2 a request silences; there is nothing to route."""
        others = {name: value for name, value in query.items() if name != "silence"}
        super().options(config, others)
        return SilenceOptions(checked_silence(query, config.conv2_kernels, "map"))

    def portraits(
        self, network: Network, labelled: LabelledImages
    ) -> dict[str, Tensor]:
        """Return what each map of Conv2 looks for."""
        field = receptive_field(self.layers(_cnn(network).config), "conv2")
        (rows, step, _), (columns, _, _) = field.along(0), field.along(1)
        return portraits(network, labelled, Maps(), Windows(rows, columns, step))

    def details(self, config: CnnConfig) -> dict[str, int | None]:
        """Return how many maps can be silenced."""
        return super().details(config) | {"silenceable_maps": config.conv2_kernels}

    def serving(self, network: Network) -> Serving:
        """Return the readable network in a faster memory layout."""
        return CnnServing(_cnn(network))


def _cnn(network: Network) -> Cnn:
    if not isinstance(network, Cnn):
        raise TypeError(f"network must be a Cnn, got a {type(network).__name__}")
    return network


ARCHITECTURE = CnnArchitecture()
