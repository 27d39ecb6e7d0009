"""Images in batches that suit a device."""

from collections.abc import Iterator

import numpy as np
import torch

from capsnet_explorer.model.data.images import LabelledImages, to_network
from capsnet_explorer.model.measuring.laboratory.strongest import Batch

ON_CPU = 50  # images at a time
ELSEWHERE = 250  # fills a GPU


def batches(labelled: LabelledImages, device: torch.device) -> Iterator[Batch]:
    """Yield all images, in batches as large as a device computes well."""
    size = ON_CPU if device.type == "cpu" else ELSEWHERE
    for first in range(0, len(labelled), size):
        some = slice(first, first + size)
        pixels = to_network(labelled.images[some]).cpu().numpy().astype(np.float64)
        yield Batch(pixels, labelled.labels[some].cpu(), first)
