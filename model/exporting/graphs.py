"""A network as ONNX graphs: one for every tensor of a trace, one for its decoder.

There are two of each: with the network's own weights, which a runtime prepares once,
and with weights as inputs (`feeding.py`).

The graphs are taken from the very code that is trained and served: `forward`, and the
functions by which `Architecture.tensors` reads a trace.
"""

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import signature
from types import MappingProxyType
from typing import Any
from unittest import mock

import onnx
import torch
from torch import Tensor, nn
from torch.onnx import OnnxExporterError

from capsnet_explorer.model.architecture import Architecture, Network
from capsnet_explorer.model.described.network import Described
from capsnet_explorer.model.exporting.feeding import FED, WEIGHTS, fed, with_weights
from capsnet_explorer.model.exporting.gradient import BACKWARD, OUTPUTS, gradient_of
from capsnet_explorer.model.exporting.operators import LacksOperator, operator_lacking
from capsnet_explorer.model.exporting.tracing import graph_of
from capsnet_explorer.model.layers.em import RoutingStep, em_routing
from capsnet_explorer.model.layers.surgery import Surgery
from capsnet_explorer.model.surgery import max_iterations

READING, DRAWING, GRADIENT = "reading", "drawing", "gradient"
EM = "capsnet_explorer.model.matrix.layers.em_routing"
MOST_PLACES = 64  # of a convolution that is one product of matrices
LEAST_WEIGHTS = 1_000_000  # of such a one: fewer are fast as they are
MOST_FOLDED = 2048  # numbers of a gradient's constants: larger ones are made anew
_convolved = nn.Conv2d.forward


@dataclass(frozen=True)
class UncheckedSurgery(Surgery):
    """Surgery whose values are not known yet."""

    def __post_init__(self) -> None:
        """Check nothing."""

    def to(self, device: torch.device) -> Surgery:
        """Return it as it is: a graph knows no devices."""
        return self


@dataclass(frozen=True)
class StoppedSurgery(UncheckedSurgery):
    """Surgery of one image, and routing that stands still after some iterations.

    A graph has a fixed number of iterations. What agreement adds to the logits is 0
    from the last one that is asked for, so that all later ones repeat it.

    Attributes:
        iterations: (), how many to route for.
        gains: what has been called so far, a 1 for each iteration.
    """

    iterations: Tensor
    gains: list[int] = field(default_factory=list)

    def logit_gain(self, agreement: Tensor) -> Tensor:
        """Return the increase of the logits; 0 after the last iteration asked for."""
        self.gains.append(1)
        gain = super().logit_gain(agreement)
        return gain * (self.iterations > len(self.gains)).to(gain.dtype)


class Reading(nn.Module):
    """From one image, and what a request changes in the pass, to named tensors.

    Args:
        architecture: of the network.
        network: in evaluation mode.
        names: of the tensors, in their order.
        most: the number of iterations that the graph holds; 0 for one without.
    """

    def __init__(
        self,
        architecture: Architecture,
        network: Network,
        names: Sequence[str],
        most: int,
    ) -> None:
        super().__init__()
        self.network = network
        known = architecture.tensors(network.config)
        self._reads = [known[name].read for name in names]
        self._most = most

    def forward(self, image: Tensor, *options: Tensor) -> tuple[Tensor, ...]:
        """Return the tensors of one image (channels, rows, columns), and `derived`."""
        with contextlib.ExitStack() as stack:
            trace = self._trace(image[None], stack, *options)
            tensors = (read(trace, 0) for read in self._reads)
            return (*tensors, *self.network.derived().values())

    def _trace(
        self, images: Tensor, stack: contextlib.ExitStack, *options: Tensor
    ) -> Any:
        if not options:
            return self.network(images)
        silenced, *routing = options
        if not routing:  # a network that does not route
            return self.network(images, silenced=silenced[None])
        uniform, held, *iterations = routing
        cuts = (silenced[None], uniform[None], held[None])
        if not iterations:  # routing without iterations
            return self.network(images, surgery=UncheckedSurgery(*cuts))
        stack.enter_context(mock.patch(EM, _stopped_at(iterations[0])))
        surgery = StoppedSurgery(*cuts, iterations[0])
        return self.network(images, surgery=surgery, iterations=self._most)


