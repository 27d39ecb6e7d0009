"""The film of a small CapsNet's training, which the command `film` wrote."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from capsnet_explorer import ROOT

FILM = ROOT / "weights" / "measured" / "film.safetensors"
FIGURES = ("steps", "images", "seconds", "wrong", "loss")
LEVELS = 15  # of a reconstruction's pixel, as in the file
MIDDLE, REACH = 128, 127  # bytes of a kernel: 0, and the largest weight above it


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures and figures of the moments of a run.

    Attributes:
        tensors: by name, for the page.
        facts: what is told beside them.
    """

    tensors: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]


@cache
def load_film() -> Film:
    """Return the film that comes with the project."""
    with safe_open(FILM, framework="numpy") as file:
        found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        metadata = file.metadata()
    moments, samples, packed = found["drawn"].shape
    side = round((2 * packed) ** 0.5)
    grey = np.stack([found["drawn"] >> 4, found["drawn"] & LEVELS], axis=-1)
    tensors = {
        **{name: found[name].astype(np.float32) for name in FIGURES},
        "kernels": (found["kernels"].astype(np.float32) - MIDDLE)
        / REACH
        * found["kernels.reach"],
        "lengths": (found["lengths"] / 255).astype(np.float32),
        "drawn": (grey * (255 // LEVELS)).reshape(moments, samples, side, side),
    }
    facts = {
        "title": metadata["title"],
        "architecture": metadata["architecture"],
        "preset": metadata["preset"],
        "samples": json.loads(metadata["samples"]),
        "tested": int(metadata["tested"]),
        "kernels": int(metadata["all_kernels"]),
    }
    return Film(tensors, facts)
