"""The engine that runs a network in torch: the one file where web meets network."""

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import orjson
import torch
from torch import Tensor

from capsnet_explorer.app.engines.facts import (
    Abilities,
    ModelInfo,
    Presence,
    TensorInfo,
    WeightInfo,
)
from capsnet_explorer.app.engines.heap import give_memory_back
from capsnet_explorer.app.engines.memory import Held, Memory, process_memory
from capsnet_explorer.app.engines.protocol import (
    Array,
    Attacked,
    AttackQuestion,
    Engine,
    GradientThrough,
    LacksOperator,
    Numbers,
    Options,
    Question,
    Trace,
    pictured,
)
from capsnet_explorer.app.errors import DamagedFile, InvalidRequest
from capsnet_explorer.model.answer import said_by
from capsnet_explorer.model.architecture import (
    Network,
    OptionsError,
    Serving,
)
from capsnet_explorer.model.described.files import open_networks
from capsnet_explorer.model.described.mine import Mine
from capsnet_explorer.model.device import single_thread
from capsnet_explorer.model.doubts import doubts_about
from capsnet_explorer.model.layers.description import DescriptionError
from capsnet_explorer.model.layers.maps import picture_shape
from capsnet_explorer.model.measured import load_measured, version_of
from capsnet_explorer.model.slopes import slopes
from capsnet_explorer.model.weights import Trained, WeightsError, load_weights
from capsnet_explorer.perturbations.attack import Loss, Slope

__all__ = [
    "TorchEngine",
    "WeightsError",
    "described_engines",
    "load_engine",
    "load_engines",
    "single_thread",
]

LARGEST_HALF = torch.finfo(torch.float16).max
# Halves keep three digits of a thirtieth of this, and fewer of anything smaller.
SMALLEST_HALF = 32 * torch.finfo(torch.float16).tiny
SUFFIX = ".safetensors"
FIRST = "capsnet-mnist"  # of the networks in a folder
INPUT = "input"  # a tensor of every trace, whatever the network
MEASURED = "measured."  # before the names of measured tensors
BYTES = 4  # of a number in memory

Answer = TypeVar("Answer")