class Drawing(nn.Module):
    """From poses (count, numbers) of one class () to images."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.decoder = network.decoder
        self.classes = network.config.classes

    def forward(self, poses: Tensor, label: Tensor) -> Tensor:
        """Return (count, channels, rows, columns)."""
        chosen = (torch.arange(self.classes) == label).to(poses.dtype)
        return self.decoder(poses[:, None].expand(-1, self.classes, -1), chosen[None])


class OwnDrawing(nn.Module):
    """The same, of a described network."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.part = network.drawing.module
        self._draw = network.drawing.draw
        self.classes = network.config.classes

    def forward(self, poses: Tensor, label: Tensor) -> Tensor:
        """Return (count, channels, rows, columns)."""
        chosen = (torch.arange(self.classes) == label).to(poses.dtype)
        capsules = poses[:, None] * chosen[None, :, None]
        return self._draw(capsules, label.expand(poses.shape[0]))


def _stopped_at(iterations: Tensor) -> Any:
    """Return EM routing that repeats the last step asked for.

    It heats up from one iteration to the next, so that it cannot be made to stand still
    as the logits of dynamic routing can.
    """

    def steps(*arguments: Any, **named: Any) -> Iterator[RoutingStep]:
        last: RoutingStep | None = None
        for number, step in enumerate(em_routing(*arguments, **named)):
            if last is not None:
                is_on = iterations > number
                kept = {
                    field.name: torch.where(
                        is_on, getattr(step, field.name), getattr(last, field.name)
                    )
                    for field in fields(RoutingStep)
                }
                step = replace(step, **kept)
            last = step
            yield step

    return steps


def graphs_of(
    architecture: Architecture, network: Network, names: Sequence[str]
) -> dict[str, onnx.ModelProto]:
    """Return a network's graphs, with their weights inside, and as inputs.

    Args:
        architecture: of the network.
        network: in evaluation mode.
        names: of the trace's tensors.

    Returns:
        `reading`, from an image to a trace. Inputs: `image` (channels, rows, columns);
        for a network that routes, `silenced` (capsules) bool, `uniform` () bool, `held`
        (capsules, classes), NaN where nothing is held, and, where routing has them,
        `iterations` () int64; for another whose maps can be silenced, `silenced` (maps)
        bool. Outputs: the tensors; those with an entry for each
        iteration repeat the last one that was asked for. `drawing`, if there is a
        decoder: from `poses` (count, numbers) and `label` () int64 to `images`. And
        `reading.fed` and `drawing.fed`, the same with further inputs (`feeding.fed`);
        the former has further outputs, `weights/NAME` of what is `derived`.

    Raises:
        LacksOperator: it has an operator that ONNX lacks.
    """
    try:
        graphs = _reading(architecture, network, names)
    except OnnxExporterError as error:
        module = network.module if isinstance(network, Described) else network
        image = torch.rand(1, *network.config.image_shape)
        operator = operator_lacking(error, module, lambda: network(image))
        if not operator:
            raise
        raise LacksOperator(architecture.title, operator) from None
    if architecture.can.reconstruct:
        numbers = architecture.details(network.config)["pose_dim"]
        graphs |= _drawing(network, numbers or 0)
    return graphs


def _reading(
    architecture: Architecture, network: Network, names: Sequence[str]
) -> dict[str, onnx.ModelProto]:
    config: Any = network.config
    inputs: dict[str, Tensor] = {"image": torch.rand(config.image_shape)}
    most = 0
    if architecture.can.route:
        capsules = config.routed_capsules
        inputs |= {
            "silenced": torch.zeros(capsules, dtype=torch.bool),
            "uniform": torch.zeros((), dtype=torch.bool),
            "held": torch.full((capsules, config.classes), torch.nan),
        }
        if "iterations" in signature(network.forward).parameters:
            inputs["iterations"] = torch.tensor(config.routing_iterations)
            most = max_iterations(config)
    elif maps := architecture.details(config).get("silenceable_maps"):
        inputs["silenced"] = torch.zeros(maps, dtype=torch.bool)
    module = Reading(architecture, network, names, most)
    module.training = False  # alone: a described network's module is its owner's
    derived = [f"{WEIGHTS}{name}" for name in network.derived()]
    return _both(READING, network, module, inputs, [*names, *derived])


