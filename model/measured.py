"""Tensors measured on a network, in a small safetensors file beside its weights.

The file stands in a folder of its own, because every safetensors file beside the card
of a network is taken for a weight file.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import safetensors
import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from capsnet_explorer.storage.regular import require_file
from capsnet_explorer.storage.writing import replace_file

FOLDER = "measured"
OF = "sha256"  # in the metadata: of the weights that the tensors were measured on


def measured_path(weights: Path) -> Path:
    """Return the path of the tensors measured on a weight file."""
    return weights.parent / FOLDER / weights.name


def load_measured(weights: Path, sha256: str) -> dict[str, Tensor]:
    """Return the tensors measured on a weight file, by name.

    Args:
        weights: the weight file.
        sha256: of its content, as on its card.

    Returns:
        The tensors; none if nothing was measured, if the file is damaged, or if it
        belongs to other weights.
    """
    path = measured_path(weights)
    try:
        require_file(path)
        with safe_open(path, framework="pt") as file:
            if (file.metadata() or {}).get(OF) != sha256:
                return {}
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, safetensors.SafetensorError):
        return {}


def version_of(tensors: Mapping[str, Tensor]) -> str:
    """Return 16 hex digits that change whenever a tensor does; "" for none."""
    if not tensors:
        return ""
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)} ".encode())
        digest.update(tensor.contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]


def add_measured(weights: Path, sha256: str, tensors: dict[str, Tensor]) -> Path:
    """Write tensors measured on a weight file, and keep others measured on it.

    Args:
        weights: the weight file.
        sha256: of its content, as on its card.
        tensors: by name, such as `poses.mean`.

    Returns:
        The path written.
    """
    path = measured_path(weights)
    kept = load_measured(weights, sha256)
    whole = {
        name: tensor.contiguous() for name, tensor in sorted((kept | tensors).items())
    }
    replace_file(path, save(whole, metadata={OF: sha256}), makes_folder=True)
    return path
