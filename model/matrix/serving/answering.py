"""A matrix capsule network prepared for serving."""

import copy
from collections.abc import Sequence

from torch import Tensor

from capsnet_explorer.model.architecture import Serving, Weights
from capsnet_explorer.model.matrix.network import MatrixNetwork, Trace
from capsnet_explorer.model.matrix.serving.routing import PackedRouting
from capsnet_explorer.model.surgery import RoutingOptions, surgery_on


class MatrixServing(Serving):
    """The network with routing in NumPy, its transforms rearranged once.

    Args:
        network: in evaluation mode.
    """

    def __init__(self, network: MatrixNetwork) -> None:
        layers = copy.deepcopy(network)
        for layer in layers.routed_layers:
            layer.faster = PackedRouting(layer)
        super().__init__(layers)
        self._network = layers

    def run(self, images: Tensor, options: Sequence[RoutingOptions]) -> Trace:
        """Run one forward pass over images with the same number of iterations."""
        return self._network(
            images,
            iterations=options[0].iterations,
            surgery=surgery_on(options, self._network.config),
        )

    def weights(self) -> Weights:
        """Return Conv1's kernels and biases with batch norm folded into them.

        `conv1.kernels` is (kernels, rows, columns), with an axis of channels after the
        first if there are several, and `conv1.bias` (kernels,): their convolution is
        `conv1.pre`.
        """
        derived = self._network.derived()
        return {name: tensor.clone for name, tensor in derived.items()}