def _drawing(network: Network, numbers: int) -> dict[str, onnx.ModelProto]:
    described = isinstance(network, Described)
    module = OwnDrawing(network) if described else Drawing(network)
    inputs = {"poses": torch.rand(2, numbers), "label": torch.tensor(1)}
    return _both(DRAWING, network, module.eval(), inputs, ["images"], varying="poses")


def gradient_graphs(
    architecture: Architecture, network: Network, trained: Any
) -> dict[str, onnx.ModelProto]:
    """Return what attacks follow, `gradient` and `gradient.fed`: see `gradient_of`.

    Args:
        architecture: of the network.
        network: in evaluation mode.
        trained: an instance of `settings.loss`.

    Raises:
        ValueError: the gradient cannot be written as a graph; the message says why.
    """
    module = network.module if isinstance(network, Described) else network
    try:
        with _frozen(module):
            slope, inputs = gradient_of(architecture, network, trained)
            limits = {"output_size_limit": MOST_FOLDED}
            return _both(
                *(GRADIENT, network, slope, inputs, OUTPUTS),
                backward=BACKWARD,
                folding=limits,
            )
    except Exception as error:  # whatever somebody's own module does
        operator = operator_lacking(error, module, lambda: None)
        raise ValueError(
            f"browsers lack the operator {operator}, which its gradient needs"
            if operator
            else "its gradient cannot be written as a graph"
        ) from error


@contextlib.contextmanager
def _frozen(module: nn.Module) -> Iterator[None]:
    """Have a module's parameters count as constants."""
    trained = [
        parameter for parameter in module.parameters() if parameter.requires_grad
    ]
    for parameter in trained:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in trained:
            parameter.requires_grad_(True)


def _as_product(layer: nn.Conv2d, images: Tensor) -> Tensor:
    """Return a convolution of one image, as one product of matrices if it is large.

    A runtime in a browser keeps the weights of a product as its kernels read them, and
    takes two thirds of the time where places are few and weights many.
    """
    weight, bias = layer.weight, layer.bias
    height, width = (int(size) for size in layer.kernel_size)
    rows, columns = (
        (length - size) // int(step) + 1
        for length, size, step in zip(
            images.shape[2:], (height, width), layer.stride, strict=True
        )
    )
    is_plain = layer.padding in ("valid", (0, 0)) and layer.dilation == (1, 1)
    is_large = weight.numel() >= LEAST_WEIGHTS and rows * columns <= MOST_PLACES
    if not (is_plain and is_large and layer.groups == 1):
        return _convolved(layer, images)
    places = torch.arange(images.shape[2] * images.shape[3])
    down, across = (int(step) for step in layer.stride)
    windows = places.reshape(images.shape[2:]).unfold(0, height, down)
    windows = windows.unfold(1, width, across).reshape(rows * columns, -1)
    patches = images[0].flatten(1).T[windows].flatten(1)  # places by (window, channel)
    # Flat first: weights that are turned at once, the exporter keeps a second time.
    product = patches @ weight.flatten(2).permute(2, 1, 0).flatten(0, 1)
    if bias is not None:
        product = product + bias
    return product.T.reshape(1, -1, rows, columns)


@contextlib.contextmanager
def _keeping_garbage() -> Iterator[None]:
    """Look for no garbage meanwhile, which takes an eighth of the time of graphs."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()


@_keeping_garbage()
def _both(
    what: str,
    network: Network,
    function: Callable[..., Any],
    inputs: Mapping[str, Tensor],
    names: Sequence[str],
    *,
    folding: Mapping[str, int] = MappingProxyType({}),
    **tracing: Any,
) -> dict[str, onnx.ModelProto]:
    """Return a function with the network's weights inside, and with weights as inputs.

    Args:
        what: the graphs' name.
        network: whose weights the function reads.
        function: takes tensors, returns one or several.
        inputs: examples, by the names that inputs get.
        names: of the outputs.
        folding: limits of `fold_constants`, in numbers.
        tracing: further settings of `traced`.
    """
    weights = {
        f"{WEIGHTS}{name}": tensor
        for name, tensor in network.state_dict(keep_vars=True).items()
        if tensor.is_floating_point()
    }
    with mock.patch.object(nn.Conv2d, "forward", _as_product):
        graph = graph_of(function, inputs, names, weights, **tracing)
    return {f"{what}{FED}": fed(graph, **folding), what: with_weights(graph, **folding)}
