"""The time of a forward pass over one image."""

import platform
import statistics
import time
from pathlib import Path
from typing import Any

import torch

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.device import single_thread

WARM_UP = 20  # untimed passes
PASSES = 200


def forward_time(architecture: Architecture, network: Network) -> dict[str, Any]:
    """Time forward passes of one image as the explorer runs them, on one thread.

    A pass keeps every tensor, as it does for the page, but sends none.

    Args:
        architecture: the network's.
        network: on the CPU, in evaluation mode.

    Returns:
        For the card: `milliseconds`, the median of 200 passes; `threads`, 1; and
        `processor`.
    """
    serving = architecture.serving(network)
    options = [architecture.options(network.config, {})]
    shape = (1, *network.config.image_shape)
    image = torch.rand(shape, generator=torch.Generator().manual_seed(0))
    with single_thread(), torch.inference_mode():
        for _ in range(WARM_UP):
            serving.run(image, options)
        times = []
        for _ in range(PASSES):
            begin = time.perf_counter()
            serving.run(image, options)
            times.append(time.perf_counter() - begin)
    return {
        "milliseconds": round(1000 * statistics.median(times), 3),
        "threads": 1,
        "processor": processor(),
    }


def processor() -> str:
    """Return the processor's name, or its architecture where no name is known."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()
