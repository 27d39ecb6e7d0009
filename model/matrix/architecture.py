"""The matrix capsule network behind the interface that all architectures share."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
    Serving,
)
from capsnet_explorer.model.layers.description import Layer
from capsnet_explorer.model.matrix.config import (
    POSE,
    SETTINGS,
    LossConfig,
    MatrixConfig,
)
from capsnet_explorer.model.matrix.described import described_layers
from capsnet_explorer.model.matrix.loss import spread_losses
from capsnet_explorer.model.matrix.network import MatrixNetwork, Trace
from capsnet_explorer.model.matrix.serving.answering import MatrixServing
from capsnet_explorer.model.matrix.tensors import named_tensors
from capsnet_explorer.model.surgery import (
    RoutingOptions,
    checked_options,
    max_iterations,
)

DECODER_FACTOR = 0.2  # of the learning rate, for the decoder


class MatrixArchitecture(Architecture):
    """The network of Hinton, Sabour & Frosst 2018."""

    name = "matrix"
    title = "Matrix capsules"
    scores = "activation"
    can = Abilities(reconstruct=True, route=True, gradient=True)
    settings = SETTINGS
    paper = "Hinton, Sabour and Frosst, “Matrix capsules with EM routing” (2018), ICLR"
    kernels = ("conv1.kernels", "conv1.bias")
    embedding = "classes.poses"
    logged = ("true_class_votes",)

    def build(self, config: MatrixConfig) -> MatrixNetwork:
        """Return a network of these sizes with random weights."""
        return MatrixNetwork(config)

    def tensors(self, config: MatrixConfig) -> dict[str, NamedTensor]:
        """Return every tensor that a request can name."""
        return named_tensors(config)

    def layers(self, config: MatrixConfig) -> tuple[Layer, ...]:
        """Describe the layers from the image up, as the page shows them."""
        return described_layers(config)

    def class_loss(self, trace: Trace, present: Tensor, loss: LossConfig) -> Tensor:
        """Return the spread loss of each image (eq. 3) with the final margin."""
        return spread_losses(trace.scores, present, loss.last_margin)

    def loss_at(self, loss: LossConfig, progress: float) -> LossConfig:
        """Return the loss with the margin of that moment as its last."""
        return loss.at(progress)

    def logged_figures(self, trace: Trace, present: Tensor) -> Tensor:
        """Return the share of the votes that the classes present get: (1,).

        A network can classify while its routing means nothing: then an empty class
        wins, and this share is small.
        """
        last = trace.class_capsules.steps[-1]
        shares = last.assignments[:, 0].mean(dim=2)  # of all votes, by class
        return (shares * present).sum(dim=1, keepdim=True).mean(dim=0)

    def parameter_groups(self, network: Network) -> list[dict[str, Any]]:
        """Return the capsules', and the decoder's with a lower learning rate."""
        decoder = list(_matrix(network).decoder.parameters())
        ids = {id(weight) for weight in decoder}
        others = [weight for weight in network.parameters() if id(weight) not in ids]
        return [
            {"params": others},
            {"params": decoder, "factor": DECODER_FACTOR},
        ]

    def fit_start(self, network: Network, images: Tensor) -> None:
        """Fit each layer's first W, β and λ to a few images."""
        _matrix(network).fit(images)

    def serving(self, network: Network) -> Serving:
        """Return the network with its transforms rearranged and faster routing."""
        return MatrixServing(_matrix(network))

    def trace_with_gradient(
        self, network: Network, images: Tensor, *, through_all: bool
    ) -> Trace:
        """Run a forward pass that can be differentiated with respect to its images."""
        return _matrix(network)(images, through_all=through_all)

    def evidence(self, trace: Trace) -> Tensor:
        """Return the logits: activations saturate, and their gradient vanishes."""
        return trace.logits

    def options(self, config: MatrixConfig, query: Mapping[str, Any]) -> RoutingOptions:
        """Check a request's routing options; surgery is on routing to the classes."""
        return checked_options(config, query)

    def details(self, config: MatrixConfig) -> dict[str, int | None]:
        """Return the capsules that route to the classes, pose size and iterations."""
        return {
            "routed_capsules": config.routed_capsules,
            "pose_dim": POSE,
            "routing_iterations": config.routing_iterations,
            "max_routing_iterations": max_iterations(config),
        }


def _matrix(network: Network) -> MatrixNetwork:
    if not isinstance(network, MatrixNetwork):
        raise TypeError(
            f"network must be a MatrixNetwork, got a {type(network).__name__}"
        )
    return network


ARCHITECTURE = MatrixArchitecture()
