"""A small CNN, so that every test takes milliseconds."""

from dataclasses import replace

import pytest

from capsnet_explorer.model.cnn.network import Cnn
from tests.tiny import CNN_SIZES


@pytest.fixture
def sizes():
    """12x12 pixels -> 4 maps of 10x10 -> 5x5 -> 6 of 3x3 -> 1x1 -> 8 units -> 3."""
    return replace(CNN_SIZES, conv1_kernels=4, conv2_kernels=6)


@pytest.fixture
def network(sizes):
    return Cnn(sizes).eval()
