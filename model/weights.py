"""Trained weights: a half-precision safetensors file and a JSON card beside it.

No pickle is read, so a weight file cannot run code.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from capsnet_explorer import ROOT
from capsnet_explorer.model.architecture import (
    Abilities,
    Architecture,
    NamedTensor,
    Network,
)
from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.layers.description import Layer
from capsnet_explorer.model.presence import ONE_CLASS, Presence
from capsnet_explorer.model.settings import with_image_shape
from capsnet_explorer.storage.reading import Unreadable, read_object
from capsnet_explorer.storage.regular import require_file
from capsnet_explorer.storage.writing import replace_file

CARD_VERSION = 2  # cards of version 1 name no version and describe CapsNets only
SUFFIX = ".safetensors"
RECONSTRUCTION, DECODER = "reconstruction", "decoder"  # a tensor, a kind of layer
DESCRIBED = "run_visualization.py --network FILE.py (docs/own-networks.md)"
SHIPPED = ROOT / "weights"  # come with the project
INIT = nn.init.__name__
INNERMOST = re.compile(r"[\[{][^\[\]{}]{,400}[\]}]|\[[\s\d,]+\]")


class WeightsError(ValueError):
    """A weight file or card that cannot be used; the message is one clear line."""


def card_path(weights: Path) -> Path:
    """Return the path of a weight file's card."""
    return weights.with_suffix(".json")


def weight_files(source: Path) -> list[Path]:
    """Return the weight files that a path names.

    Args:
        source: a weight file, or a folder that contains some, such as a run's.

    Raises:
        WeightsError: the folder contains no weight file.
    """
    if not source.is_dir():
        return [source]
    files = sorted(source.glob(f"*{SUFFIX}"))
    if not files:
        raise WeightsError(f"the folder {source} holds no {SUFFIX} file")
    return files


def weight_file(source: str | Path) -> Path:
    """Return the one weight file that a name or a path stands for.

    Args:
        source: the name of a network that comes with the project, such as
            `capsnet-mnist`; a weight file, or a folder that contains one.

    Raises:
        WeightsError: there is no such network, or the folder contains several.
    """
    files = sorted(SHIPPED.glob(f"*{SUFFIX}"), key=lambda file: file.stem)
    shipped = {file.stem: file for file in files}
    if str(source) in shipped:
        return shipped[str(source)]
    path = Path(source)
    if not path.exists() and path.suffix != SUFFIX:
        raise WeightsError(
            f"the network must be {', '.join(shipped)}, or the path of a weight file "
            f"or its folder, got {source}"
        )
    file, *others = weight_files(path)
    if others:
        names = ", ".join(path.name for path in (file, *others))
        raise WeightsError(
            f"the folder {path} holds several networks, {names}: name one"
        )
    return file


def card_of(weights: Path) -> dict[str, Any]:
    """Read the card of a weight file as it stands now: beside it, or within.

    A page that trains a network saves it as one file.

    Raises:
        WeightsError: the card cannot be read.
    """
    beside = card_path(weights)
    if not beside.exists():
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            content = weights.read_bytes()
            length = int.from_bytes(content[:8], "little")
            within = json.loads(content[8 : 8 + length])["__metadata__"]["card"]
            digest = hashlib.sha256(content).hexdigest()
            return _check_card({**json.loads(within), "sha256": digest}, weights)
    return _read_card(beside)


def add_to_card(weights: Path, figures: dict[str, Any]) -> None:
    """Write figures into the card of a weight file, replacing older ones.

    Raises:
        WeightsError: the card cannot be read.
    """
    path = card_path(weights)
    _write_card(path, {**_read_card(path), **figures})


def _write_card(path: Path, card: dict[str, Any]) -> None:
    replace_file(path, card_text(card).encode(), makes_folder=True)


def card_text(card: dict[str, Any]) -> str:
    """Return a card as JSON, with each innermost list or object on one line."""
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    # Line breaks stand between values only: within strings they are escaped.
    return INNERMOST.sub(lambda match: re.sub(r"\n *", " ", match[0]), text)


