"""A small network of matrix capsules, no two of whose sizes are equal."""

import pytest
import torch

from capsnet_explorer.model.matrix.config import MatrixConfig
from capsnet_explorer.model.matrix.network import MatrixNetwork
from tests.tiny import square

# 22 x 22 pixels, one of which is not read -> 6 x 9 x 9 maps -> 2 x 9 x 9 capsules ->
# 3 x 4 x 4 -> 4 x 2 x 2 -> 5 classes.
SIZES = MatrixConfig(
    **square(22),
    conv1_kernels=6,
    primary_types=2,
    caps1_types=3,
    caps2_types=4,
    classes=5,
    decoder_hidden=(8, 9),
)


@pytest.fixture
def sizes():
    return SIZES


@pytest.fixture
def images():
    return torch.rand(3, 1, 22, 22)


@pytest.fixture
def network(sizes):
    """Fitted, with numbers of its own in every parameter."""
    network = MatrixNetwork(sizes)
    network.fit(torch.rand(8, 1, 22, 22))
    with torch.no_grad():
        for layer in network.routed_layers:
            layer.get_parameter("beta_u").add_(0.1 * torch.randn_like(layer.beta_u))
            layer.get_parameter("beta_a").add_(0.3 * torch.randn_like(layer.beta_a))
        network.norm.running_mean.normal_()
        network.norm.running_variance.uniform_(0.5, 2)
    return network.eval()
