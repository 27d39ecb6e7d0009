"""How a training run computes: device, precision, convolution, compilation."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Computing:
    """The way in which training steps are computed.

    Attributes:
        device: where to compute.
        bfloat16: whether autocast computes products in bfloat16.
        winograd: whether a CapsNet computes PrimaryCaps by Winograd filtering, in
            float32.
        compiled: whether torch.compile fuses a step's small operations.
    """

    device: torch.device
    bfloat16: bool = False
    winograd: bool = False
    compiled: bool = False
