"""The engine that runs a CapsNet in torch: the one file where web meets network."""

import logging
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from app.engine import Array, Engine, ModelInfo, Numbers, Question, TensorInfo, Trace
from model.capsnet import CapsNet
from model.capsnet import Trace as NetworkTrace
from model.config import CapsNetConfig
from model.packed import answer_alike, packed
from model.pose_decoder import PoseDecoder
from model.surgery import Surgery
from model.tensors import NamedTensor, named_tensors
from model.weights import ARCHITECTURE, WeightsError, load_weights

__all__ = ["TorchEngine", "WeightsError", "load_engines"]

MAX_ROUTING_ITERATIONS = 10
LARGEST_HALF = torch.finfo(torch.float16).max
SUFFIX = ".safetensors"

log = logging.getLogger(__name__)


class TorchEngine:
    """A CapsNet, answering one request at a time.

    Args:
        id: names the model in addresses.
        network: in evaluation mode.
        card: its card.
    """

    def __init__(self, id: str, network: CapsNet, card: Mapping[str, object]) -> None:
        self._network = _fastest(network)
        self._pose_decoder = PoseDecoder(network.decoder, network.config.classes)
        self._conv1 = network.conv1
        self._primary = _primary_weights(network)
        self._named = named_tensors(network.config)
        # Two forward passes at once only fight over the same cores.
        self._lock = threading.Lock()
        self._info = _describe(id, network, card, self._named)

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        return self._info

    def kernels(self) -> Mapping[str, Array]:
        """Return Conv1's kernels (kernels, rows, columns) and bias (kernels)."""
        conv1 = self._conv1
        if conv1.bias is None:
            raise ValueError("Conv1 needs a bias")
        return {
            # Copies: whoever writes into an answer must not change the network.
            "conv1.kernels": conv1.weight[:, 0].detach().clone().numpy(),
            "conv1.bias": conv1.bias.detach().clone().numpy(),
        }

    def primary_kernels(self, type: int) -> Mapping[str, Numbers]:
        """Return what reads Conv1's maps into the primary capsules of one type."""
        # Copies, as above.
        return {
            name: weights[type].clone().numpy()
            for name, weights in self._primary.items()
        }

    def trace(self, question: Question) -> Trace:
        """Run one forward pass and return the tensors that are asked for."""
        return self.trace_many([question])[0]

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several questions, those of equal iterations in one forward pass."""
        passes: dict[int, list[int]] = defaultdict(list)
        for place, question in enumerate(questions):
            passes[question.iterations].append(place)
        answers: dict[int, Trace] = {}
        for iterations, places in passes.items():
            asked = [questions[place] for place in places]
            answers |= zip(places, self._pass(asked, iterations), strict=True)
        return [answers[place] for place in range(len(questions))]

    @torch.inference_mode()
    def _pass(self, questions: Sequence[Question], iterations: int) -> list[Trace]:
        """Answer questions that all ask for `iterations`."""
        # A copy: an image may be read-only.
        images = torch.from_numpy(np.stack([each.image for each in questions]))
        surgery = _surgery(questions, self._network.config)
        with self._lock:
            trace = self._network(images, iterations=iterations, surgery=surgery)
            return [
                Trace(
                    prediction,
                    {
                        name: self._read(name, trace, place, half=question.half)
                        for name in question.names
                    },
                )
                for place, (question, prediction) in enumerate(
                    zip(questions, trace.lengths.argmax(dim=1).tolist(), strict=True)
                )
            ]

    def _read(
        self, name: str, trace: NetworkTrace, place: int, *, half: bool
    ) -> Numbers:
        named = self._named[name]
        # In order first: turned, its extremes take five times as long to find.
        tensor = named.read(trace, place).contiguous()
        tensor = _halved(tensor) if half and named.is_large else tensor
        return _array(tensor)

    def reconstruct(self, digit: int, poses: Array) -> Array:
        """Decode edited capsules of one class, all other classes masked to zero."""
        if len(poses) == 1:  # a slider's step, which waits for nobody
            return self._pose_decoder.draw(digit, poses[0])[None]
        return self._draw_many(digit, poses)

    @torch.inference_mode()
    def _draw_many(self, digit: int, poses: Array) -> Array:
        keep = torch.full((len(poses),), digit)
        config = self._network.config
        capsules = torch.zeros(len(poses), config.classes, config.digit_dim)
        capsules[:, digit] = torch.tensor(poses)
        with self._lock:
            return self._network.decoder(capsules, keep).numpy()


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
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_load_each, files).result()


def _load_each(files: Sequence[Path]) -> dict[str, Engine]:
    """Load weight files, on a thread that ends.

    Whichever thread computes gets a pool of helpers from OpenMP, which ends with it.
    Beside a second pool the helpers of both sleep between any two operations, and a
    pass takes twice as long: the thread that answers must have the only one.
    """
    return {file.stem: TorchEngine(file.stem, *load_weights(file)) for file in files}


def _describe(
    id: str,
    network: CapsNet,
    card: Mapping[str, object],
    named: Mapping[str, NamedTensor],
) -> ModelInfo:
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
        primary_capsules=config.primary_capsules,
        pose_dim=config.digit_dim,
        parameters=network.parameter_count,
        routing_iterations=config.routing_iterations,
        max_routing_iterations=max(MAX_ROUTING_ITERATIONS, config.routing_iterations),
        tensors=tuple(
            TensorInfo(
                name=name,
                shape=tensor.shape,
                title=tensor.title,
                precision="f16" if tensor.is_large else "f32",
                on_request=tensor.is_optional,
            )
            for name, tensor in named.items()
        ),
        card=card,
    )


def _fastest(network: CapsNet) -> CapsNet:
    """Return the network as inference reads it best, if it still answers the same."""
    fast = packed(network)
    if answer_alike(fast, network):
        return fast
    log.warning("the packed network differs from its weight file's: not used")
    return network


def _primary_weights(network: CapsNet) -> dict[str, Tensor]:
    """Return the weights of the primary convolution, type by type.

    In half precision, as weight files keep them: the packed network has them in a form
    of its own, and once more in single precision they would take twice the memory.
    """
    layer = network.primary
    if layer.convolution.bias is None:
        raise ValueError("the primary convolution needs a bias")
    weights = {
        "primary.kernels": layer.convolution.weight.detach().half(),
        "primary.bias": layer.convolution.bias.detach().clone(),
    }
    return {
        name: channels.unflatten(0, (layer.types, layer.dim))
        for name, channels in weights.items()
    }


def _surgery(questions: Sequence[Question], config: CapsNetConfig) -> Surgery | None:
    """Gather the surgery of a batch; None if none of its images has any."""
    if not any(question.surgery for question in questions):
        return None
    batch, capsules = len(questions), config.primary_capsules
    silenced = torch.zeros(batch, capsules, dtype=torch.bool)
    uniform = torch.zeros(batch, dtype=torch.bool)
    held = torch.full((batch, capsules, config.classes), torch.nan)
    for place, question in enumerate(questions):
        silenced[place, list(question.surgery.silenced)] = True
        uniform[place] = question.surgery.routing == "uniform"
        if pins := question.surgery.pins:
            capsules = [pin.capsule for pin in pins]
            digits = [pin.digit for pin in pins]
            couplings = torch.tensor([pin.coupling for pin in pins])
            held[place, capsules, digits] = couplings
    return Surgery(silenced, uniform, held)


def _halved(tensor: Tensor) -> Tensor:
    """Halve a tensor's precision, unless its values are too large for that."""
    low, high = tensor.aminmax()
    fits = low.item() >= -LARGEST_HALF and high.item() <= LARGEST_HALF
    return tensor.half() if fits else tensor


def _array(tensor: Tensor) -> Numbers:
    """Return an array of a contiguous tensor, with no more memory than it needs."""
    if tensor.untyped_storage().nbytes() > tensor.nbytes:
        # A part of a batch would keep the whole batch alive.
        tensor = tensor.clone()
    return tensor.numpy()
