"""Where a training run stands, so that it can be resumed bit for bit.

A checkpoint is one safetensors file: weights, Adam's two moments and, as metadata, how
far the run is. Order and shifts of the images follow from the seed, so no random state
needs keeping.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from model.files import replace_file


class CheckpointError(Exception):
    """A checkpoint that cannot be resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        epoch: the epoch to continue, 0 first.
        batch: the batch of that epoch to continue with, 0 first.
        seconds: training time so far, all sittings together.
    """

    epoch: int = 0
    batch: int = 0
    seconds: float = 0.0


def save_checkpoint(
    path: Path,
    networks: Mapping[str, nn.Module],
    optimizer: torch.optim.Optimizer,
    progress: Progress,
    settings: dict[str, object],
) -> None:
    """Write a checkpoint; the previous one stays whole until this one is.

    Args:
        path: the file.
        networks: by name; their weights are kept in float32.
        optimizer: its state for each parameter is kept.
        progress: how far the run is.
        settings: what the run was started with, compared on resuming.
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
    replace_file(path, content)


def load_checkpoint(
    path: Path,
    networks: Mapping[str, nn.Module],
    optimizer: torch.optim.Optimizer,
    settings: dict[str, object],
) -> Progress:
    """Bring `networks` and `optimizer` to where the run stopped.

    Raises:
        CheckpointError: unreadable, or of a run with other settings.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"cannot read the checkpoint {path}: {error}") from error
    if not {"settings", "progress"} <= metadata.keys():
        raise CheckpointError(f"{path} is not the checkpoint of a training run")
    then: dict[str, object] = json.loads(metadata["settings"])
    now: dict[str, object] = json.loads(json.dumps(settings))
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            raise CheckpointError(
                f"{path} was made with {name} {then.get(name)}, not {now.get(name)}"
            )
    for name, network in networks.items():
        network.load_state_dict(_under(f"{name}.", tensors))
    _load_optimizer(optimizer, _under("optimizer.", tensors))
    return Progress(**json.loads(metadata["progress"]))


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
    for parameter, own in optimizer.state.items():
        for name, value in own.items():
            if value.shape == parameter.shape:
                # In the parameter's own order of memory, as the optimizer made it.
                own[name] = torch.empty_like(parameter).copy_(value)
