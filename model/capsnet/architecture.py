"""The CapsNet behind the interface that all architectures share."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
    Serving,
)
from capsnet_explorer.model.capsnet.config import SETTINGS, CapsNetConfig, LossConfig
from capsnet_explorer.model.capsnet.described import described_layers
from capsnet_explorer.model.capsnet.legible_loss import legible_loss
from capsnet_explorer.model.capsnet.network import CapsNet, Trace
from capsnet_explorer.model.capsnet.serving.answering import PackedServing
from capsnet_explorer.model.capsnet.tensors import named_tensors
from capsnet_explorer.model.capsnet.voters import PrimaryVoters
from capsnet_explorer.model.capsnet.winograd import WinogradConvolution, tiles_across
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.device import has_fast_bfloat16
from capsnet_explorer.model.layers.description import Layer
from capsnet_explorer.model.layers.fields import receptive_field
from capsnet_explorer.model.layers.squash import norms
from capsnet_explorer.model.legibility import LegibilityMeter
from capsnet_explorer.model.margin_loss import class_losses
from capsnet_explorer.model.portraits import Windows, portraits
from capsnet_explorer.model.surgery import (
    RoutingOptions,
    checked_options,
    max_iterations,
)


class CapsNetArchitecture(Architecture):
    """The network of Sabour, Frosst & Hinton 2017."""

    name = "capsnet"
    title = "CapsNet"
    scores = "length"
    can = Abilities(reconstruct=True, route=True, gradient=True)
    settings = SETTINGS
    paper = (
        "Sabour, Frosst and Hinton, “Dynamic Routing Between Capsules” (2017), "
        "arXiv 1710.09829"
    )
    kernels = ("conv1.kernels", "conv1.bias")
    embedding = "digits.capsules"

    def build(self, config: CapsNetConfig) -> CapsNet:
        """Return a CapsNet of these sizes with random weights."""
        return CapsNet(config)

    def tensors(self, config: CapsNetConfig) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name."""
        return named_tensors(config)

    def layers(self, config: CapsNetConfig) -> tuple[Layer, ...]:
        """Describe the layers from the image up, as the page shows them."""
        return described_layers(config)

    def class_loss(self, trace: Trace, present: Tensor, loss: LossConfig) -> Tensor:
        """Return the margin loss of each image (eq. 4), or another: (batch,)."""
        return class_losses(trace.lengths, present, loss)

    def further_loss(
        self, network: Network, trace: Trace, present: Tensor, loss: LossConfig
    ) -> Tensor:
        """Return the terms that keep the network legible."""
        return legible_loss(_capsnet(network), trace, present, loss)

    def trace_with_gradient(
        self, network: Network, images: Tensor, *, through_all: bool
    ) -> Trace:
        """Run a forward pass that can be differentiated with respect to its images."""
        return _capsnet(network)(images, through_all=through_all)

    def evidence(self, trace: Trace) -> Tensor:
        """Return the capsules' norms before squash: the longer, the flatter it is."""
        return norms(trace.steps[-1].total_input)

    def legibility_meter(self, network: Network) -> LegibilityMeter:
        """Return a meter of voters, saturation, and what empty images contribute."""
        return LegibilityMeter(network, PrimaryVoters())

    def serving(self, network: Network) -> Serving:
        """Return the network repacked for fast inference, if its results agree."""
        return PackedServing(_capsnet(network))

    def options(
        self, config: CapsNetConfig, query: Mapping[str, Any]
    ) -> RoutingOptions:
        """Check a request's routing options."""
        return checked_options(config, query)

    def portraits(
        self, network: Network, labelled: LabelledImages
    ) -> dict[str, Tensor]:
        """Return what each type of primary capsules looks for."""
        return portraits(network, labelled, *self.voting(network))

    def voting(self, network: Network) -> tuple[PrimaryVoters, Windows]:
        """Return how primary capsules vote; each looks through two convolutions."""
        field = receptive_field(self.layers(_capsnet(network).config), "primary")
        (rows, step, _), (columns, _, _) = field.along(0), field.along(1)
        return PrimaryVoters(), Windows(rows, columns, step)

    def title_of(self, config: CapsNetConfig) -> str:
        """Return the title, which tells whether routing has none of the above."""
        return f"{self.title} with a “none” route" if config.has_none else self.title

    def details(self, config: CapsNetConfig) -> dict[str, int | None]:
        """Return the number of primary capsules, the pose size and the iterations."""
        return {
            "primary_capsules": config.primary_capsules,
            "pose_dim": config.digit_dim,
            "routing_iterations": config.routing_iterations,
            "max_routing_iterations": max_iterations(config),
        }

    def prepare_training(
        self, network: Network, config: CapsNetConfig, computing: Computing
    ) -> None:
        """Switch PrimaryCaps to Winograd filtering if this run uses it."""
        if computing.winograd:
            primary = _capsnet(network).primary
            primary.register_module(
                "convolution", WinogradConvolution(primary.convolution, config)
            )

    def chosen_computing(
        self,
        device: torch.device,
        config: CapsNetConfig,
        *,
        precision: str,
        convolution: str,
        compiled: bool,
    ) -> Computing:
        """Resolve `auto`: Winograd filtering in float32 on a CPU."""
        # On a CPU, Winograd in float32 beats a direct convolution in bfloat16.
        winograd = convolution == "winograd" or (
            convolution == "auto"
            and device.type == "cpu"
            and tiles_across(config) is not None
        )
        bfloat16 = precision == "bfloat16" or (
            precision == "auto" and not winograd and has_fast_bfloat16(device)
        )
        return Computing(device, bfloat16, winograd, compiled)


def _capsnet(network: Network) -> CapsNet:
    if not isinstance(network, CapsNet):
        raise TypeError(f"network must be a CapsNet, got a {type(network).__name__}")
    return network


ARCHITECTURE = CapsNetArchitecture()
