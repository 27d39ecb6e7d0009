"""Functions of tensors as ONNX graphs.

`torch.onnx.export` traces a function several times over: as it is, as operators that
ONNX has, and for what these change. Here it is traced once, on tensors without numbers,
and the exporter's own table translates the operators.
"""

import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from types import MappingProxyType
from typing import Any

import onnx_ir as ir
import torch
from onnxscript import opset18 as op
from onnxscript.optimizer import inline
from torch import Tensor, fx
from torch._dispatch.python import enable_python_dispatcher
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import (
    DimDynamic,
    ShapeEnv,
    StatelessSymbolicContext,
)

# Private, as they are in the version that requirements.txt pins.
from torch.onnx._internal.exporter._core import _translate_fx_graph
from torch.onnx._internal.exporter._decomp import (
    create_onnx_friendly_decomposition_table,
    get_onnx_implemented_overloads,
)
from torch.onnx._internal.exporter._fx_passes import (
    insert_type_promotion_nodes,
    remove_assertion_nodes,
)
from torch.onnx._internal.exporter._ir_passes import add_opset_imports
from torch.onnx._internal.exporter._registration import ONNXRegistry

OPSET, IR_VERSION = 18, 10

Table = Mapping[Any, Callable[..., Any]]  # what operators are made of
NOTHING = contextlib.nullcontext()


def traced(
    function: Callable[..., Any],
    inputs: Mapping[str, Tensor],
    backward: Table | None = None,
    varying: str | None = None,
) -> fx.GraphModule:
    """Return the operators that a function of tensors runs.

    Args:
        function: takes tensors, and returns one or several.
        inputs: examples, by the names that inputs get.
        backward: of one that differentiates, what operators of gradients are made of
            that PyTorch itself leaves whole.
        varying: the input whose first length may be another one.
    """
    numberless = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())
    examples = []
    for name, values in inputs.items():
        lengths = [DimDynamic.STATIC] * values.ndim
        if name == varying:
            lengths[0] = DimDynamic.DYNAMIC
        context = StatelessSymbolicContext(dynamic_sizes=lengths)
        examples.append(numberless.from_tensor(values, symbolic_context=context))
    pure = torch.func.functionalize  # operators that change nothing they read
    trace = partial(
        make_fx, decomposition_table={**_decompositions(), **(backward or {})}
    )
    with numberless, _in_silence(), enable_python_dispatcher() if varying else NOTHING:
        # There is no autograd within a pure function.
        module = trace(pure(function) if backward is None else function)(*examples)
        if any(map(_writes, module.graph.nodes)):
            module = trace(pure(module))(*examples)
    remove_assertion_nodes(module)
    module.graph.eliminate_dead_code()
    return module


def _writes(node: fx.Node) -> bool:
    """Return whether an operator changes what it reads, which none of ONNX does."""
    return isinstance(node.target, OpOverload) and node.target._schema.is_mutable


@torch.no_grad()
def graph_of(
    function: Callable[..., Any],
    inputs: Mapping[str, Tensor],
    names: Sequence[str],
    weights: Mapping[str, Tensor] = MappingProxyType({}),
    **tracing: Any,
) -> ir.Model:
    """Return a function as a graph of ONNX, of which nothing is folded yet.

    Args:
        function: as `traced` takes it.
        inputs: examples, by the names that inputs get.
        names: of the outputs.
        weights: tensors that the function may read, by the names that they get.
        tracing: further settings of `traced`.
    """
    module = traced(function, inputs, **tracing)
    constants = _lifted(module)
    with _in_silence():
        insert_type_promotion_nodes(module)
        model = ir.Model(ir.Graph([], [], nodes=[]), ir_version=IR_VERSION)
        graph = model.graph
        settings: Any = {"owned_graphs": {}, "lower": "at_conversion"}
        _translate_fx_graph(
            module.graph, model, graph_like=graph, registry=_operators(), **settings
        )
        add_opset_imports(model)
    titles = {id(weights[name]): name for name in reversed([*weights])}
    for value, values in zip(graph.inputs[len(inputs) :], constants, strict=True):
        value.name = titles.get(id(values), value.name)
        value.const_value = ir.tensor(values.detach().numpy(), name=value.name)
        graph.initializers.add(value)
    del graph.inputs[len(inputs) :]
    for value, name in zip(
        [*graph.inputs, *graph.outputs], [*inputs, *names], strict=True
    ):
        value.name = name
    inline(model)
    return model


def _lifted(module: fx.GraphModule) -> list[Tensor]:
    """Have a module take the tensors that it holds as further inputs; return them."""
    graph = module.graph
    last = graph.find_nodes(op="placeholder")[-1]
    numberless = last.meta["val"].fake_mode
    inputs: dict[int, tuple[fx.Node, Tensor]] = {}
    for node in graph.find_nodes(op="get_attr"):
        values: Any = reduce(getattr, node.target.split("."), module)
        if id(values) not in inputs:
            with graph.inserting_after(last):
                last = graph.placeholder(f"constant_{len(inputs)}")
            last.meta["val"] = numberless.from_tensor(values, static_shapes=True)
            inputs[id(values)] = last, values
        node.replace_all_uses_with(inputs[id(values)][0])
        graph.erase_node(node)
    return [values for _, values in inputs.values()]


@cache
def _operators() -> ONNXRegistry:
    """Return how ONNX writes PyTorch's operators."""
    operators = ONNXRegistry.from_torchlib(OPSET)
    operators.register_op(torch.ops.aten.sort.stable, _sorted_stably)
    return operators


@cache
def _decompositions() -> Table:
    """Return what all others are made of."""
    return create_onnx_friendly_decomposition_table(
        {*get_onnx_implemented_overloads(_operators())}
    )


@contextlib.contextmanager
def _in_silence() -> Iterator[None]:
    """Keep what the exporter says of its own workings from people."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _sorted_stably(
    self: Any, stable: bool = False, dim: int = -1, descending: bool = False
) -> Any:
    """Sort as torch does: of equal numbers, ONNX's TopK takes the first first, too."""
    length: Any = op.Shape(self, start=dim)
    one: Any = op.Constant(value_ints=[1])
    size: Any = op.Reshape(length, one)
    return op.TopK(self, size, axis=dim, largest=int(descending), sorted=1)
