"""An untrained CNN with the default sizes, to hold the page to its numbers."""

from pathlib import Path

import torch

from model.cnn.architecture import ARCHITECTURE
from model.cnn.config import CnnConfig
from model.cnn.network import Cnn
from model.weights import save_weights


def save_untrained_cnn(folder: Path) -> Path:
    """Write the weights of a CNN for MNIST and return their path.

    It has 32 maps of 24 x 24 and of 12 x 12, then 64 of 8 x 8 and of 4 x 4, 512 hidden
    units and 10 classes.
    """
    torch.manual_seed(0)
    network = Cnn(CnnConfig())
    with torch.no_grad():  # or every map of Conv2, and every unit, is nearly its bias
        network.conv2.weight.mul_(4)
        network.hidden.weight.mul_(4)
        network.logits.weight.mul_(4)
    weights = folder / "cnn.safetensors"
    names = [str(digit) for digit in range(10)]
    card = {"title": "CNN", "dataset": "mnist", "class_names": names}
    save_weights(weights, ARCHITECTURE, network, card)
    return weights
