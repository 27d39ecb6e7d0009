"""Trained weights: a half-precision safetensors file and a JSON card beside it.

Nothing here unpickles: a weight file can hold numbers only.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import load, save
from torch import Tensor

from model.capsnet import CapsNet
from model.config import CapsNetConfig
from model.files import replace_file

ARCHITECTURE = "CapsNet"
SUFFIX = ".safetensors"


class WeightsError(ValueError):
    """A weight file or card that cannot be used; the message is one clear line."""


def card_path(weights: Path) -> Path:
    """Return where the card of a weight file stands."""
    return weights.with_suffix(".json")


def save_weights(path: Path, network: CapsNet, card: dict[str, Any]) -> None:
    """Write the weights in half precision and the card, completed, beside them.

    The card gains what identifies the file: `architecture`, `config`, `sha256`.
    """
    content = save(half_precision(network))
    full_card = {
        **card,
        "architecture": ARCHITECTURE,
        "config": asdict(network.config),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    replace_file(path, content)
    text = json.dumps(full_card, indent=2, ensure_ascii=False) + "\n"
    replace_file(card_path(path), text.encode())


def half_precision(network: CapsNet) -> dict[str, Tensor]:
    """Return the network's tensors as they are stored: float16, on the CPU."""
    return {
        name: tensor.detach().to("cpu", torch.float16).contiguous()
        for name, tensor in network.state_dict().items()
    }


def load_weights(path: Path) -> tuple[CapsNet, dict[str, Any]]:
    """Read a network and its card.

    Returns:
        The network in evaluation mode, in float32 on the CPU, and the card.

    Raises:
        WeightsError: a file is missing or damaged, or the two do not fit.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WeightsError(
            f"cannot read the weight file {path}: {error.strerror}"
        ) from error
    card = _read_card(card_path(path))
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise WeightsError(f"{path} is damaged: its SHA-256 is not its card's")
    network = CapsNet(_config_of(card, path))
    try:
        tensors = load(content)
    except safetensors.SafetensorError as error:
        raise WeightsError(f"{path} is not a safetensors file: {error}") from error
    _check_fit(path, tensors, network.state_dict())
    network.load_state_dict(tensors)
    return network.eval(), card


def _read_card(path: Path) -> dict[str, Any]:
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(
            f"cannot read the card {path}: {error.strerror}; every weight file needs "
            "its card beside it"
        ) from error
    except ValueError as error:
        raise WeightsError(f"the card {path} is not valid JSON: {error}") from error
    needed = {"architecture", "config", "sha256"}
    missing = needed - set(card) if isinstance(card, dict) else needed
    if missing:
        raise WeightsError(f"the card {path} lacks {', '.join(sorted(missing))}")
    return card


def _config_of(card: dict[str, Any], path: Path) -> CapsNetConfig:
    if card["architecture"] != ARCHITECTURE:
        raise WeightsError(
            f"{path} needs architecture {ARCHITECTURE}, got {card['architecture']!r}"
        )
    try:
        sizes: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in card["config"].items()
        }
        return CapsNetConfig(**sizes)
    except (AttributeError, TypeError, ValueError) as error:
        raise WeightsError(f"the config in {path}'s card is wrong: {error}") from error


def _check_fit(path: Path, found: dict[str, Tensor], needed: dict[str, Tensor]) -> None:
    for name, tensor in needed.items():
        if name not in found:
            raise WeightsError(f"{path} lacks the tensor {name}")
        if found[name].shape != tensor.shape:
            raise WeightsError(
                f"{path}: {name} must be {tuple(tensor.shape)}, "
                f"got {tuple(found[name].shape)}"
            )
        if not found[name].float().isfinite().all():
            raise WeightsError(f"{path}: {name} holds values that are not finite")
    for name in found:
        if name not in needed:
            raise WeightsError(f"{path} holds {name}, which the network has not")