class TorchEngine:
    """A network of any architecture, answering one request at a time.

    Args:
        id: names the model in addresses.
        trained: the network and its card.
        source: the weight file, read again whenever the network, or a copy of it, is
            needed and not in memory.
        memory: decides what stays there; None takes that of the process.
    """

    def __init__(
        self, id: str, trained: Trained, source: Path, memory: Memory | None = None
    ) -> None:
        memory = process_memory() if memory is None else memory
        measured = load_measured(source, trained.card["sha256"])
        self._architecture = trained.architecture
        self._config = trained.network.config
        self._named = trained.architecture.tensors(self._config)
        self._rule = trained.rule
        self._outliers = trained.card.get("outliers")
        self._usual = self._architecture.options(self._config, {})
        self._source = source
        self._info = _describe(id, trained, measured)
        # Two forward passes at once only fight over the same cores.
        self._lock = threading.Lock()
        self._given: Network | None = trained.network
        size = trained.network.parameter_count * BYTES
        self._served = Held(self._serve, size, memory)
        self._read_again = Held(self._load_again, size, memory)
        size = sum(tensor.nbytes for tensor in measured.values())
        self._measured = Held(self._load_measured, size, memory)

    def release(self) -> None:
        """Forget the network that was given, until it is needed."""
        self._given = None

    def load(self) -> None:
        """Have the network in memory, before anybody asks it."""
        self._served.get()

    def _serve(self) -> tuple[Serving, Mapping[str, Callable[[], Tensor]]]:
        """Return the network as it answers, and what it reads of weights at once."""

        def served() -> tuple[Serving, Mapping[str, Callable[[], Tensor]]]:
            network = self._load_again() if self._given is None else self._given
            serving = self._architecture.serving(network)
            often_read = serving.weights()
            names = [*network.state_dict(), *often_read]
            try:
                self._architecture.described(self._config, names)
            except ValueError as error:
                raise DamagedFile(f"{self._info.id} cannot be used: {error}") from None
            return serving, often_read

        return on_a_thread_that_ends(served)

    @property
    def _serving(self) -> Serving:
        return self._served.get()[0]

    @property
    def info(self) -> ModelInfo:
        """Describe the model."""
        return self._info

    def options(self, choices: Mapping[str, Any]) -> Options:
        """Check what a request asks beyond its image."""
        try:
            return self._architecture.options(self._config, choices)
        except OptionsError as error:
            raise InvalidRequest(str(error), field=error.field) from None

    def weights(self, names: Sequence[str]) -> Mapping[str, Numbers]:
        """Return trained weights by name, as copies."""
        return {name: self._weight(name) for name in names}

    def _weight(self, name: str) -> Numbers:
        measured = name.removeprefix(MEASURED)
        if any(tensor.name == measured != name for tensor in self._info.measured):
            return self._measured.get()[measured].clone().numpy()
        _, often_read = self._served.get()
        if name in often_read:
            return often_read[name]().numpy()
        if all(tensor.name != name for tensor in self._info.weights):
            raise KeyError(name)
        tensor = self._read_again.get().state_dict()[name].detach().cpu().clone()
        return (tensor.float() if tensor.is_floating_point() else tensor).numpy()

    def _load_measured(self) -> Mapping[str, Tensor]:
        measured = load_measured(self._source, self._info.card["sha256"])
        if version_of(measured) != self._info.measured_version:
            raise DamagedFile(
                f"the tensors measured on {self._info.id} must be as they were loaded: "
                "put their file back, or start the server again"
            )
        return measured

    def _load_again(self) -> Network:
        """The network as it was trained: serving may have repacked the other one."""
        again = "start the server again"
        try:
            trained = load_weights(self._source)
        except WeightsError as error:
            words = _without_folder(error, self._source)
            raise DamagedFile(
                f"the weight file of {self._info.id} must be as it was loaded: "
                f"{words}; put it back, or {again}"
            ) from None
        if trained.card["sha256"] != self._info.card["sha256"]:
            raise DamagedFile(
                f"the weight file of {self._info.id} must be the one that was loaded, "
                f"got another one: {again}"
            )
        return trained.network.requires_grad_(False)

    def trace(self, question: Question) -> Trace:
        """Run one forward pass and return the tensors that are asked for."""
        return self.trace_many([question])[0]

    def trace_many(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer several questions, those that can share a forward pass in one."""
        passes: dict[Hashable, list[int]] = defaultdict(list)
        for index, question in enumerate(questions):
            passes[self._architecture.pass_key(question.options)].append(index)
        answers: dict[int, Trace] = {}
        for places in passes.values():
            group = [questions[index] for index in places]
            answers |= zip(places, self._pass(group), strict=True)
        return [answers[index] for index in range(len(questions))]

    @torch.inference_mode()
    def _pass(self, questions: Sequence[Question]) -> list[Trace]:
        """Answer questions whose options can share a forward pass."""
        # A copy: an image may be read-only.
        images = torch.from_numpy(np.stack([question.image for question in questions]))
        serving = self._serving
        with self._lock:
            trace = serving.run(images, [question.options for question in questions])
            predictions = trace.scores.argmax(dim=1).tolist()
            named = self._rule.named(trace.scores)
            return [
                Trace(
                    predictions[index],
                    {
                        name: self._read(name, question, trace, index)
                        for name in question.names
                    },
                    named[index],
                    self._doubts(question, trace, index),
                )
                for index, question in enumerate(questions)
            ]

    def _doubts(self, question: Question, trace: Any, index: int) -> tuple[str, ...]:
        drawn = trace.reconstruction if self._info.can.reconstruct else None
        return tuple(
            doubts_about(
                torch.tensor(question.image)[None],
                trace.scores[index : index + 1],
                None if drawn is None else drawn[index : index + 1],
                score_name=self._info.scores,
                said=said_by(
                    trace.scores[index].numpy(),
                    self._info.scores,
                    self._rule,
                    self._info.card,
                ),
                outliers=self._outliers if question.options == self._usual else None,
            )
        )

    def _read(self, name: str, question: Question, trace: Any, index: int) -> Numbers:
        if name == INPUT:
            return pictured(question.image).copy()
        named = self._named[name]
        # In order first: turned, its extremes take five times as long to find.
        tensor = named.read(trace, index).contiguous()
        tensor = _halve(tensor) if question.half and named.is_large else tensor
        return _array(tensor)

    def reconstruct(self, label: int, poses: Array) -> Array:
        """Decode edited poses of one class."""
        if len(poses) == 1:  # a slider's step, which waits for nobody
            return self._decoded(label, poses)
        with self._lock:
            return self._decoded(label, poses)

    def _decoded(self, label: int, poses: Array) -> Array:
        with torch.no_grad():  # entering inference mode costs a tenth of a lone decode
            return self._serving.reconstruct(label, torch.tensor(poses)).numpy()

    def gradient(
        self,
        images: Array,
        labels: Sequence[int],
        *,
        of: Loss = "gap",
        through: GradientThrough = "full",
    ) -> Slope:
        """Return a loss of each image, and its gradient."""
        # Not the network that serves: it has no gradients.
        network = (self._architecture, self._read_again.get(), torch.tensor(images))
        through_all = through == "full"
        with self._lock:
            slope = slopes(
                *network,
                torch.tensor(labels),
                of=of,
                trained=self._loss,
                through_all=through_all,
            )
        return Slope(slope.values.numpy(), slope.gradients.numpy())

    def exported(self, *, half: bool = False) -> Mapping[str, bytes]:
        """Return the network as ONNX graphs, and the weight file that they read."""
        # Imported here: servers need no onnx.
        from capsnet_explorer.model.exporting import operators, weights
        from capsnet_explorer.model.exporting.graphs import graphs_of

        network = self._load_again().eval()
        try:
            graphs = graphs_of(self._architecture, network, [*self._named])
        except operators.LacksOperator as error:
            raise LacksOperator(str(error), error.operator) from None
        is_rounded = half and weights.halve(graphs.values())
        is_stored = self._source.suffix == SUFFIX and not is_rounded
        stored = (
            self._source.read_bytes()
            if is_stored
            else weights.weights_of([*graphs.values()], network.state_dict())
        )
        return {f"{self._info.id}{SUFFIX}": stored, **self._files(graphs, stored)}

    def exported_gradient(
        self, stored: bytes, *, half: bool = False
    ) -> Mapping[str, bytes]:
        """Return what attacks follow as ONNX graphs."""
        from capsnet_explorer.model.exporting import weights
        from capsnet_explorer.model.exporting.graphs import gradient_graphs

        network = self._load_again().eval()
        graphs = gradient_graphs(self._architecture, network, self._loss)
        if half:
            weights.halve(graphs.values())
        return self._files(graphs, stored)

    def _files(self, graphs: Mapping[str, Any], stored: bytes) -> dict[str, bytes]:
        from capsnet_explorer.model.exporting import weights
        from capsnet_explorer.model.exporting.feeding import FED

        id = self._info.id
        return {
            f"{id}.{name}.onnx": weights.stripped(graph)
            if name.endswith(FED)
            else weights.outside(graph, stored, f"{id}{SUFFIX}")
            for name, graph in graphs.items()
        }

    def attack(self, question: AttackQuestion) -> Attacked:
        """Change an image so that it is misread, and run the changed images."""
        return question.answer(self.gradient, self.trace_many)

    @property
    def _loss(self) -> Any:
        return self._architecture.settings.loss(**self._info.card.get("loss", {}))


class Engines(dict[str, Engine]):
    """Engines by id.

    Attributes:
        refused: why further files cannot be used, by id.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: dict[str, str] = {}


def load_engines(weights: Path, *, at_once: bool = False) -> Engines:
    """Check one weight file, or every one in a folder; the first is the default.

    Files come in the order of their names, after the project's own CapsNet for digits.
    One that cannot be used keeps no other from being used. Networks are in memory once
    they are needed.

    Args:
        weights: the file or folder.
        at_once: have all networks in memory now, for processes forked from this one.

    Raises:
        WeightsError: nothing there that can be used.
    """
    if weights.is_dir():
        try:
            files = sorted(
                weights.glob(f"*{SUFFIX}"),
                key=lambda file: (file.stem != FIRST, file.stem),
            )
        except OSError as error:
            raise WeightsError(
                f"cannot read the folder {weights}: {error.strerror}"
            ) from error
        if not files:
            raise WeightsError(f"the folder {weights} holds no {SUFFIX} file")
    else:
        files = [weights]
    engines = Engines()
    problem: WeightsError | None = None
    for file in files:
        try:
            engines[file.stem] = _load(file.stem, file, at_once=at_once)
        except WeightsError as error:
            problem = problem or error
            engines.refused[file.stem] = _without_folder(error, file)
    if problem is not None and not engines:
        raise problem
    return engines


class DescribedEngine(TorchEngine):
    """A module that its owner has described: it is served as it is, and not loaded.

    Args:
        mine: the described network.
    """

    def __init__(self, mine: Mine) -> None:
        self._own = mine.trained.network
        labels = None if mine.labels is None else mine.labels.numpy()
        self.own_images = (mine.pictures, labels)
        super().__init__(mine.name, mine.trained, Path(mine.name))

    def _load_again(self) -> Network:
        return self._own


def described_engines(networks: Iterable[Mine]) -> dict[str, Engine]:
    """Return the engines of described networks, by their names."""
    return {mine.name: DescribedEngine(mine) for mine in networks}


def open_described(engines: Engines, files: Sequence[Path]) -> dict[str, str]:
    """Add the networks of files and packages before others; the first is the default.

    Args:
        engines: those that are there; what cannot be used is added to their `refused`.
        files: Python files that call `describe`.

    Returns:
        The tracebacks of what could not be opened, by its name.
    """
    opened = open_networks(files, [*engines])
    give_memory_back()
    others = dict(engines)
    engines.clear()
    engines |= described_engines(opened.networks.values()) | others
    engines.refused |= opened.refused
    return opened.traces


def load_engine(id: str, weights: Path) -> Engine:
    """Load one weight file, under a name of its own.

    Raises:
        DamagedFile: it cannot be used.
    """
    try:
        return _load(id, weights)
    except WeightsError as error:
        words = _without_folder(error, weights)
        raise DamagedFile(f"{id} cannot be used: {words}") from None


def pupils(folder: Path) -> tuple[dict[str, TorchEngine], dict[str, bytes]]:
    """Return networks as they learn symbols in a page, and what teaches them there.

    Args:
        folder: where the networks are written: `symbols-N`, of N classes. Their numbers
            mean nothing, and no two tensors have the same.

    Returns:
        The engines by id, the last has the most classes. And files by name:
        `symbols.step.onnx` and `symbols.warp.onnx`, and `symbols.json`, which tells how
        they are fed: see `model/exporting/learning.py`.

    Raises:
        ImportError: a package is missing that servers need not have.
    """
    from capsnet_explorer.model.exporting import learning
    from capsnet_explorer.model.exporting.weights import stripped

    graphs, plan = learning.lesson()
    engines = {}
    for count in plan["sizes"]:
        file = folder / f"symbols-{count}{SUFFIX}"
        learning.write_example(file, int(count))
        engines[file.stem] = TorchEngine(file.stem, load_weights(file), file)
    files = {f"symbols.{name}.onnx": stripped(graph) for name, graph in graphs.items()}
    return engines, {**files, "symbols.json": orjson.dumps(plan)}


def on_a_thread_that_ends(compute: Callable[[], Answer]) -> Answer:
    """Compute with torch where that leaves nothing behind.

    Whichever thread computes gets a pool of helpers from OpenMP, which ends with it.
    Beside a second pool the helpers of both sleep between any two operations, and a
    pass takes twice as long: the thread that answers must have the only one.
    """
    with ThreadPoolExecutor(1) as thread:
        result = thread.submit(compute).result()
    give_memory_back()
    return result


def _load(id: str, weights: Path, *, at_once: bool = False) -> Engine:
    try:
        trained = on_a_thread_that_ends(lambda: load_weights(weights, only_check=True))
        orjson.dumps(trained.card)  # as it will be sent
        engine = TorchEngine(id, trained, weights)
        engine.release()
        if at_once:
            engine.load()
        return engine
    except WeightsError:
        raise
    except DescriptionError as error:
        raise WeightsError(f"{weights} cannot be shown: {error}") from error
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        # A card of another program, or of another version of this one.
        raise WeightsError(
            f"{weights} and its card do not go together: {error}"
        ) from error


def _without_folder(error: WeightsError, weights: Path) -> str:
    """Return what is said of a weight file; where it stands is nobody's business."""
    return str(error).replace(f"{weights.parent}{os.sep}", "")


def _describe(
    id: str,
    trained: Trained,
    measured: Mapping[str, Tensor],
) -> ModelInfo:
    architecture, network, card = trained.architecture, trained.network, trained.card
    config = network.config
    return ModelInfo(
        id=id,
        title=str(card.get("title", id)),
        architecture=architecture.name,
        version=str(card["sha256"])[:16],
        scores=architecture.scores,
        can=Abilities(**asdict(trained.can)),
        classes=config.classes,
        class_names=trained.class_names,
        input_shape=config.image_shape,
        present=Presence(**asdict(trained.rule)),
        paper=architecture.paper or None,
        layers=tuple(trained.layers),
        kernels=architecture.kernels,
        parameters=trained.parameter_count,
        details=architecture.details(config),
        tensors=(
            *(
                TensorInfo(
                    name=name,
                    shape=tensor.shape,
                    title=tensor.title,
                    precision="f16" if tensor.is_large else "f32",
                    on_request=tensor.is_optional,
                )
                for name, tensor in trained.tensors.items()
            ),
            TensorInfo(
                name=INPUT,
                shape=picture_shape(config.image_shape),
                title="the image as it was sent: 0 is ground, 1 is ink",
                precision="f32",
                on_request=True,  # whoever asks has it
            ),
        ),
        weights=_infos(network.state_dict()),
        card=card,
        measured=_infos(measured),
        measured_version=version_of(measured),
    )


def _infos(tensors: Mapping[str, Tensor]) -> tuple[WeightInfo, ...]:
    return tuple(WeightInfo(name, tuple(part.shape)) for name, part in tensors.items())


def _halve(tensor: Tensor) -> Tensor:
    """Halve a tensor's precision, unless its values are too large or too small."""
    low, high = (extreme.item() for extreme in tensor.aminmax())
    largest = max(-low, high)
    fits = largest == 0 or SMALLEST_HALF <= largest <= LARGEST_HALF
    return tensor.half() if fits else tensor


def _array(tensor: Tensor) -> Numbers:
    """Return an array of a contiguous tensor, with no more memory than it needs."""
    if tensor.untyped_storage().nbytes() > tensor.nbytes:
        # A part of a batch would keep the whole batch alive.
        tensor = tensor.clone()
    return tensor.numpy()
