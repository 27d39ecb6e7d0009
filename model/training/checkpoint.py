"""Checkpoints, from which a training run resumes bit for bit.

A checkpoint is one safetensors file. It holds the weights, Adam's two moments and, as
metadata, the run's progress. The order and augmentation of the images depend on the
seed alone, so no random state is saved.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from pydantic import TypeAdapter, ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from capsnet_explorer.model.settings import with_image_shape
from capsnet_explorer.storage.writing import replace_file


class CheckpointError(Exception):
    """A checkpoint that a run cannot resume from; the message says why."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes:
        epoch: the epoch to continue, counted from 0.
        batch: the next batch of that epoch, counted from 0.
        seconds: training time so far, over all sittings.
    """

    epoch: int = 0
    batch: int = 0
    seconds: float = 0.0


_OBJECT: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])
_PROGRESS = TypeAdapter(Progress)


def save_checkpoint(
    path: Path,
    networks: Mapping[str, nn.Module],
    optimizer: torch.optim.Optimizer,
    progress: Progress,
    settings: dict[str, object],
) -> None:
    """Write a checkpoint; the previous one stays until this one is complete.

    Args:
        path: the file.
        networks: by name; their weights are saved in float32.
        optimizer: its state for each parameter is saved.
        progress: of the run.
        settings: those the run started with, compared on resuming.
    """
    tensors = {
        f"{name}.{key}": value
        for name, network in networks.items()
        for key, value in network.state_dict().items()
    }
    for index, state in optimizer.state_dict()["state"].items():
        for key, value in state.items():
            tensors[f"optimizer.{index}.{key}"] = value
    content = save(
        {key: value.detach().cpu().contiguous() for key, value in tensors.items()},
        metadata={
            "progress": json.dumps(asdict(progress)),
            "settings": json.dumps(settings, sort_keys=True),
        },
    )
    replace_file(path, content, makes_folder=True)


def load_checkpoint(
    path: Path,
    networks: Mapping[str, nn.Module],
    optimizer: torch.optim.Optimizer,
    settings: dict[str, object],
    before: Mapping[str, object],
) -> Progress:
    """Restore `networks` and `optimizer` to the state in which the run stopped.

    Args:
        path: the file.
        networks: by name.
        optimizer: of the network that is trained.
        settings: which the run must have been started with.
        before: what settings were in runs that name none, as they were made before
            there were these settings.

    Raises:
        CheckpointError: the file is unreadable, or its run had other settings.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise CheckpointError(
            f"there is no checkpoint {path} to go on from: start without --resume, or "
            "name the run's folder with --run"
        ) from None
    except (OSError, SafetensorError) as error:
        why = str(error).replace(f": {path}", "").replace(f"'{path}'", "it")
        raise CheckpointError(f"cannot read the checkpoint {path}: {why}") from error
    try:
        recorded, progress = (
            _OBJECT.validate_json(metadata[name]) for name in ("settings", "progress")
        )
        going_on = _PROGRESS.validate_python(progress)
    except (KeyError, ValidationError):
        words = f"{path} is not the checkpoint of a training run"
        raise CheckpointError(words) from None
    known = json.loads(json.dumps(dict(before)))
    then: dict[str, object] = with_image_shape(known | recorded)
    now: dict[str, object] = json.loads(json.dumps(settings))
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            further = (
                ". A run goes on as it began: to train its network further, start "
                "another run with --start and this one's folder"
            )
            raise CheckpointError(
                f"{path} was made with {name} {then.get(name)}, not {now.get(name)}"
                + (further if name == "epochs" else "")
            )
    try:
        for name, network in networks.items():
            network.load_state_dict(_under(f"{name}.", tensors))
        _load_optimizer(optimizer, _under("optimizer.", tensors))
    except (RuntimeError, ValueError) as error:
        first = str(error).splitlines()[0]
        raise CheckpointError(f"{path} is damaged: {first}") from None
    return going_on


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        key.removeprefix(prefix): value
        for key, value in tensors.items()
        if key.startswith(prefix)
    }


def _load_optimizer(
    optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]
) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    for parameter, moments in optimizer.state.items():
        for name, value in moments.items():
            if value.shape == parameter.shape:
                # The optimizer creates its state in the parameter's memory layout.
                moments[name] = torch.empty_like(parameter).copy_(value)
