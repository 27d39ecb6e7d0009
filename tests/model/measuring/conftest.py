"""Two digits on top of each other, and a tiny network that reads them."""

from dataclasses import replace

import pytest
import torch

from capsnet_explorer.model.capsnet.network import CapsNet
from capsnet_explorer.model.data.overlapping import fixed_overlaps
from tests.tiny import SIZES


@pytest.fixture
def overlaps(digits):
    return fixed_overlaps(digits, "test")


@pytest.fixture
def reader_of_pairs():
    """One whose answers vary; it reads the synthetic digits on their canvas."""
    network = CapsNet(replace(SIZES, image_rows=20, image_columns=20)).eval()
    with torch.no_grad():
        network.digits.transforms.mul_(20)
        network.primary.convolution.weight.mul_(5)
    return network
