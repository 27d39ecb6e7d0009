"""The Efficient-CapsNet behind the interface that all architectures share."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
    OptionsError,
    Serving,
    Weights,
)
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.efficient.config import SETTINGS, EfficientConfig
from capsnet_explorer.model.efficient.described import described_layers
from capsnet_explorer.model.efficient.network import EfficientCapsNet, Trace
from capsnet_explorer.model.efficient.tensors import named_tensors
from capsnet_explorer.model.efficient.voters import PrimaryVoters
from capsnet_explorer.model.layers.description import Layer
from capsnet_explorer.model.layers.fields import receptive_field
from capsnet_explorer.model.layers.maps import first_weights
from capsnet_explorer.model.layers.squash import norms
from capsnet_explorer.model.legibility import LegibilityMeter
from capsnet_explorer.model.margin_loss import MarginLoss, class_losses
from capsnet_explorer.model.portraits import Windows, portraits
from capsnet_explorer.model.surgery import RoutingOptions, checked_options, surgery_on


class EfficientServing(Serving):
    """The readable network, with surgery on request."""

    network: EfficientCapsNet

    def run(self, images: Tensor, options: Sequence[RoutingOptions]) -> Trace:
        """Run one forward pass."""
        return self.network(images, surgery=surgery_on(options, self.network.config))

    def weights(self) -> Weights:
        """Return Conv1's kernels and biases, and every batch norm's deviations.

        `conv1.kernels` is (kernels, rows, columns), with an axis of channels after the
        first if there are several, and `conv1.bias` (kernels,). `conv1.norm.deviation`
        and so on are (maps,), by which batch norm divides.
        """
        first, *_ = self.network.convolutions
        tensors = first_weights(first.convolution) | self.network.derived()
        return {name: tensor.clone for name, tensor in tensors.items()}


class EfficientArchitecture(Architecture):
    """The network of Mazzia, Salvetti & Chiaberge 2021."""

    name = "efficient"
    title = "Efficient-CapsNet"
    scores = "length"
    can = Abilities(reconstruct=True, route=True, gradient=True)
    settings = SETTINGS
    paper = (
        "Mazzia, Salvetti and Chiaberge, “Efficient-CapsNet: capsule network with "
        "self-attention routing” (2021), arXiv 2101.12491"
    )
    kernels = ("conv1.kernels", "conv1.bias")
    embedding = "classes.capsules"

    def build(self, config: EfficientConfig) -> EfficientCapsNet:
        """Return an Efficient-CapsNet of these sizes with random weights."""
        return EfficientCapsNet(config)

    def tensors(self, config: EfficientConfig) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name."""
        return named_tensors(config)

    def layers(self, config: EfficientConfig) -> tuple[Layer, ...]:
        """Describe the layers from the image up, as the page shows them."""
        return described_layers(config)

    def class_loss(self, trace: Trace, present: Tensor, loss: MarginLoss) -> Tensor:
        """Return the margin loss of each image (section 3.3), or another: (batch,)."""
        return class_losses(trace.scores, present, loss)

    def evidence(self, trace: Trace) -> Tensor:
        """Return the capsules' norms before squash: the longer, the flatter it is."""
        return norms(trace.routing.total_input)

    def legibility_meter(self, network: Network) -> LegibilityMeter:
        """Return a meter of voters, saturation, and what empty images contribute."""
        return LegibilityMeter(network, PrimaryVoters())

    def portraits(
        self, network: Network, labelled: LabelledImages
    ) -> dict[str, Tensor]:
        """Return what each primary capsule looks for; all see the same pixels."""
        field = receptive_field(self.layers(network.config), "primary")
        rows, columns = field.along(0)[0], field.along(1)[0]
        # A step as long leaves one place.
        windows = Windows(rows, columns, step=max(rows, columns))
        return portraits(network, labelled, PrimaryVoters(), windows)

    def serving(self, network: Network) -> Serving:
        """Return the network with surgery on request."""
        return EfficientServing(network)

    def options(
        self, config: EfficientConfig, query: Mapping[str, Any]
    ) -> RoutingOptions:
        """Check a request's surgery; attention routes in one step."""
        if (iterations := query.get("iterations", 1)) != 1:
            raise OptionsError(
                "iterations must be 1, since attention routes in one step, "
                f"got {iterations}",
                field="iterations",
            )
        return checked_options(config, query)

    def details(self, config: EfficientConfig) -> dict[str, int | None]:
        """Return the number of primary capsules, the pose size and one iteration."""
        return {
            "primary_capsules": config.primary_capsules,
            "pose_dim": config.class_dim,
            "routing_iterations": 1,
            "max_routing_iterations": 1,
        }


ARCHITECTURE = EfficientArchitecture()
