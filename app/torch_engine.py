"""The engine that runs a CapsNet in torch: the one file where web meets network."""

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from app.engine import Array, Engine, ModelInfo, TensorInfo, Trace
from model.capsnet import CapsNet
from model.capsnet import Trace as NetworkTrace
from model.config import CapsNetConfig
from model.weights import ARCHITECTURE, WeightsError, load_weights

__all__ = ["TorchEngine", "WeightsError", "load_engines"]

MAX_ROUTING_ITERATIONS = 10
SUFFIX = ".safetensors"


class TorchEngine:
    """A CapsNet, answering one request at a time.

    Args:
        id: names the model in addresses.
        network: in evaluation mode.
        card: its card.
    """

    def __init__(self, id: str, network: CapsNet, card: Mapping[str, object]) -> None:
        self._network = network
        # Two forward passes at once only fight over the same cores.
        self._lock = threading.Lock()
        self._info = _describe(id, network, card)

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        return self._info

    def kernels(self) -> Mapping[str, Array]:
        """Return Conv1's kernels (kernels, rows, columns) and bias (kernels)."""
        conv1 = self._network.conv1
        if conv1.bias is None:
            raise ValueError("Conv1 needs a bias")
        return {
            # Copies: whoever writes into an answer must not change the network.
            "conv1.kernels": _array(conv1.weight[:, 0].clone()),
            "conv1.bias": _array(conv1.bias.clone()),
        }

    @torch.inference_mode()
    def trace(self, image: Array, iterations: int, names: Collection[str]) -> Trace:
        """Run one forward pass and return the tensors in `names`."""
        images = torch.tensor(image)[None]  # a copy: `image` may be read-only
        with self._lock:
            trace = self._network(images, iterations=iterations)
            tensors = {name: _array(_TENSORS[name].read(trace)) for name in names}
        return Trace(int(trace.lengths[0].argmax()), tensors)

    @torch.inference_mode()
    def reconstruct(self, digit: int, poses: Array) -> Array:
        """Decode edited capsules of one class, all other classes masked to zero."""
        keep = torch.full((len(poses),), digit)
        config = self._network.config
        capsules = torch.zeros(len(poses), config.classes, config.digit_dim)
        capsules[:, digit] = torch.tensor(poses)
        with self._lock:
            return _array(self._network.decoder(capsules, keep))


def load_engines(weights: Path) -> dict[str, Engine]:
    """Load one weight file, or every one in a folder; the first is the default.

    Raises:
        WeightsError: nothing there, or something that cannot be used.
    """
    if weights.is_dir():
        try:
            files = sorted(weights.glob(f"*{SUFFIX}"))
        except OSError as error:
            raise WeightsError(
                f"cannot read the folder {weights}: {error.strerror}"
            ) from error
        if not files:
            raise WeightsError(f"the folder {weights} holds no {SUFFIX} file")
    else:
        files = [weights]
    return {file.stem: TorchEngine(file.stem, *load_weights(file)) for file in files}


@dataclass(frozen=True, slots=True)
class _Readable:
    """A tensor of the trace: how it is described, and how it is read."""

    title: str
    shape: Callable[[CapsNetConfig], tuple[int, ...]]
    read: Callable[[NetworkTrace], Tensor]
    large: bool = True
    on_request: bool = False


def _grid(config: CapsNetConfig) -> tuple[int, int, int]:
    return (config.primary_types, config.primary_size, config.primary_size)


def _maps(config: CapsNetConfig) -> tuple[int, int, int]:
    return (config.conv1_kernels, config.conv1_size, config.conv1_size)


def _poses(config: CapsNetConfig) -> tuple[int, ...]:
    return (*_grid(config), config.primary_dim)


def _routing(config: CapsNetConfig) -> tuple[int, ...]:
    return (config.routing_iterations, *_grid(config), config.classes)


