"""Graphs whose weights are inputs, so that one graph serves any set of weights.

A run's moments, a network that learns in the page and a file that a visitor brings have
the architecture and the sizes of a network of the site, and other numbers. Whatever
depends on these is computed by such a graph, and never folded into a constant.
"""

import onnx
import onnx_ir as ir
from onnx_ir.passes.common import (
    CommonSubexpressionEliminationPass,
    DeduplicateInitializersPass,
)
from onnxscript.optimizer import fold_constants, remove_unused_nodes

MOST_COMPARED = 1 << 20  # numbers of constants of which one of equals stays
FED = ".fed"  # ends the name of such a graph
WEIGHTS = "weights/"  # begins the names of weights; the rest is the network's own name


def fed(graph: ir.Model, **folding: int) -> onnx.ModelProto:
    """Return a graph that takes the weights it reads as further inputs.

    Args:
        graph: with its weights inside, of which nothing is folded yet.
        folding: limits of `fold_constants`, in numbers.

    Returns:
        The graph. Its inputs are followed by `weights/NAME` for every tensor of the
        network that it reads: float32, in the tensor's shape.
    """
    model = graph.clone()
    remove_unused_nodes(model)
    for name, value in [*model.graph.initializers.items()]:
        if name.startswith(WEIGHTS):
            del model.graph.initializers[name]
            value.const_value = None
            model.graph.inputs.append(value)
    return _folded(model, **folding)


def with_weights(graph: ir.Model, **folding: int) -> onnx.ModelProto:
    """Return a graph with its weights inside, which tells nothing else of them.

    Args:
        graph: as `fed` takes it; it is changed.
        folding: as there.
    """
    outputs = graph.graph.outputs
    kept = [output for output in outputs if not (output.name or "").startswith(WEIGHTS)]
    outputs.clear()
    outputs.extend(kept)
    return _folded(graph, **folding)


def _folded(model: ir.Model, **folding: int) -> onnx.ModelProto:
    """Fold a graph's constants, which changes no number."""
    fold_constants(model, should_fold=_is_folded, **folding)
    for same in (
        CommonSubexpressionEliminationPass(),
        DeduplicateInitializersPass(MOST_COMPARED),
    ):
        same(model)
    remove_unused_nodes(model)
    return ir.to_proto(model)


def _is_folded(node: ir.Node) -> bool | None:
    """A copy of weights that are turned would be stored beside them."""
    return False if node.op_type == "Transpose" else None
