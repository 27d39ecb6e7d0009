"""A CapsNet prepared for serving: packed, and checked against the readable form."""

import logging
from collections.abc import Sequence

from torch import Tensor

from capsnet_explorer.model.architecture import Serving, Weights
from capsnet_explorer.model.capsnet.network import CapsNet, Trace
from capsnet_explorer.model.capsnet.serving.network import answer_alike, pack
from capsnet_explorer.model.layers.maps import first_weights
from capsnet_explorer.model.surgery import RoutingOptions, surgery_on

log = logging.getLogger(__name__)


class PackedServing(Serving):
    """The network with its weights repacked for fast inference.

    The constructor compares it once with the readable network. If the two differ, the
    readable network is served.

    Args:
        network: in evaluation mode.
    """

    def __init__(self, network: CapsNet) -> None:
        fast = pack(network)
        if not answer_alike(fast, network):
            log.warning("the packed network gives other results: serving the readable")
            fast = network
        super().__init__(network)
        self.network = self._fast = fast
        self._weights = _served_weights(network)

    def run(self, images: Tensor, options: Sequence[RoutingOptions]) -> Trace:
        """Run one forward pass over images with the same number of iterations."""
        return self._fast(
            images,
            iterations=options[0].iterations,
            surgery=surgery_on(options, self._fast.config),
        )

    def weights(self) -> Weights:
        """Return Conv1's kernels, and the PrimaryCaps kernels of each capsule type."""
        return self._weights


def _served_weights(network: CapsNet) -> Weights:
    """Return weights under the names that the page requests.

    The PrimaryCaps kernels stay in half precision, as in weight files. The packed
    network already holds a rearranged copy, and a second one in single precision would
    take twice the memory.
    """
    primary = network.primary
    shape = (primary.types, primary.dim)
    kernels = primary.convolution.weight.detach().half().unflatten(0, shape)
    bias = network.get_parameter("primary.convolution.bias").detach()
    bias = bias.unflatten(0, shape)
    tensors = first_weights(network.conv1)
    for type in range(primary.types):
        tensors[f"primary.kernels.{type}"] = kernels[type]
        tensors[f"primary.bias.{type}"] = bias[type]
    return {name: tensor.clone for name, tensor in tensors.items()}
