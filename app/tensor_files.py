"""Safetensors files, written with one copy of their numbers.

The format (https://huggingface.co/docs/safetensors): eight bytes that tell how long the
header is, the header, which is JSON, and the numbers of one tensor after the other. The
library's own writer copies them twice.
"""

from collections.abc import Mapping

import numpy as np
import orjson

from app.engine import Numbers

TYPES = {np.dtype(np.float16): "F16", np.dtype(np.float32): "F32"}
ALIGNMENT = 8  # bytes; the header is filled up with spaces


def tensor_file(tensors: Mapping[str, Numbers], metadata: Mapping[str, str]) -> bytes:
    """Return a safetensors file.

    Args:
        tensors: by name; in single or half precision, little-endian.
        metadata: what else the file tells.

    Raises:
        ValueError: a tensor has another type.
    """
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    parts: list[memoryview] = []
    end = 0
    # Those of larger numbers first, so that each begins at a multiple of their size.
    for name, tensor in sorted(tensors.items(), key=lambda item: -item[1].itemsize):
        if tensor.dtype not in TYPES:
            raise ValueError(f"{name} must be float16 or float32, got {tensor.dtype}")
        start, end = end, end + tensor.nbytes
        header[name] = {
            "dtype": TYPES[tensor.dtype],
            "shape": tensor.shape,
            "data_offsets": (start, end),
        }
        # As stored, a transposed array would be written in the wrong order.
        parts.append(np.ascontiguousarray(tensor).data)
    text = orjson.dumps(header)
    text += b" " * (-len(text) % ALIGNMENT)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])
