"""A state of a network of this project, saved elsewhere, becomes a weight file."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import load_file
from torch import Tensor

from capsnet_explorer.model.printed import size_words
from capsnet_explorer.model.weights import (
    SHIPPED,
    SUFFIX,
    WeightsError,
    half_precision,
    load_weights,
    save_weights,
    weight_file,
)

TORCH = (".pt", ".pth", ".bin", ".ckpt")
WRAPPERS = ("module.", "_orig_mod.", "model.", "network.", "state_dict.")


def import_state(file: Path, out: Path, like: str | None, command: str) -> str:
    """Write a weight file and a card of a state, and return what was written.

    Args:
        file: a state dict, as PyTorch or safetensors keep it; nothing in it is run.
        out: the weight file to write.
        like: name or weight file of a network with such tensors; None tries those that
            come with the project.
        command: the command line, for the card.

    Raises:
        WeightsError: it cannot be read, or has not the tensors of such a network.
    """
    if out.suffix != SUFFIX:
        raise WeightsError(f"--out must end in {SUFFIX}, got {out.name}")
    tensors = _unwrapped(dict(_read(file)))
    sources = [weight_file(like)] if like else sorted(SHIPPED.glob(f"*{SUFFIX}"))
    wrong = []
    for source in sources:
        trained = load_weights(source)
        differs = _differs(tensors, trained.network.state_dict())
        if differs:
            wrong.append(f"{source.stem} {differs}")
            continue
        trained.network.load_state_dict(tensors)
        for name, tensor in half_precision(trained.network).items():
            if not tensor.isfinite().all():
                raise WeightsError(
                    f"{file.name}: {name} must hold finite numbers up to 65504"
                )
        card = _card(trained.card, f"{trained.architecture.title} from {file.name}")
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        card |= {"command": command, "date": date.today().isoformat()}
        card["imported"] = {"file": file.name, "sha256": content}
        save_weights(out, trained.architecture, trained.network, card)
        return f"{out}: python run_visualization.py --weights {out}"
    raise WeightsError(
        f"{file.name} has not the tensors of a network of this project: "
        f"{'; '.join(wrong)}. Name a weight file of its sizes by --like, or show "
        "another network by ce.explore(net, images) (docs/own-networks.md)"
    )


def _read(file: Path) -> Iterator[tuple[str, Tensor]]:
    if not file.is_file():
        raise WeightsError(f"there is no file {file}")
    if file.suffix not in (*TORCH, SUFFIX):
        raise WeightsError(
            f"a state must end in {', '.join(TORCH)} or {SUFFIX}, got {file.name}"
        )
    try:
        if file.suffix == SUFFIX:
            held: Any = load_file(file)
        else:
            held = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        raise WeightsError(
            f"{file.name} is damaged, or another kind of file"
        ) from error
    except safetensors.SafetensorError as error:
        raise WeightsError(f"{file.name} is no safetensors file") from error
    except Exception as error:
        # By its name: its class is pickle's, which nothing here imports.
        if type(error).__name__ != "UnpicklingError":
            raise
        raise WeightsError(
            f"{file.name} holds more than tensors, and reading that would run code: "
            "torch.save(net.state_dict(), FILE) writes tensors alone"
        ) from error
    yield from _flat(held)


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of nested dictionaries, by their joined names."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flat(part, f"{name}.{key}" if name else str(key))


def _unwrapped(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Leave out what stands before all names, such as `module.`."""
    for wrapper in WRAPPERS * 2:
        if tensors and all(name.startswith(wrapper) for name in tensors):
            tensors = {name[len(wrapper) :]: tensor for name, tensor in tensors.items()}
    return tensors


def _differs(tensors: Mapping[str, Tensor], needed: Mapping[str, Tensor]) -> str:
    """Return what a state lacks or has too much of a network; "" for nothing."""
    for name, tensor in needed.items():
        if name not in tensors:
            return f"has {name} of {size_words(tuple(tensor.shape))}, which it lacks"
        if tensors[name].shape != tensor.shape:
            shapes = (tuple(value.shape) for value in (tensor, tensors[name]))
            wanted, got = map(size_words, shapes)
            return f"has {name} of {wanted}, and it one of {got}"
    more = [name for name in tensors if name not in needed]
    return f"has no {more[0]}" if more else ""


def _card(card: Mapping[str, Any], title: str) -> dict[str, Any]:
    """Return what holds of the state, too: of its kind and classes, no measurement."""
    kept = ("dataset", "data", "class_names", "loss")
    return {"title": title, **{name: card[name] for name in kept if name in card}}