def _over_iterations(trace: NetworkTrace, name: str) -> Tensor:
    """Stack one routing array over the iterations, on the grid of the capsules below.

    Primary capsule i stands at [type, row, column] in the order in which the grid was
    flattened before routing.
    """
    grid = trace.primary_capsules.shape[1:4]
    return torch.stack([getattr(step, name)[0] for step in trace.steps]).unflatten(
        1, grid
    )


_TENSORS: dict[str, _Readable] = {
    "conv1.pre": _Readable("Conv1 maps before ReLU", _maps, lambda t: t.conv1_pre[0]),
    "conv1.relu": _Readable("Conv1 maps after ReLU", _maps, lambda t: t.conv1_relu[0]),
    "primary.pre": _Readable(
        "primary capsules before squash", _poses, lambda t: t.primary_pre[0]
    ),
    "primary.capsules": _Readable(
        "primary capsules u, after squash", _poses, lambda t: t.primary_capsules[0]
    ),
    "primary.lengths": _Readable(
        "lengths of the primary capsules",
        _grid,
        lambda t: t.primary_capsules[0].norm(dim=-1),
    ),
    "routing.logits": _Readable(
        "routing logits b, as each iteration found them",
        _routing,
        lambda t: _over_iterations(t, "logits"),
    ),
    "routing.couplings": _Readable(
        "couplings c; they sum to 1 over the digits",
        _routing,
        lambda t: _over_iterations(t, "couplings"),
    ),
    "routing.agreement": _Readable(
        "agreement û·v after each iteration",
        _routing,
        lambda t: _over_iterations(t, "agreement"),
    ),
    "routing.capsules": _Readable(
        "digit capsules v after each iteration",
        lambda c: (c.routing_iterations, c.classes, c.digit_dim),
        lambda t: torch.stack([step.capsules[0] for step in t.steps]),
        large=False,
    ),
    "digits.capsules": _Readable(
        "digit capsules v, the output",
        lambda c: (c.classes, c.digit_dim),
        lambda t: t.capsules[0],
        large=False,
    ),
    "digits.lengths": _Readable(
        "lengths of the digit capsules: presence of each class",
        lambda c: (c.classes,),
        lambda t: t.lengths[0],
        large=False,
    ),
    "reconstruction": _Readable(
        "image decoded from the longest digit capsule",
        lambda c: (c.image_size, c.image_size),
        lambda t: t.reconstruction[0],
        large=False,
    ),
    "votes": _Readable(
        "votes û of each primary capsule for each digit capsule",
        lambda c: (*_grid(c), c.classes, c.digit_dim),
        lambda t: t.votes.formed[0].unflatten(0, t.primary_capsules.shape[1:4]),
        on_request=True,
    ),
}


def _describe(id: str, network: CapsNet, card: Mapping[str, object]) -> ModelInfo:
    config = network.config
    names = card.get("class_names")
    if not isinstance(names, list) or len(names) != config.classes:
        names = [str(number) for number in range(config.classes)]
    return ModelInfo(
        id=id,
        title=str(card.get("title", id)),
        architecture=ARCHITECTURE,
        version=str(card["sha256"])[:16],
        classes=config.classes,
        class_names=tuple(str(name) for name in names),
        input_shape=(config.image_size, config.image_size),
        pose_dim=config.digit_dim,
        parameters=network.parameter_count,
        routing_iterations=config.routing_iterations,
        max_routing_iterations=max(MAX_ROUTING_ITERATIONS, config.routing_iterations),
        tensors=tuple(
            TensorInfo(
                name=name,
                shape=tensor.shape(config),
                title=tensor.title,
                precision="f16" if tensor.large else "f32",
                on_request=tensor.on_request,
            )
            for name, tensor in _TENSORS.items()
        ),
        card=card,
    )


def _array(tensor: Tensor) -> Array:
    return np.ascontiguousarray(tensor.detach().numpy(), dtype=np.float32)
