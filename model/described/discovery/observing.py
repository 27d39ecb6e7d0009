"""One pass of a module, observed: which of its layers reads what which other makes.

Every operation of the pass is seen as PyTorch carries it out, however the module's code
is written. A tensor's *sources* are the nearest layers that it was made of.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from capsnet_explorer.model.described.discovery.answering import paths
from capsnet_explorer.model.described.running.watching import all_tensors

# Operations that apply a matrix to what a linear layer reads.
_PRODUCTS = ("addmm", "mm", "bmm", "linear", "matmul")
_PARAMETERS_OF_THEIR_OWN = (
    nn.modules.conv._ConvNd,
    nn.Linear,
    nn.modules.batchnorm._BatchNorm,
    *(nn.LayerNorm, nn.GroupNorm, nn.Embedding, nn.MultiheadAttention, nn.RNNBase),
)
AXES_OF_MATRICES = 3  # longer than 1 at least, of a W
IMAGE = 0  # the node that the images are


@dataclass(frozen=True, eq=False)
class Node:
    """An operation that a description has a layer for.

    Attributes:
        kind: `image`, `convolution`, `pooling`, `linear`, `grouped` (a convolution of
            another kind than nn.Conv2d, in groups) or `transforms`.
        module: that computes it; None of pooling and transforms.
        reads: numbers of the nodes that what it reads is made of.
        read: the storage of what it reads.
        shape: of what it makes, batch first.
        size: of pooling, the side of its windows.
        parameter: of transforms, the name of the matrices W.
    """

    kind: str
    module: nn.Module | None = None
    reads: frozenset[int] = frozenset()
    read: int = 0
    shape: tuple[int, ...] = ()
    size: int = 0
    parameter: str = ""


@dataclass(frozen=True)
class Softmaxes:
    """Softmaxes of one shape that one part of the module computes.

    Attributes:
        part: its name; "" is the module itself.
        shape: of one of them, batch first.
        axis: that each sums to 1 over.
        count: how many there are: the iterations, if they are those of routing.
        sources: numbers of the nodes that the last was made of.
    """

    part: str
    shape: tuple[int, ...]
    axis: int
    count: int
    sources: frozenset[int]


@dataclass(frozen=True)
class PartOutput:
    """A tensor that a part of the module returned.

    Attributes:
        module: the part, which ran once.
        path: the Python of the tensor in what it `returned`.
        shape: of the tensor.
        storage: where its numbers lie.
        sources: numbers of the nodes that it is made of.
        is_share: whether all numbers are from 0 to 1.
        ended: how many nodes had run when it returned.
    """

    module: nn.Module
    path: str
    shape: tuple[int, ...]
    storage: int
    sources: frozenset[int]
    is_share: bool
    ended: int


@dataclass
class Observation:
    """What a pass shows of a module.

    Attributes:
        output: its answer.
        nodes: in the order in which they ran; the first is the image.
        couplings: softmaxes, in the order in which they began.
        parts: what parts returned, in the order in which they ended.
        calls: how often each part ran.
        counts: how many numbers a node makes in each of its calls, by its number.
        sigmoids: the storages that a sigmoid reads.
    """

    output: Any = None
    nodes: list[Node] = field(default_factory=list)
    counts: defaultdict[int, list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    couplings: list[Softmaxes] = field(default_factory=list)
    parts: list[PartOutput] = field(default_factory=list)
    calls: Counter[nn.Module] = field(default_factory=Counter)
    sigmoids: set[int] = field(default_factory=set)
    sources_of: Callable[[Tensor], frozenset[int]] = lambda _: frozenset()

    def part_before(self, number: int) -> PartOutput | None:
        """Return the part that returned just what a node reads."""
        node = self.nodes[number]
        for part in reversed(self.parts):
            is_before = part.ended <= number
            if is_before and (part.storage, part.sources) == (node.read, node.reads):
                return part
        return None

    @property
    def first_outputs(self) -> dict[nn.Module, PartOutput]:
        """The first tensor that each part returned."""
        return {part.module: part for part in reversed(self.parts)}

    def below(self, numbers: Iterable[int]) -> set[int]:
        """Return the nodes that these are made of, themselves included."""
        known: set[int] = set()
        waiting = [*numbers]
        while waiting:
            number = waiting.pop()
            if number not in known:
                known.add(number)
                waiting += self.nodes[number].reads
        return known


def observe(
    module: nn.Module, images: Tensor, call: Callable[[Any, Tensor], Any] | None
) -> Observation:
    """Run a module once, without gradients, and note what its layers read and make.

    Args:
        module: in the mode that it is to run in.
        images: (batch, channels, rows, columns), as the module reads them.
        call: runs the module; None calls it with the images alone.
    """
    recorder = _Recorder(module, images)
    with torch.no_grad(), ExitStack() as hooks:
        for part in module.modules():
            if isinstance(part, torch.jit.ScriptModule):
                continue  # runs without Python, and calls no hook
            enter, leave = recorder.entering, recorder.leaving
            hooks.callback(part.register_forward_pre_hook(enter).remove)
            hooks.callback(part.register_forward_hook(leave).remove)
        with recorder:
            output = module(images) if call is None else call(module, images)
    return recorder.result(output)


class _Recorder(TorchDispatchMode):
    def __init__(self, module: nn.Module, images: Tensor) -> None:
        super().__init__()
        self.observation = Observation(nodes=[Node("image", shape=tuple(images.shape))])
        self.names = {part: name for name, part in module.named_modules()}
        self.layer_of: dict[int, nn.Module] = {}
        self.matrices: dict[int, frozenset[str]] = {}
        for owner, prefix in self.names.items():
            if isinstance(module, torch.jit.ScriptModule):
                break  # its parts cannot be described
            for name, parameter in owner.named_parameters(recurse=False):
                if name == "weight" and _kind_of(owner):
                    self.layer_of[_storage(parameter)] = owner
                elif not isinstance(owner, _PARAMETERS_OF_THEIR_OWN):
                    full = f"{prefix}.{name}" if prefix else name
                    self.matrices[_storage(parameter)] = frozenset([full])
        self.axes = {
            name: sum(length > 1 for length in parameter.shape)
            for name, parameter in module.named_parameters()
        }
        self.sources = {_storage(images): frozenset([IMAGE])}
        self.within: list[nn.Module] = []
        self.softmaxes: dict[tuple, list[frozenset[int]]] = {}
        self.alive: list[Any] = [images]  # so that no storage is used twice

    def __torch_dispatch__(
        self,
        operation: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        result = operation(*args, **(kwargs or {}))
        self._note(operation._schema.name.removeprefix("aten::"), args, result)
        self.alive.append(result)
        return result

    def _note(self, name: str, args: tuple[Any, ...], result: Any) -> None:
        read = [*all_tensors(args)]
        sources = frozenset().union(*map(self._sources, read))
        matrices = frozenset().union(*map(self._matrices, read))
        if (
            node := self._node(name, args, read, sources, matrices, result)
        ) is not None:
            number = self._number(node)
            sources = frozenset([number])
            self.observation.counts[number].append(next(all_tensors(result)).numel())
        if name == "sigmoid":
            self.observation.sigmoids.add(_storage(read[0]))
        if name == "_softmax":
            part = self.names.get(self.within[-1], "") if self.within else ""
            key = (part, tuple(result.shape), args[1] % result.ndim)
            self.softmaxes.setdefault(key, []).append(sources)
        is_in_place = name.endswith("_") and bool(read)
        for tensor in [*all_tensors(result), *(read[:1] if is_in_place else [])]:
            storage = _storage(tensor)
            self.sources[storage] = self._sources(tensor) | sources
            if node is not None and not is_in_place:
                self.sources[storage] = sources
            if not sources:
                self.matrices[storage] = self._matrices(tensor) | matrices

    def _node(
        self,
        name: str,
        args: tuple[Any, ...],
        read: list[Tensor],
        sources: frozenset[int],
        matrices: frozenset[str],
        result: Any,
    ) -> Node | None:
        """Return the node that an operation is; None of all others."""
        if not sources:
            return None
        if "convolution" in name or name in _PRODUCTS:
            layers = map(self.layer_of.get, map(_storage, read))
            if (layer := next(filter(None, layers), None)) is not None:
                kind, storage = _kind_of(layer), self._read(read)
                return Node(kind, layer, sources, storage, _shape(result))
        if name.startswith(("max_pool2d", "avg_pool2d")) and (side := _side(args)):
            shape, storage = _shape(result), _storage(read[0])
            return Node("pooling", None, sources, storage, shape, side)
        for matrix in sorted(matrices):
            if self.axes.get(matrix, 0) >= AXES_OF_MATRICES:
                kind, storage = "transforms", self._read(read)
                return Node(
                    kind, None, sources, storage, _shape(result), parameter=matrix
                )
        return None

    def _number(self, node: Node) -> int:
        """Return a node's number: one W may be applied class by class."""
        for number, other in enumerate(self.observation.nodes):
            if node.parameter and (node.parameter, node.reads) == (
                *(other.parameter, other.reads),
            ):
                return number
        self.observation.nodes.append(node)
        return len(self.observation.nodes) - 1

    def _read(self, tensors: list[Tensor]) -> int:
        """Return the storage of the first tensor that is made of the image."""
        return next(
            (_storage(tensor) for tensor in tensors if self._sources(tensor)), 0
        )

    def _sources(self, tensor: Tensor) -> frozenset[int]:
        return self.sources.get(_storage(tensor), frozenset())

    def _matrices(self, tensor: Tensor) -> frozenset[str]:
        return self.matrices.get(_storage(tensor), frozenset())

    # Parts.

    def entering(self, part: nn.Module, _arguments: Any) -> None:
        self.within.append(part)

    def leaving(self, part: nn.Module, _arguments: Any, returned: Any) -> None:
        self.within.pop()
        self.observation.calls[part] += 1
        returned_ids = {id(tensor) for tensor in all_tensors(returned)}
        for tensor, path in paths(returned, "returned"):
            # Of what other objects hold, `Values` shows nothing.
            if id(tensor) not in returned_ids or not tensor.is_floating_point():
                continue
            with _disable_current_modes():
                is_share = bool(((tensor >= 0) & (tensor <= 1)).all())
            self.observation.parts.append(
                PartOutput(
                    *(part, path, tuple(tensor.shape), _storage(tensor)),
                    *(self._sources(tensor), is_share, len(self.observation.nodes)),
                )
            )

    def result(self, output: Any) -> Observation:
        observation = self.observation
        observation.output = output
        observation.couplings = [
            Softmaxes(part, shape, axis, len(several), several[-1])
            for (part, shape, axis), several in self.softmaxes.items()
        ]
        observation.parts = [
            part for part in observation.parts if observation.calls[part.module] == 1
        ]
        observation.sources_of = self._sources
        return observation


def _kind_of(layer: nn.Module) -> str:
    """Return the kind of node that a layer is; "" of all others."""
    if isinstance(layer, nn.Conv2d | nn.Linear):
        return "linear" if isinstance(layer, nn.Linear) else "convolution"
    is_grouped = isinstance(layer, nn.modules.conv._ConvNd) and layer.groups > 1
    return "grouped" if is_grouped else ""


def _storage(tensor: Tensor) -> int:
    try:
        return tensor.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError):  # sparse tensors have none
        return 0


def _shape(result: Any) -> tuple[int, ...]:
    return tuple(next(all_tensors(result)).shape)


def _side(args: tuple[Any, ...]) -> int:
    """Return the side of pooling's windows; 0 if they overlap or have a margin."""
    size, step, margin = (*args[1:4], *([],) * (4 - len(args)))[:3]
    sides = {*size, *(step or size)}
    return sides.pop() if len(sides) == 1 and not any(margin or [0]) else 0
