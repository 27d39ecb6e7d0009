"""The weights of graphs, in a safetensors file beside them.

ONNX keeps large weights in another file, as bytes from a place on; safetensors keeps
them just so. So nothing is stored twice, and a graph has some 100 KB. The runtime casts
half precision once, when it opens the graph.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save
from torch import Tensor

from capsnet_explorer.model.exporting.feeding import WEIGHTS

LEAST_STORED = 64  # numbers; smaller weights stay in the graph
LARGEST_HALF = float(np.finfo(np.float16).max)
STORED = {"F16": TensorProto.FLOAT16, "F32": TensorProto.FLOAT}

Place = tuple[int, int, int]  # type of number, offset, length


def weights_of(
    graphs: Sequence[onnx.ModelProto], tensors: Mapping[str, Tensor]
) -> bytes:
    """Return a file of the graphs' weights, for a network that has none yet.

    It has all that they read of the network, by the network's names, and large
    constants, such as weights that were folded, under numbers.

    Args:
        graphs: with their weights inside, and as inputs.
        tensors: of the network, by name.
    """
    arrays: dict[str, NDArray[np.floating]] = {}
    for graph in graphs:
        for weight in graph.graph.initializer:
            values = numpy_helper.to_array(weight)
            is_own = weight.name.startswith(WEIGHTS)
            if is_own or _is_large(values):
                half = _halved(values)
                name = weight.name.removeprefix(WEIGHTS) if is_own else f"{len(arrays)}"
                arrays[name] = values if half is None else half
    for input_name in (value.name for graph in graphs for value in graph.graph.input):
        name = input_name.removeprefix(WEIGHTS)
        if name != input_name and name not in arrays:  # it was folded
            arrays[name] = tensors[name].detach().float().cpu().numpy()
    return save(arrays)


def halve(graphs: Iterable[onnx.ModelProto]) -> bool:
    """Round the graphs' large weights to half precision, and tell whether any changes.

    Raises:
        ValueError: one is larger than numbers of half precision are.
    """
    is_changed = False
    for graph in graphs:
        for weight in graph.graph.initializer:
            values = numpy_helper.to_array(weight)
            if not _is_large(values) or _halved(values) is not None:
                continue
            largest = float(np.abs(values).max())
            if not largest <= LARGEST_HALF:
                raise ValueError(
                    f"--half needs weights up to {LARGEST_HALF:.0f}, got {largest:.3g}"
                )
            half = values.astype(np.float16).astype(np.float32)
            weight.CopyFrom(numpy_helper.from_array(half, weight.name))
            is_changed = True
    return is_changed


def outside(graph: onnx.ModelProto, file: bytes, name: str) -> bytes:
    """Return a graph that reads its weights from a safetensors file.

    Weights that are not in the file as they are, such as folded ones, stay inside.

    Args:
        graph: with its weights inside; it is changed.
        file: the content.
        name: of the file, in the graph's own folder.
    """
    places = places_in(file)
    kept, casts = [], []
    for weight in graph.graph.initializer:
        entry = _place_of(numpy_helper.to_array(weight), places)
        if entry is None:
            kept.append(weight)
            continue
        kind, offset, length = entry
        is_half = kind == TensorProto.FLOAT16
        stored = TensorProto(
            name=f"{weight.name}.half" if is_half else weight.name,
            dims=weight.dims,
            data_type=kind,
            data_location=TensorProto.EXTERNAL,
        )
        where = {"location": name, "offset": offset, "length": length}
        for key, value in where.items():
            stored.external_data.add(key=key, value=str(value))
        kept.append(stored)
        if is_half:
            single: Any = {"to": TensorProto.FLOAT}
            casts.append(
                helper.make_node("Cast", [stored.name], [weight.name], **single)
            )
    nodes = [*casts, *graph.graph.node]
    del graph.graph.initializer[:], graph.graph.node[:]
    graph.graph.initializer.extend(kept)
    graph.graph.node.extend(nodes)
    return stripped(graph)


def stripped(graph: onnx.ModelProto) -> bytes:
    """Return a graph as a file, without what is of no use where it runs."""
    for node in graph.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]  # where the code stands on this machine
    del graph.graph.value_info[:]  # a runtime finds these shapes itself
    for value in (*graph.graph.input, *graph.graph.output):
        del value.metadata_props[:]
    del graph.metadata_props[:], graph.graph.metadata_props[:]
    return graph.SerializeToString(deterministic=True)


def places_in(file: bytes) -> dict[bytes, Place]:
    """Return where tensors stand in a safetensors file, by their bytes."""
    start = 8 + int.from_bytes(file[:8], "little")
    header: Mapping[str, dict] = json.loads(file[8:start])
    return {
        file[start + first : start + last]: (
            STORED[entry["dtype"]],
            start + first,
            last - first,
        )
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in STORED
        for first, last in [entry["data_offsets"]]
    }


def _place_of(
    values: NDArray[np.generic], places: Mapping[bytes, Place]
) -> Place | None:
    if not _is_large(values):
        return None
    half = _halved(values)
    entry = None if half is None else places.get(half.tobytes())
    return entry or places.get(values.tobytes())


def _is_large(values: NDArray[np.generic]) -> bool:
    return values.dtype == np.float32 and values.size >= LEAST_STORED


def _halved(values: NDArray[np.generic]) -> NDArray[np.float16] | None:
    """Return weights in half precision; None for such as would change."""
    with np.errstate(over="ignore"):
        half = values.astype(np.float16)
    return half if np.array_equal(half, values) else None
