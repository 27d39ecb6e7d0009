"""Arrays in MATLAB's files of version 5, as `save` writes them without `-v7.3`.

Format: "MAT-File Format", The MathWorks. Numbers and texts are read, nothing else.
"""

import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capsnet_explorer.datasets.idx import BrokenFile

BEGINNING = b"MATLAB 5.0 MAT-file"
_HEADER = 128  # bytes
_MATRIX, _COMPRESSED = 14, 15  # types of elements
# Types of numbers, by their number in the file.
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8"}
_TYPES |= {12: "i8", 13: "u8", 16: "u1", 17: "u2"}
# Classes of arrays: texts, and numbers of the type that they had in MATLAB.
_TEXT = 4
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4"}
_CLASSES |= {13: "u4", 14: "i8", 15: "u8"}
_MOST = 2 << 30  # bytes of an array, unpacked


def matlab_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of numbers, and of texts, by their names.

    Raises:
        BrokenFile: the file is damaged, or of another version.
    """
    status = path.stat()
    return _arrays(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=2)
def _arrays(path: Path, _size: int, _changed: int) -> dict[str, NDArray[Any]]:
    data = memoryview(path.read_bytes())
    if not bytes(data).startswith(BEGINNING):
        raise BrokenFile(
            f"{path.name} must be MATLAB's file of version 5: save it with -v7"
        )
    order = "<" if bytes(data[126:128]) == b"IM" else ">"
    arrays = {}
    try:
        for kind, content in _elements(data[_HEADER:], order):
            if kind == _COMPRESSED:
                kind, content = next(_elements(_unpack(content), order))
            if kind == _MATRIX and (array := _matrix(content, order)) is not None:
                arrays[array[0]] = array[1]
    except (ValueError, struct.error, zlib.error, StopIteration) as error:
        raise BrokenFile(f"{path.name} is damaged: {error}") from None
    return arrays


def _unpack(content: memoryview) -> memoryview:
    packed = zlib.decompressobj()
    whole = memoryview(packed.decompress(content, _MOST))
    if packed.unconsumed_tail or not packed.eof:
        raise ValueError("an array is cut off, or too large")
    return whole


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Yield the type and the content of each element."""
    start = 0
    while start + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}II", data, start)
        if kind >> 16:  # a small element: type, size and content in eight bytes
            yield kind & 0xFFFF, data[start + 4 : start + 4 + (kind >> 16)]
            start += 8
            continue
        if start + 8 + size > len(data):
            raise ValueError("it is cut off")
        yield kind, data[start + 8 : start + 8 + size]
        start += 8 + size
        if kind != _COMPRESSED:
            start += -size % 8


def _matrix(content: memoryview, order: str) -> tuple[str, NDArray[Any]] | None:
    """Return an array's name and itself; None for other things than numbers or text."""
    parts = _elements(content, order)
    flags, shape, name = (next(parts, (0, memoryview(b"")))[1] for _ in range(3))
    kind = flags[0] if order == "<" else flags[3]
    sizes = [int(size) for size in np.frombuffer(shape, f"{order}i4")]
    if kind not in (_TEXT, *_CLASSES):
        return None
    number, data = next(parts)
    if number not in _TYPES:
        return None
    values = np.frombuffer(data, order + _TYPES[number])
    if len(values) != np.prod(sizes, dtype=np.int64):
        raise ValueError(f"{len(values)} numbers must fill an array of {sizes}")
    array = values.reshape(sizes, order="F")
    if kind == _TEXT:
        rows = ["".join(map(chr, row)).rstrip() for row in array]
        return str(bytes(name), "latin-1"), np.array(rows)
    return str(bytes(name), "latin-1"), array.astype(_CLASSES[kind])
