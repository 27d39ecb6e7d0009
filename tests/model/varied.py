"""Networks whose answers vary: with small random weights all of them are alike."""

import torch


def varied(network):
    """Make a CapsNet's capsules longer, and its routing decide; return it."""
    with torch.no_grad():
        network.digits.transforms.mul_(20)
        network.primary.convolution.weight.mul_(5)
    return network
