"""How a run computes: device, precision, the convolution's way. Not what it learns."""

from dataclasses import dataclass

import torch

from model.config import CapsNetConfig
from model.device import has_fast_bfloat16
from model.winograd import can_replace


@dataclass(frozen=True, slots=True)
class Computing:
    """How steps are computed.

    Attributes:
        device: where.
        bfloat16: whether products are computed in bfloat16 (autocast).
        winograd: whether PrimaryCaps is computed by Winograd's filtering, in float32.
        compiled: whether torch.compile fuses a step's small operations.
    """

    device: torch.device
    bfloat16: bool = False
    winograd: bool = False
    compiled: bool = False


def chosen_computing(
    device: torch.device,
    sizes: CapsNetConfig,
    *,
    precision: str,
    convolution: str,
    compiled: bool,
) -> Computing:
    """Fill in what is left to `auto`.

    Args:
        device: where to compute.
        sizes: the network's.
        precision: `auto`, `float32` or `bfloat16`.
        convolution: `auto`, `direct` or `winograd`.
        compiled: whether to use torch.compile.
    """
    # On a CPU, Winograd in float32 is faster than a direct convolution in bfloat16.
    winograd = convolution == "winograd" or (
        convolution == "auto" and device.type == "cpu" and can_replace(sizes)
    )
    bfloat16 = precision == "bfloat16" or (
        precision == "auto" and not winograd and has_fast_bfloat16(device)
    )
    return Computing(device, bfloat16, winograd, compiled)