def save_weights(
    path: Path, architecture: Architecture, network: Network, card: dict[str, Any]
) -> None:
    """Write the weights in half precision, and the card beside them.

    Adds what identifies the file to the card: `version`, `architecture`, `config` and
    `sha256`.
    """
    content = save(half_precision(network))
    full_card = {
        "version": CARD_VERSION,
        **card,
        "architecture": architecture.name,
        "config": asdict(network.config),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    replace_file(path, content, makes_folder=True)
    _write_card(card_path(path), full_card)


def half_precision(network: Network) -> dict[str, Tensor]:
    """Return the network's tensors as they are stored: float16, on the CPU."""
    return {
        name: tensor.detach().to("cpu", torch.float16).contiguous()
        for name, tensor in network.state_dict().items()
    }


@dataclass(frozen=True, slots=True)
class Trained:
    """A network from a weight file.

    Attributes:
        architecture: the kind of network.
        network: in evaluation mode, in float32 on the CPU.
        card: the content of its card.
        rule: for the classes that an answer names; without one on the card, that is
            the class with the best score.
    """

    architecture: Architecture
    network: Network
    card: dict[str, Any]
    rule: Presence = ONE_CLASS

    @property
    def can(self) -> Abilities:
        """What it can do; what its training left out, it cannot.

        A decoder that had no part in the loss is as it began, at random.
        """
        loss = self.card.get("loss")
        weight = loss.get("reconstruction_weight") if isinstance(loss, dict) else None
        can = self.architecture.can
        return replace(can, reconstruct=False) if weight == 0 else can

    @property
    def parameter_count(self) -> int:
        """How many parameters were trained; without a decoder that draws nothing."""
        count = self.network.parameter_count
        if self.can.reconstruct:
            return count
        named = self.network.named_parameters()
        return count - sum(
            x.numel() for name, x in named if name.startswith("decoder.")
        )

    @property
    def tensors(self) -> dict[str, NamedTensor]:
        """Every tensor that a request can name."""
        named = self.architecture.tensors(self.network.config)
        if self.can.reconstruct:
            return dict(named)
        return {name: named[name] for name in named if name != RECONSTRUCTION}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers from the image up, as the page shows them."""
        layers = self.architecture.described(self.network.config)
        if self.can.reconstruct == self.architecture.can.reconstruct:
            return layers
        return tuple(
            _without_decoder(layer) for layer in layers if layer.kind != DECODER
        )

    @property
    def class_names(self) -> tuple[str, ...]:
        """What each class is called; its number, where the card has no names."""
        classes = self.network.config.classes
        names = self.card.get("class_names")
        if not isinstance(names, list) or len(names) != classes:
            names = range(classes)
        return tuple(str(name) for name in names)


def _without_decoder(layer: Layer) -> Layer:
    """Describe a layer without what a decoder makes of it."""
    named = layer.tensors
    kept = {role: named[role] for role in named if named[role] != RECONSTRUCTION}
    words = {name: layer.words[name] for name in layer.words if name != DECODER}
    return replace(layer, tensors=kept, words=words)


def load_weights(path: Path, *, only_check: bool = False) -> Trained:
    """Read a network and its card.

    Args:
        path: the weight file.
        only_check: leave the network's values as they are, which means nothing; its
            sizes and its card are those of the file, which is checked all the same.

    Raises:
        WeightsError: a file is missing or damaged, or weights and card do not match.
    """
    if path.suffix != SUFFIX and path.is_file():
        raise WeightsError(
            f"a weight file must end in {SUFFIX}, got {path.name}: a network "
            f"of your own is opened by a description, {DESCRIBED}"
        )
    try:
        require_file(path)
        content = path.read_bytes()
    except OSError as error:
        raise WeightsError(
            f"cannot read the weight file {path}: {error.strerror}"
        ) from error
    card = card_of(path)
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise WeightsError(f"{path} is damaged: its SHA-256 differs from its card's")
    architecture = _architecture_of(card, path)
    config = _config_of(card, architecture, path)
    try:
        with Unfilled():
            network = architecture.build(config)
    except (TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise WeightsError(f"the config in {path}'s card is wrong: {first}") from error
    try:
        tensors = load(content)
    except safetensors.SafetensorError as error:
        raise WeightsError(f"{path} is not a safetensors file: {error}") from error
    _check_fit(path, tensors, network.state_dict())
    if not only_check:
        network.load_state_dict(tensors)
    return Trained(architecture, network.eval(), card, _rule_of(card, path))


class Unfilled(TorchFunctionMode):
    """Leaves out the random numbers that networks begin with: trained ones follow."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Return the memory as it is in place of filling it."""
        if func is torch.randn:
            return torch.empty(*args, **(kwargs or {}))
        module = getattr(func, "__module__", None)
        if func in (Tensor.normal_, Tensor.uniform_) or module == INIT:
            return args[0] if args else (kwargs or {})["tensor"]
        return func(*args, **(kwargs or {}))


def _read_card(path: Path) -> dict[str, Any]:
    try:
        card = read_object(path)
    except Unreadable as error:
        needs = (
            "; every weight file needs its card beside it, which training writes; "
            f"a network of your own is opened by {DESCRIBED}"
        )
        raise WeightsError(
            f"the card {path.parent / str(error)}{'' if path.exists() else needs}"
        ) from error
    return _check_card(card, path)


def _check_card(card: dict[str, Any], path: Path) -> dict[str, Any]:
    if isinstance(card.get("loss"), dict):
        card["loss"].pop("mistake", None)  # of earlier versions, where it was one
    missing = {"architecture", "config", "sha256"} - set(card)
    if missing:
        raise WeightsError(f"the card {path} lacks {', '.join(sorted(missing))}")
    if card.get("version", 1) not in [*range(1, CARD_VERSION + 1)]:
        raise WeightsError(
            f"the card {path} must have a version up to {CARD_VERSION}, "
            f"got {card['version']!r}: a newer release of this project wrote it"
        )
    return card


def _architecture_of(card: dict[str, Any], path: Path) -> Architecture:
    try:
        # Cards of version 1 say CapsNet.
        return architecture_named(str(card["architecture"]).lower())
    except ValueError as error:
        raise WeightsError(f"{path} cannot be loaded: {error}") from None


def _config_of(card: dict[str, Any], architecture: Architecture, path: Path) -> Any:
    try:
        sizes: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in with_image_shape(card["config"]).items()
        }
        return architecture.settings.sizes(**sizes)
    except (AttributeError, TypeError, ValueError) as error:
        raise WeightsError(f"the config in {path}'s card is wrong: {error}") from error


def _rule_of(card: dict[str, Any], path: Path) -> Presence:
    try:
        return Presence(**card.get("present", {}))
    except (TypeError, ValueError) as error:
        raise WeightsError(f"`present` in {path}'s card is wrong: {error}") from error


def _is_finite(tensor: Tensor) -> bool:
    """Return whether all values are finite in single precision.

    In NumPy: torch would begin a pool of threads for it, in each thread that asks.
    """
    values = tensor if tensor.dtype == torch.float16 else tensor.float()
    return bool(np.isfinite(values.numpy()).all())


def _check_fit(path: Path, state: dict[str, Tensor], needed: dict[str, Tensor]) -> None:
    for name, tensor in needed.items():
        if name not in state:
            raise WeightsError(f"{path} lacks the tensor {name}")
        if state[name].shape != tensor.shape:
            raise WeightsError(
                f"{path}: {name} must be {tuple(tensor.shape)}, "
                f"got {tuple(state[name].shape)}"
            )
        if not _is_finite(state[name]):
            raise WeightsError(f"{path}: {name} holds values that are not finite")
    for name in state:
        if name not in needed:
            raise WeightsError(f"{path} holds {name}, which the network lacks")
