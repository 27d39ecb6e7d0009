"""The only module that imports torchvision, which downloads CIFAR-10.

A torchvision built for CUDA cannot load its compiled operators beside a CPU-only torch,
and its import then fails with "operator torchvision::nms does not exist". Downloads
need none of those operators, so this module first declares the missing schemas.
"""

import torch

_SCHEMAS = {
    "nms": "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms": "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
}

for _name, _schema in _SCHEMAS.items():
    if not hasattr(torch.ops.torchvision, _name):
        torch.library.define(f"torchvision::{_name}", _schema)

from torchvision.datasets.utils import download_and_extract_archive  # noqa: E402

__all__ = ["download_and_extract_archive"]
