"""The CNN once more, slowly and in NumPy, from nothing but a weight file."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file


def plain_trace(weights: Path, image: np.ndarray) -> dict[str, np.ndarray]:
    """Return every tensor of a trace by name, in double precision.

    Args:
        weights: a safetensors file.
        image: (channels, rows, columns).
    """
    layers = {name: w.astype(np.float64) for name, w in load_file(weights).items()}
    tensors = {}
    maps = image.astype(np.float64)
    for stage in ("1", "2"):
        maps = convolved(maps, layers[f"conv{stage}.weight"])
        maps += layers[f"conv{stage}.bias"][:, None, None]
        tensors[f"conv{stage}.pre"] = maps
        tensors[f"conv{stage}.relu"] = maps = np.maximum(maps, 0)
        maps, winners = pooled(maps)
        tensors[f"pool{stage}"], tensors[f"pool{stage}.winners"] = maps, winners
    hidden = layers["hidden.weight"] @ maps.ravel() + layers["hidden.bias"]
    tensors["hidden"] = np.maximum(hidden, 0)
    logits = layers["logits.weight"] @ tensors["hidden"] + layers["logits.bias"]
    tensors["logits"] = logits
    powers = np.exp(logits - logits.max())
    tensors["scores"] = powers / powers.sum()
    return tensors


def convolved(maps: np.ndarray, kernels: np.ndarray) -> np.ndarray:
    """Slide (outputs, inputs, rows, columns) kernels over (inputs, rows, columns)."""
    outputs, _, height, width = kernels.shape
    rows, columns = maps.shape[1] - height + 1, maps.shape[2] - width + 1
    result = np.zeros((outputs, rows, columns))
    for row in range(rows):
        for column in range(columns):
            window = maps[:, row : row + height, column : column + width]
            result[:, row, column] = np.einsum("oikl,ikl->o", kernels, window)
    return result


def pooled(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest pixel of each 2x2 window, and which it was."""
    count, rows, columns = maps.shape[0], maps.shape[1] // 2, maps.shape[2] // 2
    largest = np.zeros((count, rows, columns))
    winners = np.zeros((count, rows, columns), dtype=int)
    for index in np.ndindex(count, rows, columns):
        number, row, column = index
        y, x = 2 * row, 2 * column
        window = [
            *(maps[number, y, x], maps[number, y, x + 1]),
            *(maps[number, y + 1, x], maps[number, y + 1, x + 1]),
        ]
        largest[index] = max(window)
        winners[index] = window.index(max(window))
    return largest, winners
